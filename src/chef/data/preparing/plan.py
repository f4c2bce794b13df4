"""The plan: made once all parts are there, it says which recipes go into which shard.

Its presence means that the vocabularies and the training text lie beside it, whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chef.atomic import replacing, write_whole
from chef.data.preparing.build_shards import Piece
from chef.data.preparing.parts import CANONICAL_TEXT, RAW_TEXT, Summary, load_texts
from chef.data.settings import PrepareSettings
from chef.data.splits import TEST, TRAIN, VAL
from chef.errors import ChefError
from chef.text.vocabulary import Vocabulary

NAME = "plan.json"


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard to come: its name, its split, and where its recipes are."""

    name: str
    split: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is known before shards and word vectors are made."""

    digests: list[str]  # of the chunks, in order
    minimum: int
    counts: dict[str, dict[str, int]]  # the summary of all parts without its words
    shards: tuple[Shard, ...]

    def save(self, work: Path) -> None:
        """Write the plan in one move."""
        write_whole(work / NAME, json.dumps(asdict(self)).encode())

    @classmethod
    def load(cls, work: Path) -> Plan | None:
        """The plan of an earlier run, if it came that far."""
        if not (work / NAME).exists():
            return None
        data: dict[str, Any] = json.loads((work / NAME).read_bytes())
        shards = (
            Shard(item["name"], item["split"], tuple(Piece(**piece) for piece in item["pieces"]))
            for item in data["shards"]
        )
        return cls(data["digests"], data["minimum"], data["counts"], tuple(shards))


def part_name(number: int, digest: str) -> str:
    """The file name of a part: another source or other recipes give another name."""
    return f"{number:06d}-{digest[:16]}.tar"


def make_plan(work: Path, parts: Path, digests: list[str], settings: PrepareSettings) -> Plan:
    """Count the words, write vocabularies and training text into `work`, and plan the shards."""
    total, splits = Summary(), []
    with ExitStack() as stack:
        raw_file = stack.enter_context(replacing(work / RAW_TEXT))
        canonical_file = stack.enter_context(replacing(work / CANONICAL_TEXT))
        for number, digest in enumerate(digests):
            summary, raw, canonical = load_texts(parts / part_name(number, digest))
            raw_file.write(raw)
            canonical_file.write(canonical)
            total.add(summary)
            splits.append((part_name(number, digest), dict(summary.splits)))
    if not total.splits[TRAIN]:
        found = ", ".join(sorted(total.splits))
        raise ChefError(
            f"no recipe is in the train split (there are: {found})", "name one train, or use --splits hash"
        )
    minimum = settings.minimum(total.splits[TRAIN])
    Vocabulary.build(total.raw_words, minimum).save(work / "raw-vocabulary.tsv")
    Vocabulary.build(total.words, minimum).save(work / "vocabulary.tsv")
    shards = tuple(
        shard
        for split in in_order(total.splits)
        for shard in _shards(split, [(name, counts.get(split, 0)) for name, counts in splits], settings)
    )
    counts = {**total.to_json(), "words": {}, "raw_words": {}}
    plan = Plan(digests, minimum, counts, shards)
    plan.save(work)
    return plan


def in_order(splits: Mapping[str, int] | Iterable[str]) -> list[str]:
    """Split names: train, val, test, then the others by the alphabet."""
    known = [name for name in (TRAIN, VAL, TEST) if name in splits]
    return known + sorted(set(splits) - set(known))


def _shards(split: str, parts: list[tuple[str, int]], settings: PrepareSettings) -> Iterator[Shard]:
    """Cut the recipes of a split, in the source's order, into shards of equal size."""
    number, pieces, room = 0, list[Piece](), settings.shard_recipes
    for part, count in parts:
        first = 0
        while first < count:
            taken = min(room, count - first)
            pieces.append(Piece(part, first, taken))
            first += taken
            room -= taken
            if not room:
                yield Shard(f"{split}-{number:05d}", split, tuple(pieces))
                number, pieces, room = number + 1, [], settings.shard_recipes
    if pieces:
        yield Shard(f"{split}-{number:05d}", split, tuple(pieces))
