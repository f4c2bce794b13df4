"""Which sets share most of their members? An exact join that never compares all pairs.

Two sets overlap when they share at least a given part of the smaller one. Put the members of a set
in order of rarity: of n members, of which r must be shared, one shared member is sure to be among
the n - r + 1 rarest, for the others are too few. So only sets that meet in a rare member are
compared (the prefix filter of Chaudhuri, Ganti and Kaushik 2006), and most sets of a real
collection, whose members nobody shares, are done at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Members = NDArray[np.uint64]  # one set: hashes of its members, sorted, each once
Numbers = NDArray[np.int64]

# Sets are compared this many at a time: the memory of one comparison stays small.
_AT_ONCE = 1024


def overlapping(sets: Sequence[Members], share: float, minimum: int = 1) -> Iterator[tuple[int, int, int]]:
    """Pairs (i, j, shared), i < j, of sets that share at least `share` of the smaller one's members.

    Sets with fewer than `minimum` members take no part. Every pair comes once, in a fixed order.

    >>> sets = [np.array(s, np.uint64) for s in ([1, 2, 3], [2, 3, 4, 5], [7, 8, 9])]
    >>> list(overlapping(sets, share=0.6))
    [(0, 1, 2)]
    """
    sizes = np.array([len(members) for members in sets], np.int64)
    sizes[sizes < max(minimum, 1)] = 0
    rows, postings = _by_rarity(sets, sizes)
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


class _Rows:
    """Many short rows of whole numbers in one array."""

    def __init__(self, keys: Numbers, values: Numbers, count: int) -> None:
        """`keys` (sorted) says of each value to which of the `count` rows it belongs."""
        self.count = count
        self.values = values
        self.starts = np.searchsorted(keys, np.arange(count + 1))

    def of(self, row: int) -> Numbers:
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


def _by_rarity(sets: Sequence[Members], sizes: Numbers) -> tuple[_Rows, _Rows]:
    """The shared members of each set, rarest first, and the sets of each member.

    Members are renamed 0, 1, 2 ... in order of rarity; those that only one set has are left out.
    """
    values, owners = _shared_members(sets, sizes)
    distinct, names, counts = np.unique(values, return_inverse=True, return_counts=True)
    order = np.lexsort((distinct, counts))  # rarest first, ties by value: the same on every run
    order = order[counts[order] > 1]
    rank = np.full(len(distinct), -1, np.int64)
    rank[order] = np.arange(len(order))
    ranks = rank[names]
    kept = ranks >= 0
    ranks, owners = ranks[kept], owners[kept]
    by_owner = np.lexsort((ranks, owners))
    by_rank = np.lexsort((owners, ranks))
    return (
        _Rows(owners[by_owner], ranks[by_owner], len(sets)),
        _Rows(ranks[by_rank], owners[by_rank], len(order)),
    )


def _shared_members(sets: Sequence[Members], sizes: Numbers) -> tuple[Members, Numbers]:
    """Members that two sets or more may have, each with its set.

    A table of counts by a few bits of the hash throws out nearly all members that are found once, before
    anything is sorted: sorting them all would take several times the memory of the sets.
    """
    # Four places or more for each member: of those found once, about one in five stays at most.
    bits = min(max(int(sizes.sum()) * 4, 1 << 10).bit_length(), 30)
    counts = np.zeros(1 << bits, np.uint8)
    for i in np.flatnonzero(sizes).tolist():
        places = _places(sets[i], bits)
        counts[places] = np.minimum(counts[places] + 1, 2)
    values, owners = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    for i in np.flatnonzero(sizes).tolist():
        maybe = sets[i][counts[_places(sets[i], bits)] > 1]
        values.append(maybe)
        owners.append(np.full(len(maybe), i, np.int64))
    return np.concatenate(values), np.concatenate(owners)


def _places(members: Members, bits: int) -> Members:
    """Where members are in a table of 2**bits places, evenly spread (Fibonacci hashing)."""
    places: Members = (members * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)
    return places
