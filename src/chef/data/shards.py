"""Shards: plain tar files that the webdataset library reads, and an index to reach into them.

The members of recipe KEY are `KEY.json` and `KEY.0.jpg`, `KEY.1.jpg` ... The index beside a shard
gives, recipe by recipe, where these lie in the file.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from chef.errors import ChefError
from chef.storage import Store

_BLOCK = tarfile.BLOCKSIZE

Span = tuple[int, int]  # offset and size of a member's bytes in the tar file


class TarWriter:
    """Writes a tar file whose bytes depend on the members alone: no times, no owners.

    >>> with store.writing("a.tar") as file:
    ...     tar = TarWriter(file)
    ...     tar.add("0.json", b"{}")
    ...     tar.close()
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = 0

    def add(self, name: str, data: bytes) -> Span:
        """Write one member; says where its bytes lie."""
        info = tarfile.TarInfo(name)  # mtime, uid and gid are 0 as they come
        info.size = len(data)
        self._write(info.tobuf(tarfile.USTAR_FORMAT))
        span = (self.size, len(data))
        self._write(data + bytes(-len(data) % _BLOCK))
        return span

    def close(self) -> None:
        """Write the end mark."""
        self._write(bytes(2 * _BLOCK))

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self.size += len(data)


def members(store: Store, name: str, ahead: int = 4 << 20) -> Generator[tuple[str, bytes]]:
    """Name and bytes of each member of a tar file, in order; `ahead` bytes are fetched at once from afar."""
    try:
        with store.open(name, ahead) as whole, tarfile.open(fileobj=whole, mode="r:") as tar:
            for info in tar:
                file = tar.extractfile(info)
                if file is not None:
                    yield info.name, file.read()
    except tarfile.TarError as error:
        raise ChefError(
            f"damaged file: {store.place(name)}", "remove it and prepare the data again"
        ) from error


@dataclass(slots=True)
class ShardIndex:
    """Where the recipes of one shard lie: one entry each, in the shard's order."""

    ids: list[str] = field(default_factory=list)
    texts: list[Span] = field(default_factory=list)
    images: list[list[Span]] = field(default_factory=list)

    def to_json(self) -> bytes:
        """The bytes of the index file."""
        return json.dumps(
            {"ids": self.ids, "texts": self.texts, "images": self.images}, separators=(",", ":")
        ).encode()

    @classmethod
    def load(cls, store: Store, name: str) -> ShardIndex:
        """Read an index file."""
        try:
            data: dict[str, Any] = json.loads(store.read(name))
            index = cls(data["ids"], data["texts"], data["images"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            place = store.place(name)
            raise ChefError(f"damaged or missing file: {place}", "prepare the data again") from error
        if not len(index.ids) == len(index.texts) == len(index.images):
            raise ChefError(f"damaged file: {store.place(name)}", "prepare the data again")
        return index
