"""The plan, made once all parts exist: which recipes go into which shard. And the making of a shard.

Its presence means that the vocabularies and the training text beside it are complete.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from chef.data.manifest import WORK, Files, bytes_facts, stream_facts
from chef.data.preparing.parts import CANONICAL_TEXT, RAW_TEXT, Record, Summary, load_records, load_texts
from chef.data.preparing.workplace import PLAN, RAW_VOCABULARY, VOCABULARY, part, part_name
from chef.data.shards import ShardIndex, TarWriter
from chef.data.texts import TEST, TRAIN, VAL, PrepareSettings
from chef.errors import ChefError
from chef.storage import Folder, Store
from chef.text.vocabulary import Vocabulary

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
            Shard(item["name"], item["split"], tuple(Piece(**piece) for piece in item["pieces"]))
            for item in data["shards"]
        )
        return cls(data["digests"], data["minimum"], data["counts"], tuple(shards))


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
        for record in _records(store, shard):
            _add(tar, index, record, words)
        tar.close()
        files[tar_name] = stream_facts(file)
    store.write(index_name, index.to_json())
    files[index_name] = bytes_facts(index.to_json())
    return files


def _records(store: Store, shard: Shard) -> Iterator[Record]:
    for piece in shard.pieces:
        records = load_records(store, part(piece.part), shard.split)
        yield from islice(records, piece.first, piece.first + piece.count)


def _add(tar: TarWriter, index: ShardIndex, record: Record, words: Vocabulary) -> None:
    tokens = record.data["tokens"]
    numbers = {
        "title": words.ids(tokens["title"]),
        "ingredients": words.ids(tokens["ingredients"]),
        "sentences": [words.ids(sentence) for sentence in tokens["sentences"]],
    }
    names = [f"{record.key}.{place}.jpg" for place in range(len(record.images))]
    data = {**record.data, "images": names, "tokens": numbers}
    text = json.dumps(data, separators=(",", ":")).encode()
    index.ids.append(record.data["id"])
    index.texts.append(tar.add(f"{record.key}.json", text))
    index.images.append([tar.add(name, image) for name, image in zip(names, record.images, strict=True)])


@lru_cache(maxsize=1)
def _vocabulary(store: Store) -> Vocabulary:
    with store.local(f"{WORK}/{VOCABULARY}") as path:
        return Vocabulary.load(path)
