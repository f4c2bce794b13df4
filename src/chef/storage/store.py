"""What a store can do. Names are paths with "/" below the store's own place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from chef.files import temporary_folder


class Store(ABC):
    """Files by name, each whole or not there. Safe to hand to other processes."""

    @abstractmethod
    def place(self, name: str = "") -> str:
        """How to name a file of this store, or the store, to a person."""

    @abstractmethod
    def size(self, name: str) -> int | None:
        """The size of a file in bytes; None if there is no such file."""

    @abstractmethod
    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """The sizes of many files; those that are not there are left out."""

    @abstractmethod
    def listing(self, under: str = "") -> Iterator[str]:
        """The names of all files below a name, at any depth."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """All bytes of a small file; FileNotFoundError if it is not there."""

    @abstractmethod
    def span(self, name: str, offset: int, size: int) -> bytes:
        """`size` bytes from `offset` on, fewer where the file ends; FileNotFoundError if it is not there."""

    @abstractmethod
    def open(self, name: str, ahead: int = 1 << 20) -> BinaryIO:
        """A file to read from. `ahead`: how many bytes are worth fetching at once from far away."""

    @abstractmethod
    def local(self, name: str) -> AbstractContextManager[Path]:
        """A file on this machine with the bytes of a file, for readers that must have a path."""

    @abstractmethod
    def writing(self, name: str) -> AbstractContextManager[BinaryIO]:
        """A file to write to and to read back; it becomes `name`, whole, when the block ends well."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a small file in one move."""

    def keep(self, name: str, save: Callable[[Path], None]) -> None:
        """Write a small file by something that knows only how to save itself to a path."""
        with temporary_folder() as folder:
            path = Path(folder) / last_of(name)
            save(path)
            self.write(name, path.read_bytes())

    @abstractmethod
    def take(self, name: str, owner: str) -> str:
        """Make the file `name` with the owner's name in it, unless it is there already.

        Says whose it is. Of any number of callers at once, on any number of machines, one gets it.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    @abstractmethod
    def clear(self, under: str) -> None:
        """Remove all files below a name."""


def last_of(name: str) -> str:
    """The last step of a name.

    >>> last_of("work/parts/a.tar")
    'a.tar'
    """
    return name.rpartition("/")[2]
