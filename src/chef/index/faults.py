"""LanceDB's errors as ours, and patience with those that pass."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from chef.errors import ChefError

Result = TypeVar("Result")

# Lance tries again by itself, and gives up when many write at once for half a minute. Its errors have no
# kinds of their own in Python.
_CONFLICT = re.compile(r"conflict|concurrent|preempted|please retry", re.IGNORECASE)
# Another process has joined files, and cleared away the old ones that we were reading.
_CLEARED = re.compile(r"(?=.*not found)(?=.*\.lance/)", re.IGNORECASE | re.DOTALL)
_TRIES = 12
_FEW = 4  # tries for a missing file: it may be missing for good
_FIRST, _LONGEST = 0.1, 20.0  # seconds between two tries: twice as long each time


def is_conflict(error: Exception) -> bool:
    """Whether another writer came first, which trying again may get over."""
    return isinstance(error, RuntimeError | OSError | ValueError) and bool(_CONFLICT.search(str(error)))


def is_cleared(error: Exception) -> bool:
    """Whether a file of the version that we had is no longer there."""
    return bool(_CLEARED.search(str(error)))


def patiently(do: Callable[[], Result]) -> Result:
    """Do something with the table, again and again where other writers come first, for about a minute.

    It must look for the latest version each time.
    """
    pause = _FIRST
    for turn in range(1, _TRIES):
        try:
            return do()
        except (RuntimeError, OSError, ValueError) as error:
            if not (is_conflict(error) or (turn < _FEW and is_cleared(error))):
                raise
        time.sleep(random.uniform(0.5, 1.0) * pause)  # not all at the same moment again
        pause = min(2 * pause, _LONGEST)
    return do()


@contextmanager
def told(url: str) -> Iterator[None]:
    """LanceDB's errors, of disk, network and rights, in one line."""
    try:
        yield
    except ChefError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the command line knows those
        reason = " ".join(str(error).split())[:200]
        raise ChefError(
            f"the collection at {url} cannot be used: {reason}", "check the place and its rights"
        ) from error
