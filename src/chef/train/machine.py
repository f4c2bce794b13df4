"""What makes training fast on the machine that it runs on: half precision where there is arithmetic for it,
memory that is kept.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable, Mapping
from typing import Any

import torch

# Options of glibc's mallopt (malloc.h).
_MMAP_MAX, _TRIM_THRESHOLD = -4, -1
_HALF = ("avx512_bf16", "amx_bf16")  # names of a CPU's arithmetic in bf16


def autocast_to_half(device: torch.device, precision: str, say: Callable[[str], None]) -> bool:
    """Whether a run in this precision computes in bf16. A CPU without such arithmetic takes twenty times as
    long to imitate it."""
    if precision != "bf16" or device.type != "cpu" or cpu_has_half():
        return precision == "bf16"
    say("this CPU does not compute in bf16: training in float32")
    return False


def cpu_has_half() -> bool:
    """Whether this CPU computes in bf16."""
    capabilities: Mapping[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()  # not in older torch
    return any(capabilities.get(name) for name in _HALF)


def keep_freed_memory() -> None:
    """Keep what this process frees for its next step.

    glibc returns large blocks to the system at once, and the system fills every page with zeros when it hands
    it out again, which takes more than a third of a step's time on a CPU. Nothing changes with another libc.
    """
    if libc := _glibc():
        libc.mallopt(_MMAP_MAX, 0)
        libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)


def return_freed_memory() -> None:
    """Return it before worker processes begin: what they share with this one is copied once it is written to,
    so that all that was kept would be there twice."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
