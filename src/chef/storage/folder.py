"""A folder, on a disk of this machine or on one that several machines share."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from chef.errors import ChefError
from chef.files import PARTIAL, atomic_file, write_atomic
from chef.storage.store import Store

_NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP)


@dataclass(frozen=True)
class Folder(Store):
    """A folder as a store.

    >>> Folder(Path("prepared")).place("manifest.json")
    'prepared/manifest.json'
    """

    folder: Path

    def path(self, name: str) -> Path:
        """Where a file lies."""
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
            os.link(mine, path)  # one wins, on a network drive too, and its name is in it from the start
        except FileExistsError:
            return path.read_text()  # perhaps ours: a network drive may do a link and lose the answer
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
