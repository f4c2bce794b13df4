"""Where data lie: in a folder, or at an `s3://` address. The same few moves work on both.

>>> open_store("prepared/").size("manifest.json")      # doctest: +SKIP
5120
"""

from __future__ import annotations

import os
from pathlib import Path

from chef.storage.faults import Unreachable
from chef.storage.folder import Folder
from chef.storage.s3 import S3
from chef.storage.store import Store, last_of

__all__ = ["S3", "Folder", "Store", "Unreachable", "is_s3", "last_of", "open_store"]

_SCHEME = "s3://"


def is_s3(where: str | Path) -> bool:
    """Whether this names a place in an object store."""
    return isinstance(where, str) and where.lower().startswith(_SCHEME)


def open_store(where: str | Path) -> Store:
    """The store at a folder or an address; nothing is looked at yet."""
    if is_s3(where):
        bucket, _, prefix = str(where)[len(_SCHEME) :].partition("/")
        return S3(bucket, prefix.strip("/"))
    return Folder(Path(os.fspath(where)))
