"""Parts: what a worker makes of one chunk of recipes, kept until the shards are written.

A part is two files: NAME.tar has the recipes and their photos; NAME.json, which is written last, the counts
and the training text in two forms.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

from chef.data.images import BadImage, small_jpeg
from chef.data.prepared import WORK
from chef.data.preparing.source import Chunk
from chef.data.shards import Tar, records
from chef.data.texts import TRAIN, PrepareSettings, TextMaker, Words, split_of
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.readers.base import image_bytes, is_web
from chef.recipe import Recipe
from chef.storage import Store, Unreachable
from chef.text.vocabulary import SPECIAL

PARTS = f"{WORK}/parts"
CANONICAL = "canonical.tsv"


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
    records: tuple[Record, ...] = ()

    def save(self, store: Store, name: str) -> None:
        """Write the part."""
        tar = Tar()
        for record in self.records:
            tar.add(f"{record.key}.json", to_json({"split": record.split, "data": record.data}))
            for place, image in enumerate(record.images):
                tar.add(f"{record.key}.{place}.jpg", image)
        store.write(f"{PARTS}/{name}.tar", tar.to_bytes())
        texts = {"raw_text": self.raw_text, "canonical_text": self.canonical_text}
        store.write(f"{PARTS}/{name}.json", to_json({"summary": self.summary.to_json(), **texts}))

    @classmethod
    def load(cls, store: Store, name: str) -> Part:
        """The part without its recipes."""
        data = json.loads(store.read(f"{PARTS}/{name}.json"))
        counts = {name: Counter(counts) for name, counts in data.pop("summary").items()}
        return cls(Summary(**counts), **data)


def load_records(store: Store, name: str) -> Iterator[Record]:
    """The recipes of a part."""
    for key, text, images in records(store, f"{PARTS}/{name}.tar"):
        yield Record(key, **json.loads(text), images=tuple(images))


def to_json(data: Any) -> bytes:
    """Data as compact JSON."""
    return json.dumps(data, separators=(",", ":")).encode()


def make_part(store: Store, chunk: Chunk, settings: PrepareSettings, canonical: str) -> int:
    """Prepare the chunk's recipes and write them as a part; returns how many there are."""
    build_part(chunk, settings, _text_maker(store, settings, canonical)).save(store, chunk.name)
    return len(chunk.recipes)


@lru_cache(maxsize=1)
def _text_maker(store: Store, settings: PrepareSettings, digest: str) -> TextMaker:
    """digest: of the canonical map; this process may have prepared other data at the same place."""
    with store.local(CANONICAL) as path:
        return TextMaker(CanonicalMap.load(path), settings)


def build_part(chunk: Chunk, settings: PrepareSettings, make_text: TextMaker) -> Part:
    """The part that a chunk becomes."""
    summary, prepared = Summary(), list[Record]()
    raw, canonical = list[Words](), list[Words]()
    for number, recipe in enumerate(chunk.recipes, start=chunk.first):
        text = make_text(recipe)
        split = TRAIN if chunk.texts else split_of(recipe, settings)
        images = _images(recipe, settings, summary.image_problems)
        # The shard names the images; where they were before is of no use there.
        data = {**text.recipe.to_json(), "images": [], "split": split, "tokens": text.tokens}
        prepared.append(Record(f"{number:08d}", split, data, images))
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
    return Part(summary, _lines(raw), _lines(canonical), tuple(prepared))


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
