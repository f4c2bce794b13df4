"""Near-duplicates: photos with almost the same hash, sets that share most members, and who repeats whom.

Two 64-bit hashes that differ in three bits or fewer are equal in at least one of four bands of 16
bits. So photos are sorted by one band after the other, and only those equal in a band are compared
(multi-index hashing, Norouzi, Punjani and Fleet 2012). The answer is exact.

Two sets overlap when they share at least a given part of the smaller one. Sort the members of a set
by rarity: of n members, of which r must be shared, at least one shared member is among the n - r + 1
rarest. So only sets that have a rare member in common are compared (the prefix filter of Chaudhuri,
Ganti and Kaushik 2006), and most sets of a real collection, whose members are unique, are done at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Members = NDArray[np.uint64]  # one set: hashes of its members, sorted, each once

BITS = 3  # photos this many bits apart, or fewer, count as the same photo; fewer than there are bands
_WIDTH = 16
_AT_ONCE = 1024  # sets that are compared at a time: the memory of one comparison stays small


def close_pairs(hashes: Hashes) -> Iterator[tuple[int, int]]:
    """Pairs (i, j), i < j, of hashes at most `BITS` apart; each pair once, in a fixed order.

    >>> list(close_pairs(np.array([0b1111, 0b1000, 0xFFFF0000], np.uint64)))
    [(0, 1)]
    """
    for number in range(64 // _WIDTH):
        bands = _band(hashes, number)
        order = np.argsort(bands, kind="stable")
        edges = np.flatnonzero(np.diff(bands[order])) + 1
        starts, ends = np.append(0, edges), np.append(edges, len(order))
        for bucket in np.flatnonzero(ends - starts > 1):
            members = order[starts[bucket] : ends[bucket]]
            for position, i in enumerate(members[:-1]):
                others = members[position + 1 :]
                apart = hashes[others] ^ hashes[i]
                close = np.bitwise_count(apart) <= BITS
                # A pair that is equal in an earlier band was yielded there.
                for earlier in range(number):
                    close &= _band(apart, earlier) != 0
                yield from ((int(i), int(j)) for j in others[close])


def _band(hashes: Hashes, number: int) -> Hashes:
    return (hashes >> np.uint64(_WIDTH * number)) & np.uint64((1 << _WIDTH) - 1)


@dataclass(frozen=True, slots=True)
class Repeats:
    """For each recipe the earliest recipe before it that it repeats, or -1.

    Counting repeats and not pairs keeps the figures readable: a photo found in 1000 recipes is 999
    repeats and 499,500 pairs.
    """

    within: Numbers  # in the same split
    across: Numbers  # in another split

    @classmethod
    def none(cls, recipes: int) -> Repeats:
        return cls(np.full(recipes, -1, np.int64), np.full(recipes, -1, np.int64))

    def update(self, groups: Groups, links: Iterable[tuple[int, int]], splits: Numbers) -> None:
        """Take in that the recipes of one group repeat each other, and those of linked groups too.

        `links` are pairs of groups, `splits` is the split of each recipe.
        """
        # The earliest recipe of each split that a group is linked with; groups without links cost nothing.
        crowded = np.flatnonzero(np.diff(groups.starts) > 1).tolist()
        reach = {group: _earliest(groups.of(group), splits) for group in crowded}
        for a, b in links:
            own_a, own_b = _earliest(groups.of(a), splits), _earliest(groups.of(b), splits)
            _take_earlier(reach.setdefault(a, own_a), own_b)
            _take_earlier(reach.setdefault(b, own_b), own_a)
        for group, first in reach.items():
            for recipe in groups.of(group).tolist():
                for split, other in first.items():
                    known = self.within if split == splits[recipe] else self.across
                    if other < recipe and (known[recipe] < 0 or other < known[recipe]):
                        known[recipe] = other


class _Rows:
    """Many short rows of whole numbers in one array."""

    def __init__(self, keys: Numbers, values: Numbers, count: int) -> None:
        """`keys` (sorted) says of each value to which of the `count` rows it belongs."""
        self.count = count
        self.values = values
        self.starts = np.searchsorted(keys, np.arange(count + 1))

    def of(self, row: int) -> Numbers:
        """The values of a row."""
        return self.values[self.starts[row] : self.starts[row + 1]]

    def of_many(self, rows: Numbers) -> Numbers:
        """The values of several rows, one after the other."""
        return np.concatenate([self.of(int(row)) for row in rows])

    def sums(self, rows: Numbers, marked: NDArray[np.bool_]) -> Numbers:
        """For each row: how many of its values are marked."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        hits = marked[self.of_many(rows)].astype(np.int64)
        # Every row asked for shares a member with the asking set: none is empty, as reduceat needs.
        return np.add.reduceat(hits, np.cumsum(lengths) - lengths)


