"""Importing a package without the large ones that it would like to have but can do without."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from threading import get_ident
from typing import Any


class _Hiding(MetaPathFinder):
    """Finds none of the packages, for this thread; the others notice nothing."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages, self.thread = packages, get_ident()

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if get_ident() == self.thread and name.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"{name} is not needed here", name=name)


@contextmanager
def hidden(*packages: str) -> Iterator[None]:
    """Inside, these packages cannot be imported, as if they were not installed, unless they are loaded.

    >>> with hidden("scipy"):
    ...     import nltk
    """
    finder = _Hiding(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
