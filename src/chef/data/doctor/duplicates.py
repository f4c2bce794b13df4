"""Near-duplicates: photos with almost the same hash, and who repeats whom.

Two 64-bit hashes that differ in three bits or fewer are equal in at least one of four bands of 16
bits. So photos are sorted by one band after the other, and only those equal in a band are compared
(multi-index hashing, Norouzi, Punjani and Fleet 2012). The answer is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]

BITS = 3  # photos this many bits apart, or fewer, count as the same photo
_WIDTH = 16


def close_pairs(hashes: Hashes, bits: int = BITS) -> Iterator[tuple[int, int]]:
    """Pairs (i, j), i < j, of hashes at most `bits` apart; each pair once, in a fixed order.

    `bits` must be below 4: there are four bands.

    >>> list(close_pairs(np.array([0b1111, 0b1000, 0xFFFF0000], np.uint64)))
    [(0, 1)]
    """
    if bits >= 64 // _WIDTH:
        raise ValueError(f"exact only for fewer than {64 // _WIDTH} bits")
    for number in range(64 // _WIDTH):
        bands = _band(hashes, number)
        order = np.argsort(bands, kind="stable")
        edges = np.flatnonzero(np.diff(bands[order])) + 1
        starts, ends = np.append(0, edges), np.append(edges, len(order))
        for bucket in np.flatnonzero(ends - starts > 1):
            members = order[starts[bucket] : ends[bucket]]
            yield from _close_in_bucket(hashes, members, number, bits)


def _close_in_bucket(hashes: Hashes, members: Numbers, number: int, bits: int) -> Iterator[tuple[int, int]]:
    for position, i in enumerate(members[:-1]):
        others = members[position + 1 :]
        apart = hashes[others] ^ hashes[i]
        close = np.bitwise_count(apart) <= bits
        # A pair that is equal in an earlier band was told there.
        for earlier in range(number):
            close &= _band(apart, earlier) != 0
        for j in others[close]:
            yield int(i), int(j)


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
        # The earliest recipe of each split that a group is linked with; groups that stand alone cost nothing.
        reach = {group: _earliest(groups.of(group), splits) for group in groups.crowded()}
        for a, b in links:
            own_a, own_b = _earliest(groups.of(a), splits), _earliest(groups.of(b), splits)
            _take_earlier(reach.setdefault(a, own_a), own_b)
            _take_earlier(reach.setdefault(b, own_b), own_a)
        for group, first in reach.items():
            for recipe in groups.of(group).tolist():
                self._take(recipe, first, int(splits[recipe]))

    def _take(self, recipe: int, first: dict[int, int], split: int) -> None:
        for other_split, other in first.items():
            known = self.within if other_split == split else self.across
            if other < recipe and (known[recipe] < 0 or other < known[recipe]):
                known[recipe] = other


class Groups:
    """Recipes by a key that they share, such as the hash of their photo."""

    def __init__(self, keys: Hashes, recipes: Numbers) -> None:
        """`keys[n]` is a key of the recipe at position `recipes[n]`; a recipe may have several keys."""
        self.keys, group = np.unique(keys, return_inverse=True)
        order = np.lexsort((recipes, group))
        self._recipes = recipes[order]
        self._starts = np.searchsorted(group[order], np.arange(len(self.keys) + 1))

    def of(self, group: int) -> Numbers:
        """The recipes of a group, the earliest first."""
        return self._recipes[self._starts[group] : self._starts[group + 1]]

    def crowded(self) -> list[int]:
        """Groups with more than one recipe."""
        numbers: list[int] = np.flatnonzero(np.diff(self._starts) > 1).tolist()
        return numbers


def _earliest(recipes: Numbers, splits: Numbers) -> dict[int, int]:
    first: dict[int, int] = {}
    for recipe in recipes.tolist():
        first.setdefault(int(splits[recipe]), recipe)
    return first


def _take_earlier(reach: dict[int, int], others: dict[int, int]) -> None:
    for split, recipe in others.items():
        reach[split] = min(recipe, reach.get(split, recipe))
