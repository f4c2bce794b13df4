"""The plan: made once all parts are there, it says which recipes go into which shard.

Its presence means that the vocabularies and the training text lie beside it, whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from chef.data.manifest import WORK
from chef.data.preparing.build_shards import Piece, Shard
from chef.data.preparing.names import PLAN, RAW_VOCABULARY, VOCABULARY, part, part_name
from chef.data.preparing.parts import CANONICAL_TEXT, RAW_TEXT, Summary, load_texts
from chef.data.settings import PrepareSettings
from chef.data.splits import TEST, TRAIN, VAL
from chef.errors import ChefError
from chef.storage import Folder, Store
from chef.text.vocabulary import Vocabulary

_AT_ONCE = 16  # parts fetched at the same time from afar


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is known before shards and word vectors are made."""

    digests: list[str]  # of the chunks, in order
    minimum: int
    counts: dict[str, dict[str, int]]  # the summary of all parts without its words
    shards: tuple[Shard, ...]

    def save(self, store: Store) -> None:
        """Write the plan in one move."""
        store.write(PLAN, json.dumps(asdict(self)).encode())

    @classmethod
    def load(cls, store: Store) -> Plan | None:
        """The plan, if the work has come that far."""
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
        found = ", ".join(sorted(total.splits))
        raise ChefError(
            f"no recipe is in the train split (there are: {found})", "name one train, or use --splits hash"
        )
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
    """The texts of all parts in order. From afar several are fetched at a time, and never many too early."""
    load = partial(load_texts, store)
    if isinstance(store, Folder):
        yield from map(load, map(part, names))
        return
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for first in range(0, len(names), 4 * _AT_ONCE):
            yield from threads.map(load, map(part, names[first : first + 4 * _AT_ONCE]))


def in_order(splits: Mapping[str, int] | Iterable[str]) -> list[str]:
    """Split names: train, val, test, then the others by the alphabet."""
    known = [name for name in (TRAIN, VAL, TEST) if name in splits]
    return known + sorted(set(splits) - set(known))


def _shards(split: str, parts: list[tuple[str, int]], settings: PrepareSettings) -> Iterator[Shard]:
    """Cut the recipes of a split, in the source's order, into shards of equal size."""
    number, pieces, room = 0, list[Piece](), settings.shard_recipes
    for name, count in parts:
        first = 0
        while first < count:
            taken = min(room, count - first)
            pieces.append(Piece(name, first, taken))
            first += taken
            room -= taken
            if not room:
                yield Shard(f"{split}-{number:05d}", split, tuple(pieces))
                number, pieces, room = number + 1, [], settings.shard_recipes
    if pieces:
        yield Shard(f"{split}-{number:05d}", split, tuple(pieces))
