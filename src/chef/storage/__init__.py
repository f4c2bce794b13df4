"""Where data is stored: in a folder, or at an `s3://` address, with the same few operations on both.

>>> open_store("prepared/").size("manifest.json")      # doctest: +SKIP
5120
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from chef.errors import ChefError
from chef.files import PARTIAL, atomic_file, temporary_folder, write_atomic

_SCHEME = "s3://"
_NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP)


class Unreachable(ChefError):
    """The store does not answer, or not as it should: nothing is known about what it contains."""


class Store(ABC):
    """Files by name, each complete or absent; names are paths with "/". Stores can be pickled."""

    @abstractmethod
    def place(self, name: str = "") -> str:
        """The path or address of a file, or of the whole store, for messages."""

    @abstractmethod
    def size(self, name: str) -> int | None:
        """The size of a file in bytes; None if there is no such file."""

    @abstractmethod
    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """The sizes of many files; missing ones are left out."""

    @abstractmethod
    def listing(self, under: str = "") -> Iterator[str]:
        """The names of all files below a name, at any depth."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """All bytes of a small file; FileNotFoundError if it does not exist."""

    @abstractmethod
    def span(self, name: str, offset: int, size: int) -> bytes:
        """`size` bytes from `offset`, fewer where the file ends; FileNotFoundError if it does not exist."""

    @abstractmethod
    def open(self, name: str, ahead: int = 1 << 20) -> BinaryIO:
        """A file to read from; an object store fetches `ahead` bytes per request."""

    @abstractmethod
    def local(self, name: str) -> AbstractContextManager[Path]:
        """A local path with the contents of a file, for readers that need a path."""

    @abstractmethod
    def writing(self, name: str) -> AbstractContextManager[BinaryIO]:
        """A file to write and read back; it becomes `name` when the block ends without an error."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a small file atomically."""

    def keep(self, name: str, save: Callable[[Path], None]) -> None:
        """Write a small file with a function that saves to a path."""
        with temporary_folder() as folder:
            path = Path(folder) / last_of(name)
            save(path)
            self.write(name, path.read_bytes())

    @abstractmethod
    def take(self, name: str, owner: str) -> str:
        """Create the file `name` with the owner's name in it unless it exists; returns the owner it names.

        Of any number of simultaneous callers, on any number of machines, exactly one becomes the owner.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file if it exists."""

    @abstractmethod
    def clear(self, under: str) -> None:
        """Remove all files below a name."""


@dataclass(frozen=True)
class Folder(Store):
    """A folder, on a local disk or on one that several machines share.

    >>> Folder(Path("prepared")).place("manifest.json")
    'prepared/manifest.json'
    """

    folder: Path

    def path(self, name: str) -> Path:
        """The path of a file."""
        return self.folder / name

    def place(self, name: str = "") -> str:
        return str(self.path(name))

    def size(self, name: str) -> int | None:
        path = self.path(name)
        return path.stat().st_size if path.is_file() else None

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        return {name: size for name in names if (size := self.size(name)) is not None}

    def listing(self, under: str = "") -> Iterator[str]:
        for path in self.path(under).rglob("*"):
            if PARTIAL not in path.name and path.is_file():
                yield path.relative_to(self.folder).as_posix()

    def read(self, name: str) -> bytes:
        return self.path(name).read_bytes()

    def span(self, name: str, offset: int, size: int) -> bytes:
        with self.path(name).open("rb") as file:
            return os.pread(file.fileno(), size, offset)

    def open(self, name: str, ahead: int = 1 << 20) -> BinaryIO:
        return self.path(name).open("rb")

    def local(self, name: str) -> AbstractContextManager[Path]:
        return nullcontext(self.path(name))

    def writing(self, name: str) -> AbstractContextManager[BinaryIO]:
        return atomic_file(self.path(name))

    def write(self, name: str, data: bytes) -> None:
        write_atomic(self.path(name), data)

    def take(self, name: str, owner: str) -> str:
        path = self.path(name)
        mine = path.with_name(f"{path.name}{PARTIAL}{secrets.token_hex(8)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            mine.write_text(owner)
            os.link(mine, path)  # atomic, on a network drive too
        except FileExistsError:
            return path.read_text()  # perhaps ours: a network drive may link and lose the reply
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            raise ChefError(
                f"the disk of {self.folder} has no hard links, which runs that share work need",
                "prepare on another disk, or with one run and without --join",
            ) from error
        finally:
            mine.unlink(missing_ok=True)
        return owner

    def remove(self, name: str) -> None:
        self.path(name).unlink(missing_ok=True)

    def clear(self, under: str) -> None:
        shutil.rmtree(self.path(under), ignore_errors=True)


def is_s3(where: str | Path) -> bool:
    """Whether this is an address in an object store."""
    return isinstance(where, str) and where.lower().startswith(_SCHEME)


def open_store(where: str | Path) -> Store:
    """The store at a folder or an address; nothing is read yet."""
    if is_s3(where):
        from chef.storage.s3 import S3

        bucket, _, prefix = str(where)[len(_SCHEME) :].partition("/")
        return S3(bucket, prefix.strip("/"))
    return Folder(Path(os.fspath(where)))


def last_of(name: str) -> str:
    """The last part of a name.

    >>> last_of("work/parts/a.tar")
    'a.tar'
    """
    return name.rpartition("/")[2]
