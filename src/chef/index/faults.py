"""LanceDB's errors as ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chef.errors import ChefError


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
