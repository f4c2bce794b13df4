"""Parts, the plan and shards: from a chunk of recipes to the files that are read later.

A part is what a worker makes of one chunk, kept until the shards are written: a tar file with `summary.json`,
the training text in two forms, and the recipes. The plan is made once all parts exist and says which recipes
go into which shard; its presence means that the vocabularies and the training text beside it are complete.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from chef.data.images import BadImage, small_jpeg
from chef.data.prepared import WORK, Files, bytes_facts, stream_facts
from chef.data.preparing.source import Chunk
from chef.data.preparing.workplace import CANONICAL, PLAN, RAW_VOCABULARY, VOCABULARY, part, part_name
from chef.data.shards import ShardIndex, TarWriter, members
from chef.data.texts import TEST, TRAIN, VAL, PrepareSettings, TextMaker, Words, numbered, split_of
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.readers.base import image_bytes, is_web
from chef.recipe import Recipe
from chef.storage import Folder, Store, Unreachable
from chef.text.vocabulary import SPECIAL, Vocabulary

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
        # The shard names the images; where they were before is of no use there.
        data = {**text.recipe.to_json(), "images": [], "split": split, "tokens": text.tokens}
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


_AT_ONCE = 16  # parts fetched at the same time from an object store


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is known before shards and word vectors are made."""

    digests: list[str]  # of the chunks, in order
    minimum: int
    counts: dict[str, dict[str, int]]  # the summary of all parts without its words
    shards: tuple[Shard, ...]

    def save(self, store: Store) -> None:
        """Write the plan atomically."""
        store.write(PLAN, json.dumps(asdict(self)).encode())

    @classmethod
    def load(cls, store: Store) -> Plan | None:
        """The plan, if it has been made."""
        try:
            data: dict[str, Any] = json.loads(store.read(PLAN))
        except FileNotFoundError:
            return None
        shards = (
            Shard(**{**item, "pieces": tuple(Piece(**piece) for piece in item["pieces"])})
            for item in data["shards"]
        )
        return cls(**{**data, "shards": tuple(shards)})


def make_plan(store: Store, digests: list[str], settings: PrepareSettings) -> Plan:
    """Count the words, write vocabularies and training text beside the parts, and plan the shards."""
    total, splits = Summary(), []
    names = [part_name(number, digest) for number, digest in enumerate(digests)]
    with ExitStack() as stack:
        raw_file = stack.enter_context(store.writing(f"{WORK}/{RAW_TEXT}"))
        canonical_file = stack.enter_context(store.writing(f"{WORK}/{CANONICAL_TEXT}"))
        for name, (summary, raw, canonical) in zip(names, _texts(store, names), strict=True):
            raw_file.write(raw)
            canonical_file.write(canonical)
            total.add(summary)
            splits.append((name, dict(summary.splits)))
    if not total.splits[TRAIN]:
        problem = f"no recipe is in the train split (there are: {', '.join(sorted(total.splits))})"
        raise ChefError(problem, "name one train, or use --splits hash")
    minimum = settings.minimum(total.splits[TRAIN])
    for words, name in ((total.raw_words, RAW_VOCABULARY), (total.words, VOCABULARY)):
        store.keep(f"{WORK}/{name}", Vocabulary.build(words, minimum).save)
    shards = tuple(
        shard
        for split in in_order(total.splits)
        for shard in _shards(split, [(name, counts.get(split, 0)) for name, counts in splits], settings)
    )
    counts = {**total.to_json(), "words": {}, "raw_words": {}}
    plan = Plan(digests, minimum, counts, shards)
    plan.save(store)
    return plan


def _texts(store: Store, names: list[str]) -> Iterator[tuple[Summary, bytes, bytes]]:
    """The texts of all parts in order; from an object store several are fetched at a time, but never all."""
    load = partial(load_texts, store)
    if isinstance(store, Folder):
        yield from map(load, map(part, names))
        return
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for first in range(0, len(names), 4 * _AT_ONCE):
            yield from threads.map(load, map(part, names[first : first + 4 * _AT_ONCE]))


def in_order(splits: Mapping[str, int] | Iterable[str]) -> list[str]:
    """Split names: train, val, test, then the others alphabetically."""
    known = [name for name in (TRAIN, VAL, TEST) if name in splits]
    return known + sorted(set(splits) - set(known))


def _shards(split: str, parts: list[tuple[str, int]], settings: PrepareSettings) -> Iterator[Shard]:
    """Cut the recipes of a split, in the source's order, into shards of equal size."""
    number, pieces, left = 0, list[Piece](), settings.shard_recipes
    for name, count in parts:
        first = 0
        while first < count:
            taken = min(left, count - first)
            pieces.append(Piece(name, first, taken))
            first += taken
            left -= taken
            if not left:
                yield Shard(f"{split}-{number:05d}", split, tuple(pieces))
                number, pieces, left = number + 1, [], settings.shard_recipes
    if pieces:
        yield Shard(f"{split}-{number:05d}", split, tuple(pieces))


@dataclass(frozen=True, slots=True)
class Piece:
    """Recipes of one split in a part: `count` of them, from the `first` on."""

    part: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard to be made: its name, its split, and where its recipes are."""

    name: str
    split: str
    pieces: tuple[Piece, ...]


def shard_names(name: str) -> tuple[str, str]:
    """The tar file of a shard and its index, by their paths in the folder."""
    return f"shards/{name}.tar", f"shards/{name}.index.json"


def make_shard(store: Store, shard: Shard) -> Files:
    """Write one shard and its index; returns what was written."""
    tar_name, index_name = shard_names(shard.name)
    words, index, files = _vocabulary(store), ShardIndex(), Files()
    with store.writing(tar_name) as file:
        tar = TarWriter(file)
        for piece in shard.pieces:
            records = load_records(store, part(piece.part), shard.split)
            for record in islice(records, piece.first, piece.first + piece.count):
                numbers = numbered(record.data["tokens"], words)
                names = [f"{record.key}.{place}.jpg" for place in range(len(record.images))]
                text = _json({**record.data, "images": names, "tokens": numbers})
                index.ids.append(record.data["id"])
                index.texts.append(tar.add(f"{record.key}.json", text))
                index.images.append([tar.add(*image) for image in zip(names, record.images, strict=True)])
        tar.close()
        files[tar_name] = stream_facts(file)
    store.write(index_name, index.to_json())
    files[index_name] = bytes_facts(index.to_json())
    return files


@lru_cache(maxsize=1)
def _vocabulary(store: Store) -> Vocabulary:
    with store.local(f"{WORK}/{VOCABULARY}") as path:
        return Vocabulary.load(path)
