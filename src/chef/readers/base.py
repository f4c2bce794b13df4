"""What all readers share: limits, opening files, the raw recipes they yield, counts of what they skip."""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from chef.errors import ChefError
from chef.readers.lines import clean, decode

# How much of one thing a reader takes: bad input must not fill the memory.
MB = 1 << 20
LINE = 16 * MB  # one line of JSON lines, one element of a JSON array
DOCUMENT = 64 * MB  # a file that is parsed as a whole, an archive member once unpacked
IMAGE = 50 * MB
PAGE = 10 * MB  # a web page
MARKDOWN = MB

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".svg")
_EXAMPLES = 5  # kept per reason: enough to find the fault, little enough for millions of lines
# A file with one of these names is called after its folder: "pies/apple/index.md" is "pies/apple".
_NAMELESS = {"index", "_index", "recipe"}


class Tally:
    """Reasons, how often each came up, and the first few places where it did."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.examples: dict[str, list[str]] = {}

    def add(self, reason: str, where: str, detail: str = "") -> None:
        """Count one more `reason` (a short stable phrase) at `where`, a file or a line of it."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        kept = self.examples.setdefault(reason, [])
        if len(kept) < _EXAMPLES:
            kept.append(f"{where}: {detail}" if detail else where)

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Skipped(Tally):
    """The recipes and files that were not read; `notes` counts faults of recipes that were.

    >>> skipped = Skipped()
    >>> skipped.add("no title", "recipes.jsonl line 3")
    >>> skipped.notes.add("missing image", "recipes.jsonl line 4", "pie.jpg")
    >>> skipped.counts, skipped.notes.counts
    ({'no title': 1}, {'missing image': 1})
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes = Tally()

    def nothing_from(self, source: object) -> ChefError:
        """The error for a caller that needs recipes and got none from `source`."""
        problem = f"no recipe could be read from {source}"
        if self.counts:
            reasons = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
            listed = ", ".join(f"{reason} ({count})" for reason, count in reasons[:3])
            problem += f": {listed}; first: {self.examples[reasons[0][0]][0]}"
        return ChefError(problem, "docs/formats.md lists what can be read")


@dataclass(frozen=True, slots=True)
class Scope:
    """The folder that no reader may leave, and where it counts what it skips."""

    root: Path
    skipped: Skipped

    def name(self, path: Path) -> str:
        """The file's path relative to the root, to show to the user: the same on every machine."""
        return clean(os.path.relpath(path, self.root).replace(os.sep, "/"))

    def id(self, path: Path) -> str:
        """The id of the only recipe in a file: its path relative to the root, without the suffix."""
        parts = self.name(path.with_suffix("")).split("/")
        if parts[-1] in _NAMELESS:
            parts = parts[:-1] or [clean(self.root.name)]
        return "/".join(parts)


@dataclass(frozen=True, slots=True)
class RawRecipe:
    """One recipe as its file has it, not cleaned yet.

    `data` holds its fields under any of the names in `chef.readers.fields.NAMES`; `where` tells the user
    the place. Images named in `data` are looked up relative to `folder`, unless the format itself says
    where they are: then `images` holds the references. `id` and `split` count where `data` gives none.
    """

    data: Mapping[str, Any]
    where: str
    folder: Path | None = None
    images: tuple[str, ...] | None = None
    id: str | None = None
    split: str | None = None
    url: str | None = None


def is_web(reference: str) -> bool:
    """Whether a source or an image is a web address."""
    return reference.lower().startswith(("http://", "https://"))


def is_image(name: str) -> bool:
    """Whether a file is an image, by its name."""
    return name.lower().endswith(IMAGE_SUFFIXES)


def open_file(path: Path) -> BinaryIO:
    """The bytes of a file, unpacked if its name ends in `.gz`."""
    return cast(BinaryIO, gzip.open(path, "rb") if path.suffix.lower() == ".gz" else open(path, "rb"))


def at_most(stream: BinaryIO | Any, limit: int) -> bytes | None:
    """The rest of a stream, None if that is more than `limit` bytes, whatever size a header claims."""
    data: bytes = stream.read(limit + 1)
    return data if len(data) <= limit else None


def document(path: Path, scope: Scope, limit: int) -> str | None:
    """The text of a file that is parsed as a whole; None, and counted, if it is too large for that."""
    with open_file(path) as stream:
        data = at_most(stream, limit)
    if data is None:
        scope.skipped.add("too large", scope.name(path), f"over {limit >> 20} MB")
        return None
    return decode(data)
