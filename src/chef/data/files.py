"""Shard files, read span by span: kept open on a disk, fetched from an object store."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import Any

from chef.errors import ChefError
from chef.storage import Folder, Store

_MOST_OPEN = 128  # well below the usual limit of open files
_NEAR = 64 << 10  # a read this close behind the last one of its file is one of many in order
_AHEAD = 4 << 20  # bytes fetched at once from afar for such reads


class ShardFiles:
    """Reads spans of bytes from many files of a store; each process opens its own.

    >>> ShardFiles(Folder(Path("prepared")), ["shards/train-00000.tar"]).read(0, offset=512, size=100)
    """

    def __init__(self, store: Store, names: list[str]) -> None:
        self._store = store
        self._names = names
        self._forget()

    def _forget(self) -> None:
        self._open: OrderedDict[int, int] = OrderedDict()  # file to descriptor, the last used at the end
        self._last = (-1, 0, b"")  # file, offset and bytes of what was fetched last
        self._lock = threading.Lock()
        self._process = os.getpid()

    def place(self, file: int) -> str:
        """How to name a file to a person, and to `chef.readers.images.image_bytes`."""
        return self._store.place(self._names[file])

    def read(self, file: int, offset: int, size: int) -> bytes:
        """The bytes of a span; an error if the file does not have them."""
        if self._process != os.getpid():
            self._forget()  # forked: the descriptors, and the lock, are the parent's
        try:
            if isinstance(self._store, Folder):
                with self._lock:
                    data = os.pread(self._descriptor(self._store, file), size, offset)
            else:
                data = self._fetch(file, offset, size)
        except FileNotFoundError as error:
            raise ChefError(f"missing file: {self.place(file)}", "prepare the data again") from error
        if len(data) != size:
            raise ChefError(f"damaged file: {self.place(file)}", "prepare the data again")
        return data

    def _fetch(self, file: int, offset: int, size: int) -> bytes:
        """From afar: a span alone, or with what follows it where the file is being read in order."""
        known, first, data = self._last
        if known == file and first <= offset and offset + size <= first + len(data):
            return data[offset - first : offset - first + size]
        in_order = known == file and first <= offset <= first + len(data) + _NEAR
        found = self._store.span(self._names[file], offset, max(size, _AHEAD) if in_order else size)
        self._last = (file, offset, found)
        return found[:size]

    def _descriptor(self, folder: Folder, file: int) -> int:
        if file in self._open:
            self._open.move_to_end(file)
            return self._open[file]
        if len(self._open) >= _MOST_OPEN:
            os.close(self._open.popitem(last=False)[1])
        self._open[file] = os.open(folder.path(self._names[file]), os.O_RDONLY)
        return self._open[file]

    def __getstate__(self) -> dict[str, Any]:
        return {"store": self._store, "names": self._names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._store, self._names = state["store"], state["names"]
        self._forget()

    def __del__(self) -> None:
        if self._process == os.getpid():
            for descriptor in self._open.values():
                os.close(descriptor)
