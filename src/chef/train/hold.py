"""The folder of a run: it belongs to one run, and one start of it at a time."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from chef.errors import ChefError
from chef.files import try_lock
from chef.train.distributed import Processes

SETTINGS = "settings.json"
_LOCK = ".lock"
# Long enough for a start that was killed: its loading processes notice within seconds, a file server that
# lost a machine after 90.
_PATIENCE = 100


@contextmanager
def held(out: Path, processes: Processes) -> Iterator[None]:
    """Nobody else trains in this folder inside the block. All processes of a run call it.

    Two that write the same files would not stay whole for long, and the second is easily started: when
    somebody gives the same command again, or a machine comes back.
    """
    if not processes.first:
        yield
        return
    _refuse_foreign(out)
    out.mkdir(parents=True, exist_ok=True)
    with (out / _LOCK).open("wb") as lock:
        _take(lock, out)
        yield


def _refuse_foreign(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise ChefError(f"{out} is a file", "choose another --out")
    if (out / SETTINGS).exists() or not out.exists():
        return
    # A run may be killed before its settings are there: all that it leaves is the lock and half of them.
    if any(path.name != _LOCK and not path.name.startswith(SETTINGS) for path in out.iterdir()):
        raise ChefError(f"{out} is not empty and holds no run", "choose another --out")


def _take(lock: IO[bytes], out: Path) -> None:
    for second in range(_PATIENCE):
        try:
            if try_lock(lock):
                return
        except OSError as error:
            _say(f"{out} cannot be locked ({error.strerror}): take care that no other run uses it")
            return
        if not second:
            _say(f"another process trains in {out}: waiting for its end")
        time.sleep(1)
    raise ChefError(f"another process trains in {out}", "wait for its end, or choose another --out")


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
