"""Open shard files, kept at hand: each process opens its own."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from chef.errors import ChefError

_MOST_OPEN = 128  # well below the usual limit of open files


class ShardFiles:
    """Reads spans of bytes from many files with a bounded number of them open.

    >>> ShardFiles([Path("train-00000.tar")]).read(0, offset=512, size=100)
    """

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths
        self._forget()

    def _forget(self) -> None:
        self._open: OrderedDict[int, int] = OrderedDict()  # file to descriptor, the last used at the end
        self._lock = threading.Lock()
        self._process = os.getpid()

    def read(self, file: int, offset: int, size: int) -> bytes:
        """The bytes of a span; an error if the file does not have them."""
        if self._process != os.getpid():
            self._forget()  # forked: the descriptors, and the lock, are the parent's
        with self._lock:
            data = os.pread(self._descriptor(file), size, offset)
        if len(data) != size:
            raise ChefError(f"damaged file: {self.paths[file]}", "prepare the data again")
        return data

    def _descriptor(self, file: int) -> int:
        if file in self._open:
            self._open.move_to_end(file)
            return self._open[file]
        if len(self._open) >= _MOST_OPEN:
            os.close(self._open.popitem(last=False)[1])
        try:
            self._open[file] = os.open(self.paths[file], os.O_RDONLY)
        except FileNotFoundError as error:
            raise ChefError(f"missing file: {self.paths[file]}", "prepare the data again") from error
        return self._open[file]

    def __getstate__(self) -> dict[str, Any]:
        return {"paths": self.paths}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.paths = state["paths"]
        self._forget()

    def __del__(self) -> None:
        if self._process == os.getpid():
            for descriptor in self._open.values():
                os.close(descriptor)
