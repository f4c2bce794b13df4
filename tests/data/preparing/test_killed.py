"""Runs that share work are killed, and put to sleep, at any moment: nothing is lost, nothing is double."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from chef.storage import open_store
from tests.data.sources import QUICK, content, write_source

RECIPES = 80
pytestmark = pytest.mark.slow  # test_run.py kills a run that is alone


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    return write_source(tmp_path_factory.mktemp("large") / "kitchen", RECIPES)


@pytest.fixture(scope="module")
def expected(large, map_file, tmp_path_factory) -> dict[str, str]:
    """What a run left alone makes of it."""
    folder = tmp_path_factory.mktemp("expected") / "out"
    prepare(large, folder, QUICK, canonical=map_file, workers=2)
    return content(folder)


class Runs:
    """Runs of one command, each in a process group of its own."""

    def __init__(self, source: Path, out: str, map_file: Path, log: Path, lease: float = 60) -> None:
        arguments = map(str, (source, out, map_file, lease, log))
        self._command = [sys.executable, "-m", "tests.data.preparing.one_run", *arguments]
        self.log = log
        self.alive: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        root = Path(__file__).resolve().parents[3]
        self.alive.append(subprocess.Popen(self._command, cwd=root, start_new_session=True))
        return self.alive[-1]

    def kill(self, run: subprocess.Popen[bytes]) -> bool:
        """Kill -9 a run; False if it had ended before."""
        self.alive.remove(run)
        ended = run.poll() is not None
        run.kill()
        assert run.wait() in (0, -signal.SIGKILL)
        return not ended

    def done(self) -> int:
        """How many pieces of work were done."""
        return len(set(self.log.read_text().splitlines())) if self.log.exists() else 0

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, *_: object) -> None:
        for run in self.alive:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()


def check(out, expected) -> None:
    assert content(out) == expected
    data = Prepared(out)
    data.verify()
    ids = [name for split in data.splits for name in data.split(split, with_image=False).ids]
    assert len(ids) == len(set(ids)) == RECIPES
    assert not list(open_store(out).listing("work"))


@pytest.mark.parametrize("seed", range(3))
def test_many_kills_lose_and_double_nothing(large, map_file, out, expected, tmp_path, seed):
    chance, killed = random.Random(seed), 0
    with Runs(large, out, map_file, tmp_path / "log") as runs:
        for _ in range(3):
            runs.start()
        for _ in range(10):
            time.sleep(chance.uniform(0.3, 4))
            killed += runs.kill(chance.choice(runs.alive))
            runs.start()
        assert [run.wait(120) for run in runs.alive] == [0, 0, 0]
        assert runs.start().wait(120) == 0  # what the last one killed has left is cleared up
    assert killed
    check(out, expected)


def test_the_work_of_a_sleeper_is_done_by_others_and_it_wakes_without_harm(
    large, map_file, expected, tmp_path
):
    out = tmp_path / "out"
    with Runs(large, str(out), map_file, tmp_path / "log", lease=2) as runs:
        sleeper = runs.start()
        while runs.done() < 3:  # in the middle of its parts
            time.sleep(0.01)
            assert sleeper.poll() is None
        os.killpg(sleeper.pid, signal.SIGSTOP)
        assert not (out / "manifest.json").exists()
        assert runs.start().wait(120) == 0
        check(out, expected)
        os.killpg(sleeper.pid, signal.SIGCONT)
        assert sleeper.wait(120) == 0
        check(out, expected)
