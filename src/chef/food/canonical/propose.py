"""Step 2 of the canonical ingredients: which names a person should look at (paper, Sec. 4.1).

Proposed are names that share two or three words, that mean the same food of the USDA tables, that are
close in word2vec space, or that differ by a qualifier only ("unsalted butter", "butter").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from chef.errors import ChefError
from chef.files import write_atomic
from chef.food.canonical.map import without_qualifiers
from chef.food.canonical.names import NameGroup
from chef.text.keys import key_of

_HEADER = "a\tb\tcount_a\tcount_b\tscore\treasons"
# How much a reason says that the two are one food, for the order of the review.
_WEIGHT = {"qualifier": 3.0, "food": 2.0, "words": 1.0, "vectors": 1.0}
_CLOSE = 0.6  # cosine; below it neighbours go together in dishes (salt, pepper) and are not the same food
_NEIGHBOURS = 5
_CROWD = 40  # a word or food that more names than this share says nothing

Vectors = Mapping[str, np.ndarray[Any, np.dtype[np.float32]]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two names that may be one ingredient, the more frequent first, and why. An empty `b`: a name alone."""

    a: str
    b: str
    count_a: int
    count_b: int
    score: float
    reasons: tuple[str, ...]


def propose(
    groups: Sequence[NameGroup],
    *,
    food_of: Callable[[str], str | None] | None = None,
    vectors: Vectors | None = None,
) -> list[Proposal]:
    """All proposals among groups of names, the strongest first.

    `food_of` names the food of the USDA tables, `vectors` maps a group's name to its word vector.
    """
    reasons: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    order = {group.name: rank for rank, group in enumerate(groups)}
    for kind, pairs in (
        ("qualifier", _by_qualifier(groups)),
        ("words", _by_words(groups)),
        ("food", _by_food(groups, food_of) if food_of else ()),
        ("vectors", _by_vectors(groups, vectors) if vectors else ()),
    ):
        for first, second, evidence in pairs:
            pair = (first, second) if order[first] < order[second] else (second, first)
            reasons[pair].setdefault(kind, evidence)
    counts = {group.name: group.count for group in groups}
    made = []
    for (a, b), why in reasons.items():
        said = tuple(f"{kind}: {evidence}" if evidence else kind for kind, evidence in why.items())
        made.append(Proposal(a, b, counts[a], counts[b], sum(_WEIGHT[kind] for kind in why), said))
    return sorted(made, key=lambda proposal: (-proposal.score, -proposal.count_b, proposal.a, proposal.b))


def _by_qualifier(groups: Sequence[NameGroup]) -> Iterator[tuple[str, str, str]]:
    names = {group.key: group.name for group in groups}
    for group in groups:
        for shorter in without_qualifiers(group.name.split()):
            other = names.get(key_of(shorter))
            if other is not None and other != group.name:
                yield group.name, other, ""
                break


def _by_words(groups: Sequence[NameGroup]) -> Iterator[tuple[str, str, str]]:
    """Names that share two or three words."""
    holders: dict[tuple[str, str], list[NameGroup]] = defaultdict(list)
    for group in groups:
        for pair in combinations(sorted(set(group.key.split())), 2):
            holders[pair].append(group)
    for pair, sharing in holders.items():
        if len(sharing) <= _CROWD:
            for first, second in combinations(sharing, 2):
                yield first.name, second.name, " ".join(pair)


def _by_food(
    groups: Sequence[NameGroup], food_of: Callable[[str], str | None]
) -> Iterator[tuple[str, str, str]]:
    """Names that the tables give the same food."""
    holders: dict[str, list[NameGroup]] = defaultdict(list)
    for group in groups:
        if food := food_of(group.name):
            holders[food].append(group)
    for food, sharing in holders.items():
        # Each with the most frequent one: all pairs of a large food would be too many to read.
        for other in sharing[1 : _CROWD + 1]:
            yield sharing[0].name, other.name, food


def _by_vectors(groups: Sequence[NameGroup], vectors: Vectors) -> Iterator[tuple[str, str, str]]:
    """Each name with its nearest neighbours."""
    names = [group.name for group in groups if group.name in vectors]
    if len(names) < 2:
        return
    matrix = np.stack([vectors[name] for name in names])
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    for row, name in enumerate(names):
        cosine = matrix @ matrix[row]
        cosine[row] = -1
        for other in np.argsort(-cosine, kind="stable")[:_NEIGHBOURS]:
            if cosine[other] >= _CLOSE:
                yield name, names[other], f"{cosine[other]:.2f}"


def write_proposals(
    path: Path, groups: Iterable[NameGroup], counts: Mapping[str, int], proposals: Iterable[Proposal]
) -> None:
    """The proposals file: first every name with its count (rows without b), then the proposals."""
    lines = [_HEADER]
    for group in groups:
        lines += [f"{name}\t\t{counts[name]}\t0\t0\t" for name in group.names]
    for item in proposals:
        reasons = "; ".join(item.reasons)
        lines.append(f"{item.a}\t{item.b}\t{item.count_a}\t{item.count_b}\t{item.score:g}\t{reasons}")
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def read_proposals(path: Path) -> tuple[dict[str, int], list[Proposal]]:
    """Names with their counts, and the proposals, of a file that `write_proposals` made."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError) as error:
        raise ChefError(f"no proposals at {path}", "make them with chef canonical propose") from error
    if not lines or lines[0] != _HEADER:
        raise ChefError(f"{path} is not a proposals file", f"its first line must be {_HEADER!r}")
    counts: dict[str, int] = {}
    proposals = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            a, b, count_a, count_b, score, reasons = line.split("\t")
            why = tuple(part for part in reasons.split("; ") if part)
            item = Proposal(a, b, int(count_a), int(count_b), float(score), why)
        except ValueError as error:
            raise ChefError(f"{path}, line {number}: not a proposal", "make the file again") from error
        if b:
            proposals.append(item)
        else:
            counts[a] = item.count_a
    return counts, proposals
