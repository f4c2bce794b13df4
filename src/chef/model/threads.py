"""How many threads torch computes with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread(wanted: bool = True) -> Iterator[None]:
    """Inside, torch computes on one thread, if that is wanted.

    For one photo, one recipe, or the weights of a file, the other threads bring nothing: they wait in a busy
    loop between two small operations, which doubles the CPU time.
    """
    usual = torch.get_num_threads()
    if wanted:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if wanted:
            torch.set_num_threads(usual)
