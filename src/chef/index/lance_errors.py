"""Errors of LanceDB: told in our words, or waited out where another process writes to the same collection."""

import errno
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from chef.errors import ChefError

# Lance retries by itself, and gives up when many write at once for half a minute. It raises no error types of
# its own in Python.
_CONFLICT = re.compile(r"conflict|concurrent|preempted|please retry", re.IGNORECASE)
# Another process has compacted the files, and removed the old ones that we were reading.
_REMOVED = re.compile(r"(?=.*not found)(?=.*\.lance/)", re.IGNORECASE | re.DOTALL)
_DISK_FULL = re.compile(rf"os error ({errno.ENOSPC}|{errno.EDQUOT})\b")
_ATTEMPTS = 12
_REMOVED_ATTEMPTS = 4  # for a missing file: it may be missing for good
_FIRST_PAUSE, _MAX_PAUSE = 0.1, 20.0  # seconds between two attempts: twice as long each time

Result = TypeVar("Result")


@contextmanager
def translate_lance_errors(url: str) -> Iterator[None]:
    """Turn LanceDB's errors, of disk, network and permissions, into a ChefError of one line."""
    try:
        yield
    except ChefError:
        raise
    except Exception as error:
        is_panic = type(error).__name__ == "RustPanic"  # of damaged files
        if not (isinstance(error, OSError | RuntimeError | ValueError) or is_panic):
            raise
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the command line knows those
        if _DISK_FULL.search(str(error)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), url) from error
        reason = " ".join(str(error).split())[:200]
        raise ChefError(
            f"the collection at {url} cannot be used: {reason}",
            "check the address and your permissions; chef index verify finds damage",
        ) from error


def retry_on_conflict(attempt: Callable[[], Result]) -> Result:
    """Read or write the table, retrying where other writers come first, for about a minute.

    Each attempt must check out the latest version.
    """
    pause = _FIRST_PAUSE
    for number in range(1, _ATTEMPTS):
        try:
            return attempt()
        except (RuntimeError, OSError, ValueError) as error:
            if not (is_conflict(error) or (number < _REMOVED_ATTEMPTS and is_removed(error))):
                raise
        time.sleep(random.uniform(0.5, 1.0) * pause)  # not all at the same moment again
        pause = min(2 * pause, _MAX_PAUSE)
    return attempt()


def is_conflict(error: Exception) -> bool:
    """Whether another writer came first, so that another attempt may succeed."""
    return isinstance(error, RuntimeError | OSError | ValueError) and bool(_CONFLICT.search(str(error)))


def is_removed(error: Exception) -> bool:
    """Whether a file of the version that we had is no longer there."""
    return bool(_REMOVED.search(str(error)))
