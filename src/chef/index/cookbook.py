"""The collection of the bundled cookbook, which for the bundled model is in the package, vectors and all."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.bundled import COLLECTION, best, cookbook, cookbook_digest
from chef.contents import VERSION
from chef.files import cache_folder, staging_folder
from chef.index.index import Index
from chef.index.snapshot import Frozen
from chef.index.store import Store
from chef.model.folder import find, read_config

READ_BY = f"contents {VERSION}, teacher 5"  # what a stored cookbook was read by
MADE_OF = "made_of"  # in the metadata of the one in the package


def open_cookbook(model: str | Path | None = None) -> Index:
    """The collection of the bundled cookbook: the one in the package, or made once and kept in the cache.

    It is shared: only read from it. model: a name or a folder, else the best bundled one.

    >>> open_cookbook().search(text="tomato soup")[0].title
    """
    chosen = best() if model is None else model
    sha = made_of(find(Path(chosen)))
    folder = cache_folder() / f"cookbook-{sha[:16]}"
    bundled = _Bundled(folder)
    if COLLECTION.is_file() and bundled.metadata.get(MADE_OF) == sha:
        return Index(bundled, model, create=False)
    if not folder.is_dir():
        with staging_folder(folder, existing="keep") as new:
            Index(new, chosen).add(cookbook())
    return Index(folder, model, create=False)


def made_of(model: Path) -> str:
    """sha256 of all that the collection depends on: the model in this folder, the recipes, their reading."""
    config = read_config(model).get("fingerprint") or (model / "config.json").read_text("utf-8")
    return hashlib.sha256(f"{config}{cookbook_digest()} {READ_BY}".encode()).hexdigest()


class _Bundled(Store):
    """The collection in the package; it becomes a table in the cache where more than a search asks for it."""

    @cached_property
    def _file(self) -> Frozen:
        return Frozen(COLLECTION)

    @property
    def exists(self) -> bool:
        return True

    def frozen(self) -> Frozen | None:
        return self._file

    @property
    def version(self) -> int:
        return self._file.version

    @property
    def table(self) -> Any:
        if not Path(self.url).is_dir():
            with staging_folder(Path(self.url), existing="keep") as new:
                Store(new).replace(*self._file.whole())
        return super().table
