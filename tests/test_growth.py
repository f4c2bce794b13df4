"""Every reader, the line parser and everything that cuts text into words take steps in line with the text."""

import subprocess
import sys

import pytest

# The places of the reports, and those that take other people's text as it is.
QUICK = ["sentences", "tokenise", "read markdown body", "read bare text"]


def growing(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.growth", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", QUICK)
def test_hostile_texts_take_linear_steps(name):
    assert growing(name, "reported") == ""


@pytest.mark.slow
def test_all_hostile_texts_take_linear_steps_everywhere():
    assert growing() == ""
