"""Parts: what a worker makes of one chunk of recipes, kept on disk until the shards are written.

A part is a tar file: `summary.json`, the training text in two forms, then the recipes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

from chef.data.images import BadImage, small_jpeg
from chef.data.preparing.source import Chunk
from chef.data.preparing.workplace import CANONICAL, part
from chef.data.shards import TarWriter, members
from chef.data.texts import TRAIN, PrepareSettings, TextMaker, Words, split_of
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.readers.base import image_bytes, is_web
from chef.recipe import Recipe
from chef.storage import Store, Unreachable
from chef.text.vocabulary import SPECIAL

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
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """All that one chunk becomes."""

    summary: Summary
    raw_text: str  # one sentence per line, its words separated by spaces
    canonical_text: str
    records: tuple[Record, ...]

    def save(self, store: Store, name: str) -> None:
        """Write the part atomically."""
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
    record: Record | None = None
    for name, data in members(store, part):
        key, _, kind = name.partition(".")
        if kind.endswith("jpg") and record is not None:
            record = replace(record, images=(*record.images, data))
        elif key.isdecimal():
            if record is not None and record.split == split:
                yield record
            record = Record(key, **json.loads(data))
    if record is not None and record.split == split:
        yield record


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def make_part(store: Store, chunk: Chunk, settings: PrepareSettings) -> None:
    """Prepare the chunk's recipes and write them as a part."""
    build_part(chunk, settings, _text_maker(store, settings)).save(store, part(chunk.name))


@lru_cache(maxsize=1)
def _text_maker(store: Store, settings: PrepareSettings) -> TextMaker:
    with store.local(CANONICAL) as path:
        return TextMaker(CanonicalMap.load(path), settings)


def build_part(chunk: Chunk, settings: PrepareSettings, make_text: TextMaker) -> Part:
    """The part that a chunk becomes."""
    summary, records = Summary(), []
    raw: list[Words] = []
    canonical: list[Words] = []
    for number, recipe in enumerate(chunk.recipes, start=chunk.first):
        text = make_text(recipe)
        split = TRAIN if chunk.texts else split_of(recipe, settings)
        images = _images(recipe, settings, summary.image_problems)
        tokens = {"title": text.title, "ingredients": text.ingredients, "sentences": text.sentences}
        # The shard names the images; where they were before is of no use there.
        data = {**text.recipe.to_json(), "images": [], "split": split, "tokens": tokens}
        records.append(Record(f"{number:08d}", split, data, images))
        summary.splits[split] += 1
        summary.with_image[split] += bool(images)
        summary.hashed[split] += recipe.split is None
        summary.texts[split] += chunk.texts
        summary.truncated.update(text.truncated)
        summary.tokens.update(item.token for item in text.recipe.ingredients if item.token)
        if split == TRAIN:
            raw += text.raw_text
            canonical += text.canonical_text
    summary.raw_words.update(word for words in raw for word in words)
    summary.words.update(word for words in canonical for word in words if word not in SPECIAL)
    return Part(summary, _lines(raw), _lines(canonical), tuple(records))


def _images(recipe: Recipe, settings: PrepareSettings, problems: Counter[str]) -> tuple[bytes, ...]:
    """The first images that can be read; each of the others is counted as a problem."""
    images: list[bytes] = []
    for reference in recipe.images:
        if len(images) == settings.images:
            break
        if is_web(reference):
            problems["web address, not fetched"] += 1
            continue
        try:
            images.append(small_jpeg(image_bytes(reference), settings.image_size, settings.quality))
        except BadImage as error:
            problems[error.reason] += 1
        except Unreachable:
            raise  # not the fault of the image: it would be lost because of a bad connection
        except ChefError:
            problems["unreadable image file"] += 1
    return tuple(images)


def _lines(texts: list[Words]) -> str:
    return "".join(" ".join(words) + "\n" for words in texts)
