"""`chef train` as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import cases
from tests.tiny import write_prepared

SMALL = [f"--set={part}" for part in ("word=16", "hidden=12", "space=24", "batch=12")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("train")
    write_prepared(folder, recipes=40)
    return folder


def chef(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CHEF_WEIGHTS": str(folder / "weights")}
    command = [sys.executable, "-m", "chef", "train", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_model_is_trained_and_fine_tuned(folder):
    first = chef(folder, "prepared", "--out", "first", "--model", "s+l+l", "--epochs", "1", *SMALL)
    assert first.returncode == 0, first.stderr
    second = chef(folder, "prepared", "--out", "second", "--init", "first", "--epochs", "1")
    assert second.returncode == 0, second.stderr
    assert second.stdout.strip() == "best model: second/best"
    assert "only " in second.stderr  # training pairs
    settings = json.loads((folder / "second" / "settings.json").read_text())
    assert (settings["model"], settings["hidden"], settings["batch"]) == ("s+l+l", 12, 64)
    assert str(folder) not in (folder / "second" / "best" / "config.json").read_text()


@pytest.mark.parametrize(("arguments", "told"), cases("commands", "mistakes of train"))
def test_mistakes_end_in_one_line_and_code_2(folder, arguments, told):
    result = chef(folder, "prepared", "--out", "run", *arguments)
    assert result.returncode == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (folder / "run").exists()
