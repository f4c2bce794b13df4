"""Loading many objects that stay, without looking for garbage among them all the while."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Inside, Python's collector rests: while torch or a model loads, it takes a tenth of the time.

    >>> with loading():
    ...     import torch
    """
    rests_already = not gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not rests_already:
            gc.enable()
