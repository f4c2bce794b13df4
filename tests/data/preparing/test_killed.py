"""Runs that share work are killed, and put to sleep, at any moment: nothing is lost, nothing is double."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
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
        self._command = [
            sys.executable, "-m", "tests.data.preparing.one_run",
            str(source), str(out), str(map_file), str(lease), str(log),
        ]  # fmt: skip
        self.log = log
        self.alive: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        root = Path(__file__).resolve().parents[3]
        run = subprocess.Popen(self._command, cwd=root, start_new_session=True)
        self.alive.append(run)
        return run

    def kill(self, run: subprocess.Popen[bytes]) -> bool:
        """Kill -9 a run; False if it had ended before."""
        self.alive.remove(run)
        ended = run.poll() is not None
        run.kill()
        assert run.wait() in (0, -signal.SIGKILL)
        return not ended

    def wait(self) -> None:
        for run in self.alive:
            assert run.wait(120) == 0

    def done(self) -> Counter[str]:
        """How often each piece of work was done."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return Counter(line.split()[1] for line in lines)

    def end(self) -> None:
        for run in self.alive:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()


@pytest.fixture
def runs(large, map_file, out, tmp_path):
    runs = Runs(large, out, map_file, tmp_path / "log")
    yield runs
    runs.end()


def kill_at_random(runs: Runs, kills: int, seed: int) -> int:
    """Keep three runs going and kill one after the other; says how many were killed at work."""
    chance, killed = random.Random(seed), 0
    for _ in range(3):
        runs.start()
    for _ in range(kills):
        time.sleep(chance.uniform(0.3, 4))
        killed += runs.kill(chance.choice(runs.alive))
        runs.start()
    runs.wait()
    assert runs.start().wait(120) == 0  # what the last one killed has left is cleared up
    return killed


def check(out, expected) -> None:
    assert content(out) == expected
    data = Prepared(out)
    data.verify()
    ids = [name for split in data.splits for name in data.split(split, with_image=False).ids]
    assert len(ids) == len(set(ids)) == RECIPES
    assert not list(open_store(out).listing("work"))


@pytest.mark.parametrize("seed", range(3))
def test_many_kills_lose_and_double_nothing(runs, out, expected, seed):
    assert kill_at_random(runs, kills=10, seed=seed)
    check(out, expected)


def test_the_work_of_a_sleeper_is_done_by_others_and_it_wakes_without_harm(
    large, map_file, expected, tmp_path
):
    out = tmp_path / "out"
    runs = Runs(large, str(out), map_file, tmp_path / "log", lease=2)
    try:
        sleeper = runs.start()
        while len(runs.done()) < 3:  # in the middle of its parts
            time.sleep(0.01)
            assert sleeper.poll() is None
        os.killpg(sleeper.pid, signal.SIGSTOP)
        assert not (out / "manifest.json").exists()
        other = runs.start()
        assert other.wait(120) == 0
        check(out, expected)
        os.killpg(sleeper.pid, signal.SIGCONT)
        assert sleeper.wait(120) == 0
        check(out, expected)
    finally:
        runs.end()
