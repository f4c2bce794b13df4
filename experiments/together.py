"""Runs commands several at a time, each in a process of its own with a log."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def run_together(
    calls: Mapping[str, Sequence[str]],
    logs: Path,
    together: int,
    minutes: float,
    say: Callable[[str], str] = lambda name: "done",
) -> int:
    """Run every command -> 0 if all have ended well, else 1.

    calls: by name; minutes: none is started later; say: what to print of one that has ended well.
    """
    waiting, busy = list(calls.items()), dict[str, subprocess.Popen[bytes]]()
    failed, deadline = 0, time.monotonic() + 60 * minutes
    logs.mkdir(parents=True, exist_ok=True)
    while waiting or busy:
        while waiting and len(busy) < together and time.monotonic() < deadline:
            name, call = waiting.pop(0)
            with (logs / f"{name}.log").open("wb") as log:
                busy[name] = subprocess.Popen(call, stdout=log, stderr=subprocess.STDOUT)
        if not busy:
            break
        time.sleep(0.2)
        for name in [name for name, process in busy.items() if process.poll() is not None]:
            is_bad = busy.pop(name).returncode != 0
            failed += is_bad
            print(f"{name}: {'FAILED' if is_bad else say(name)}", flush=True)
    return int(failed > 0 or bool(waiting))
