"""Errors that a user sees: one line that names the problem and what to do about it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from threading import local


class ChefError(Exception):
    """Something the user can fix. The command line prints it as one line and exits with code 2.

    >>> str(ChefError("no such folder: recipes/", "give a folder or file that exists"))
    'no such folder: recipes/ (give a folder or file that exists)'
    """

    def __init__(self, problem: str, way_out: str = "") -> None:
        self.problem = problem
        self.way_out = way_out
        super().__init__(f"{problem} ({way_out})" if way_out else problem)

    def __reduce__(self) -> tuple[type[ChefError], tuple[str, str]]:
        # Worker processes send their errors to the parent: both fields must survive the pickling.
        return type(self), (self.problem, self.way_out)


class TimeUp(Exception):
    """The work of this thread took longer than it may; nobody waits for its result any more."""


class _Deadline(local):
    at = math.inf


_deadline = _Deadline()


def set_deadline(at: float) -> None:
    """Until when (`time.monotonic()`) the work of this thread may go on; `math.inf`: as long as it takes."""
    _deadline.at = at


def check_deadline() -> None:
    """Raise TimeUp past the deadline; for loops over what a client has sent."""
    if time.monotonic() > _deadline.at:
        raise TimeUp


def did_you_mean(
    name: str, known: Iterable[str], otherwise: str = "", *, most: int = 1, show: Callable[[str], str] = repr
) -> str:
    """The way out for an unknown name: the closest known ones, else `otherwise` or the whole list.

    >>> did_you_mean("bacth", ["batch", "epochs"])
    "did you mean 'batch'?"
    """
    from difflib import get_close_matches

    known = list(known)
    close = get_close_matches(name, known, most)
    if close:
        return f"did you mean {' or '.join(map(show, close))}?"
    return otherwise or f"known: {', '.join(known)}"
