"""Shards: plain tar files that the webdataset library reads, an index to reach into them, and reading.

The members of recipe KEY are `KEY.json` and `KEY.0.jpg`, `KEY.1.jpg` ... The index beside a shard
gives, recipe by recipe, where these are in the file. Shards on a disk are kept open; from an object store
single spans are fetched.
"""

from __future__ import annotations

import json
import os
import tarfile
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.storage import Store

_BLOCK = tarfile.BLOCKSIZE
_MOST_OPEN = 128  # well below the usual limit of open files
_NEAR = 64 << 10  # a read this close behind the last one of its file is sequential
_AHEAD = 4 << 20  # bytes fetched at once from an object store for sequential reads

Span = tuple[int, int]  # offset and size of a member's bytes in the tar file


class Tar:
    """A tar file in memory, whose bytes depend on the members alone: no times, no owners.

    >>> tar = Tar()
    >>> tar.add("0.json", b"{}")
    (512, 2)
    >>> store.write("a.tar", tar.to_bytes())
    """

    def __init__(self) -> None:
        self._data = bytearray()

    def add(self, name: str, data: bytes) -> Span:
        """Add one member; returns where its bytes are."""
        info = tarfile.TarInfo(name)  # mtime, uid and gid are 0 as they come
        info.size = len(data)
        self._data += info.tobuf(tarfile.USTAR_FORMAT)
        span = (len(self._data), len(data))
        self._data += data + bytes(-len(data) % _BLOCK)
        return span

    def to_bytes(self) -> bytes:
        """The file, with its end mark."""
        return bytes(self._data) + bytes(2 * _BLOCK)


def members(store: Store, name: str) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each member of a tar file, in order."""
    try:
        with tarfile.open(fileobj=BytesIO(store.read(name)), mode="r:") as tar:
            for info in tar:
                file = tar.extractfile(info)
                if file is not None:
                    yield info.name, file.read()
    except tarfile.TarError as error:
        problem = f"damaged file: {store.place(name)}"
        raise ChefError(problem, "remove it and prepare the data again") from error


def records(store: Store, name: str) -> Iterator[tuple[str, bytes, list[bytes]]]:
    """The recipes of a tar file in order: key, JSON and photos."""
    for key, group in groupby(members(store, name), lambda member: member[0].partition(".")[0]):
        text, *photos = (data for _, data in group)
        yield key, text, photos


@dataclass(slots=True)
class ShardIndex:
    """Where the recipes of one shard are: one entry each, in the shard's order."""

    ids: list[str] = field(default_factory=list)
    texts: list[Span] = field(default_factory=list)
    images: list[list[Span]] = field(default_factory=list)

    def to_json(self) -> bytes:
        """The bytes of the index file."""
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def load(cls, store: Store, name: str) -> ShardIndex:
        """Read an index file."""
        try:
            data: dict[str, Any] = json.loads(store.read(name))
            index = cls(data["ids"], data["texts"], data["images"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            problem = f"damaged or missing file: {store.place(name)}"
            raise ChefError(problem, "prepare the data again") from error
        if not len(index.ids) == len(index.texts) == len(index.images):
            raise ChefError(f"damaged file: {store.place(name)}", "prepare the data again")
        return index


class ShardFiles:
    """Reads spans of bytes from many files of a store; each process opens its own.

    >>> ShardFiles(open_store("prepared"), ["shards/train-00000.tar"]).read(0, offset=512, size=100)
    """

    def __init__(self, store: Store, names: list[str]) -> None:
        self._store, self._names = store, names
        self._forget()

    def _forget(self) -> None:
        self._open: OrderedDict[int, int] = OrderedDict()  # file to descriptor, the last used at the end
        self._last = (-1, 0, b"")  # file, offset and bytes of what was fetched last
        self._lock = threading.Lock()
        self._process = os.getpid()

    def place(self, file: int) -> str:
        """How to name a file to a person, and to `chef.readers.base.image_bytes`."""
        return self._store.place(self._names[file])

    def read(self, file: int, offset: int, size: int) -> bytes:
        """The bytes of a span; an error if the file does not have them."""
        if self._process != os.getpid():
            self._forget()  # forked: the descriptors, and the lock, are the parent's
        try:
            if (folder := self._store.folder) is None:
                data = self._fetch(file, offset, size)
            else:  # not through the store, which does not work in a forked process
                with self._lock:
                    data = os.pread(self._descriptor(folder, file), size, offset)
        except FileNotFoundError as error:
            raise ChefError(f"missing file: {self.place(file)}", "prepare the data again") from error
        if len(data) != size:
            raise ChefError(f"damaged file: {self.place(file)}", "prepare the data again")
        return data

    def _fetch(self, file: int, offset: int, size: int) -> bytes:
        """From an object store: the span alone, or with what follows it if the file is read sequentially."""
        known, first, data = self._last
        if known == file and first <= offset and offset + size <= first + len(data):
            return data[offset - first : offset - first + size]
        in_order = known == file and first <= offset <= first + len(data) + _NEAR
        data = self._store.span(self._names[file], offset, max(size, _AHEAD) if in_order else size)
        self._last = (file, offset, data)
        return data[:size]

    def _descriptor(self, folder: Path, file: int) -> int:
        if file in self._open:
            self._open.move_to_end(file)
            return self._open[file]
        if len(self._open) >= _MOST_OPEN:
            os.close(self._open.popitem(last=False)[1])
        self._open[file] = os.open(folder / self._names[file], os.O_RDONLY)
        return self._open[file]

    def __reduce__(self) -> tuple[type[ShardFiles], tuple[Store, list[str]]]:
        return ShardFiles, (self._store, self._names)

    def __del__(self) -> None:
        if self._process == os.getpid():
            for descriptor in self._open.values():
                os.close(descriptor)
