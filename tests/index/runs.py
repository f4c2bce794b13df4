"""Runs of one command at once, in processes that a test may kill."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Runs:
    """Processes that add the same prepared data to one collection."""

    def __init__(self, collection: str, prepared: str, model: Path, log: Path, lease: float = 60) -> None:
        self._command = [sys.executable, "-m", "tests.index.one_add"]
        self._command += [collection, prepared, str(model), str(lease), str(log)]
        self.log = log
        self._alive: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        run = subprocess.Popen(self._command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"})
        self._alive.append(run)
        return run

    def at_work(self, run: subprocess.Popen[bytes], lines: int) -> None:
        """Wait until a run has said so much, or has ended well."""
        while sum(line.startswith(f"{run.pid} ") for line in self._lines()) < lines:
            if run.poll() is not None:
                assert run.returncode == 0
                return
            time.sleep(0.01)

    def kill(self, run: subprocess.Popen[bytes]) -> bool:
        """Kill -9; False if it had ended before."""
        self._alive.remove(run)
        at_work = run.poll() is None
        run.kill()
        assert run.wait() in (0, -signal.SIGKILL)
        return at_work

    def wait(self) -> None:
        for run in self._alive:
            assert run.wait(120) == 0

    def shards(self) -> Counter[str]:
        """How often each shard was finished."""
        return Counter(line.split()[1] for line in self._lines() if " batch " not in line)

    def stored(self) -> tuple[int, int]:
        """How many recipes were embedded and stored, and how many were there already."""
        batches = [line.split()[2:] for line in self._lines() if " batch " in line]
        return sum(int(added) for added, _ in batches), sum(int(same) for _, same in batches)

    def _lines(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def end(self) -> None:
        for run in self._alive:
            run.kill()
            run.wait()
