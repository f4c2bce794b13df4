"""Whether a process that left a note is surely gone: known at once on its own machine, and only there."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any


def whoami() -> dict[str, Any]:
    """This process, as a note for others; empty where the system does not tell."""
    try:
        return {**_machine(), "process": os.getpid(), "born": _born(os.getpid())}
    except OSError:  # not Linux
        return {}


def is_gone(note: dict[str, Any]) -> bool:
    """Whether the process of this note has ended. No is also the answer where that cannot be known.

    >>> is_gone(whoami())
    False
    """
    try:
        if not note or any(note.get(name) != value for name, value in _machine().items()):
            return False
    except OSError:
        return False
    try:
        return bool(_born(int(note["process"])) != note["born"])  # another one may have got its number
    except OSError:
        return True


def _machine() -> dict[str, str]:
    """This boot of this machine, and the container: numbers of processes count inside it alone."""
    return {
        "host": socket.gethostname(),
        "boot": Path("/proc/sys/kernel/random/boot_id").read_text().strip(),
        "container": os.readlink("/proc/self/ns/pid"),
    }


def _born(process: int) -> str:
    """When a process started, in the kernel's ticks; OSError if it has ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    if fields[0] in "ZX":  # dead, and only its parent has not looked yet
        raise ProcessLookupError(process)
    return fields[19]