class Groups(_Rows):
    """Recipes by a key that they share, such as the hash of their photo; a row is a group, earliest first."""

    def __init__(self, keys: Hashes, recipes: Numbers) -> None:
        """`keys[n]` is a key of the recipe at position `recipes[n]`; a recipe may have several keys."""
        self.keys, group = np.unique(keys, return_inverse=True)
        order = np.lexsort((recipes, group))
        super().__init__(group[order], recipes[order], len(self.keys))


def _earliest(recipes: Numbers, splits: Numbers) -> dict[int, int]:
    first: dict[int, int] = {}
    for recipe in recipes.tolist():
        first.setdefault(int(splits[recipe]), recipe)
    return first


def _take_earlier(reach: dict[int, int], others: dict[int, int]) -> None:
    for split, recipe in others.items():
        reach[split] = min(recipe, reach.get(split, recipe))


def overlapping(sets: Sequence[Members], share: float) -> Iterator[tuple[int, int, int]]:
    """Pairs (i, j, shared), i < j, of sets that share at least `share` of the smaller one's members.

    Empty sets take no part. Every pair comes once, in a fixed order.
    >>> sets = [np.array(s, np.uint64) for s in ([1, 2, 3], [2, 3, 4, 5], [7, 8, 9])]
    >>> list(overlapping(sets, share=0.6))
    [(0, 1, 2)]
    """
    sizes = np.array([len(members) for members in sets], np.int64)
    rows, postings = _by_rarity(sets)
    marked = np.zeros(postings.count, np.bool_)
    for i in np.flatnonzero(sizes).tolist():
        needed = max(1, math.ceil(share * int(sizes[i]) - 1e-9))  # 0.6 * 5 is a little over 3
        shareable = rows.of(i)
        prefix = len(shareable) - needed + 1
        if prefix < 1:
            continue
        others = np.unique(postings.of_many(shareable[:prefix]))
        # The smaller set asks; of two equal ones the earlier.
        others = others[(sizes[others] > sizes[i]) | ((sizes[others] == sizes[i]) & (others > i))]
        marked[shareable] = True
        for start in range(0, len(others), _AT_ONCE):
            some = others[start : start + _AT_ONCE]
            shared = rows.sums(some, marked)
            for j, count in zip(some[shared >= needed], shared[shared >= needed], strict=True):
                yield min(i, int(j)), max(i, int(j)), int(count)
        marked[shareable] = False


def _by_rarity(sets: Sequence[Members]) -> tuple[_Rows, _Rows]:
    """The shared members of each set, rarest first, and the sets of each member.

    Members are renamed 0, 1, 2 ... in order of rarity; those that only one set has are left out.
    """
    # Nearly all members are found once; they go first, since sorting all with their sets takes much memory.
    every = np.sort(np.concatenate([np.empty(0, np.uint64), *sets]))
    twice = np.unique(every[1:][every[1:] == every[:-1]])
    places = ((members, np.searchsorted(twice, members)) for members in sets)
    shared = [members[np.searchsorted(twice, members, "right") > at] for members, at in places]
    owners = np.repeat(np.arange(len(sets)), [len(members) for members in shared])
    values = np.concatenate([np.empty(0, np.uint64), *shared])
    distinct, names, counts = np.unique(values, return_inverse=True, return_counts=True)
    order = np.lexsort((distinct, counts))  # rarest first, ties by value: the same on every run
    ranks = np.argsort(order)[names]
    by_owner = np.lexsort((ranks, owners))
    by_rank = np.lexsort((owners, ranks))
    return (
        _Rows(owners[by_owner], ranks[by_owner], len(sets)),
        _Rows(ranks[by_rank], owners[by_rank], len(order)),
    )
