"""The command line as a whole: versions, mistakes, interruptions."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import chef
from chef.cli import _with_ray
from tests.conftest import cases
from tests.tiny import write_source


def run(*arguments: str, **settings) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "chef", *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False, **settings)


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"chef {chef.__version__}\n")


@pytest.mark.parametrize(("arguments", "said"), cases("other", "a mistake is exit 2 and no traceback"))
def test_a_mistake_is_exit_2_and_no_traceback(arguments, said, tmp_path):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_ctrl_c_says_so_and_leaves_nothing_that_looks_whole(tmp_path: Path):
    source = write_source(tmp_path / "source", recipes=40)
    call = [sys.executable, "-m", "chef", "prepare", str(source), str(tmp_path / "out"), "--workers", "1"]
    # A shell that runs the tests in the background makes its children deaf to Ctrl-C: undo that.
    options = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), "text": True}
    process = subprocess.Popen(call, stderr=subprocess.PIPE, **options)
    while not (tmp_path / "out").exists():
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait() in (1, 130)
    assert "Traceback" not in process.stderr.read()
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_closed_pipe_is_no_error():
    call = f"{sys.executable} -m chef models | true"
    done = subprocess.run(call, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("arguments", "read"), cases("other", "ray with an address or without"))
def test_ray_with_an_address_or_without(arguments, read):
    assert _with_ray(arguments) == read


def test_without_arguments_it_shows_the_commands():
    done = run()
    assert "search" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_shell_completes_commands_and_options():
    asked = {"_CHEF_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    done = run(env={**os.environ, **asked, "COMP_WORDS": "chef sea"})
    assert done.stdout.split() == ["search"]
    done = run(env={**os.environ, **asked, "COMP_WORDS": "chef search --inc", "COMP_CWORD": "2"})
    assert "--include-unsure" in done.stdout.split()
