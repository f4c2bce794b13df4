"""What a format's reader hands on: a recipe as its file has it, not cleaned yet."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.readers.clean import clean
from chef.readers.skipped import Skipped

# A file of one of these names is called after its folder: "pies/apple/index.md" is "pies/apple".
_NAMELESS = {"index", "_index", "recipe"}


@dataclass(frozen=True, slots=True)
class Scope:
    """The folder that no reader may leave, and where it counts what it skips."""

    root: Path
    skipped: Skipped

    def name(self, path: Path) -> str:
        """The file's name for the user's eyes: its way from the root, the same on every machine."""
        return clean(os.path.relpath(path, self.root).replace(os.sep, "/"))

    def id(self, path: Path) -> str:
        """The id of the one recipe in a file: its way from the root without the suffix."""
        parts = self.name(path.with_suffix("")).split("/")
        if parts[-1] in _NAMELESS:
            parts = parts[:-1] or [clean(self.root.name)]
        return "/".join(parts)


@dataclass(frozen=True, slots=True)
class Found:
    """One recipe as its file has it.

    `data` holds its fields under any of the names in `chef.readers.fields.NAMES`; `where` tells the user
    the place. Images named in `data` are looked for from `folder`, unless the format itself says where
    they are: then `images` holds the references. `id` and `split` count where `data` gives none.
    """

    data: Mapping[str, Any]
    where: str
    folder: Path | None = None
    images: tuple[str, ...] | None = None
    id: str | None = None
    split: str | None = None
    url: str | None = None
