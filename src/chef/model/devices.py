"""What the machine at hand can run."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec


@cache
def has_triton() -> bool:
    """Whether kernels can be compiled: Triton comes with torch for GPUs, on Linux."""
    return find_spec("triton") is not None
