"""Parts: what a worker makes of one chunk, kept on disk until the shards are written.

A part is a tar file: `summary.json`, the training text in two forms, then the recipes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, fields
from typing import Any

from chef.data.shards import TarWriter, members
from chef.storage import Store

SUMMARY, RAW_TEXT, CANONICAL_TEXT = "summary.json", "raw.txt", "canonical.txt"
_TEXTS = 256 << 10  # about what these three take


@dataclass(slots=True)
class Summary:
    """Counts that add up over parts."""

    splits: Counter[str] = field(default_factory=Counter)
    with_image: Counter[str] = field(default_factory=Counter)  # by split
    hashed: Counter[str] = field(default_factory=Counter)  # by split: the source gave none
    texts: Counter[str] = field(default_factory=Counter)  # by split: from further sources of text
    image_problems: Counter[str] = field(default_factory=Counter)
    truncated: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)  # canonical ingredients, all splits
    raw_words: Counter[str] = field(default_factory=Counter)  # training text alone, as are the next
    words: Counter[str] = field(default_factory=Counter)

    def add(self, other: Summary) -> None:
        """Take in the counts of another part."""
        for item in fields(self):
            getattr(self, item.name).update(getattr(other, item.name))

    def to_json(self) -> dict[str, dict[str, int]]:
        """A plain dictionary of dictionaries."""
        return {item.name: dict(sorted(getattr(self, item.name).items())) for item in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, dict[str, int]]) -> Summary:
        """The summary that `to_json` wrote."""
        return cls(**{name: Counter(counts) for name, counts in data.items()})


@dataclass(frozen=True, slots=True)
class Record:
    """One recipe of a part: its data, with words not yet numbers, and its images."""

    key: str
    split: str
    data: dict[str, Any]
    images: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """All that one chunk becomes."""

    summary: Summary
    raw_text: str  # one sentence a line, its words parted by spaces
    canonical_text: str
    records: tuple[Record, ...]

    def save(self, store: Store, name: str) -> None:
        """Write the part in one move."""
        with store.writing(name) as file:
            tar = TarWriter(file)
            tar.add(SUMMARY, _json(self.summary.to_json()))
            tar.add(RAW_TEXT, self.raw_text.encode())
            tar.add(CANONICAL_TEXT, self.canonical_text.encode())
            for record in self.records:
                tar.add(f"{record.key}.json", _json({"split": record.split, "data": record.data}))
                for place, image in enumerate(record.images):
                    tar.add(f"{record.key}.{place}.jpg", image)
            tar.close()


def load_texts(store: Store, name: str) -> tuple[Summary, bytes, bytes]:
    """The summary, the raw and the canonical training text of a part, without its recipes."""
    with closing(members(store, name, _TEXTS)) as stream:
        summary, raw, canonical = (next(stream)[1] for _ in range(3))
    return Summary.from_json(json.loads(summary)), raw, canonical


def load_records(store: Store, part: str, split: str) -> Iterator[Record]:
    """The recipes of one split in a part."""
    found: tuple[str, dict[str, Any]] | None = None
    images: list[bytes] = []
    for name, data in members(store, part):
        key, _, kind = name.partition(".")
        if kind.endswith("jpg"):
            images.append(data)
        elif key.isdecimal():
            if found is not None and found[1]["split"] == split:
                yield Record(found[0], split, found[1]["data"], tuple(images))
            found, images = (key, json.loads(data)), []
    if found is not None and found[1]["split"] == split:
        yield Record(found[0], split, found[1]["data"], tuple(images))


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()
