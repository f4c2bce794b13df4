"""The rows whose vectors are nearest to a query: exactly in small collections, in two passes in large ones.

The first pass looks at all rows in the few directions in which they differ most (their principal components).
The second computes the exact scores of the best of them, and goes on until the rows that are left can hardly
be better. How far a rough score lies from the exact one is seen on the rows just scored: the second pass is
short where the first is good, and long where it is not. Either way a score that is returned is exact, as
far as its vector is: large collections hold them in half precision, which moves a cosine by about 0.00001.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

Scores = np.ndarray[Any, np.dtype[np.float32]]
Vectors = np.ndarray[Any, np.dtype[np.floating[Any]]]
Rows = np.ndarray[Any, np.dtype[np.int64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Found = tuple[Rows, Scores]

# Chosen with benchmarks/search.py; docs/search.md has the figures.
EXACT = 20_000  # rows up to which every search is exact
_DIRECTIONS = 64  # of the first pass
_SAMPLE = 10_000  # rows that the directions are taken from
_FIRST = 512  # rows in the first round of the second pass; each further round has four times as many
_GROWTH = 4
_DOUBT = 4.0  # standard deviations by which a row that is left could be better than its rough score says
_FEW = 50  # a filter that keeps less than this fraction of the rows leaves too few for two passes
_AT_ONCE = 16_384  # rows multiplied together


def dtype_for(rows: int) -> type[np.floating[Any]]:
    """What so many vectors are held in: half precision, which takes half the memory, where there are many."""
    return np.float32 if rows <= EXACT else np.float16


class Nearest:
    """Vectors of length 1 that can be searched.

    >>> rows, scores = Nearest(vectors).top(query, 10)
    """

    def __init__(self, vectors: Vectors, exact: int = EXACT) -> None:
        self.vectors = vectors
        self._exact = exact

    def __len__(self) -> int:
        return len(self.vectors)

    def top(self, query: Vectors, k: int, keep: Mask | None = None, bonus: Scores | None = None) -> Found:
        """The k best rows and their scores, best first, of equals the lower row.

        keep: (n,) the rows that may be found. bonus: (n,) what is added to the cosine of each row.
        """
        rows = None if keep is None else np.flatnonzero(keep)
        many = len(self) if rows is None else len(rows)
        if len(self) <= self._exact or many <= max(len(self) // _FEW, _GROWTH * _first(k)):
            return self._exactly(query, k, rows, bonus)
        return self._in_two_passes(query, k, rows, bonus)

    def scores(self, query: Vectors, rows: Rows) -> Scores:
        """The exact cosines of some rows."""
        return np.asarray(single(self.vectors[rows]) @ query)

    def _exactly(self, query: Vectors, k: int, rows: Rows | None, bonus: Scores | None) -> Found:
        if rows is None or len(rows) > len(self) // 8:  # then reading on is faster than picking rows out
            scores = np.empty(len(self), np.float32)
            for part in _slices(len(self)):
                scores[part] = single(self.vectors[part]) @ query
            scores = scores if rows is None else scores[rows]
        else:
            scores = self.scores(query, rows)
        if bonus is not None:
            scores = scores + (bonus if rows is None else bonus[rows])
        return best(np.arange(len(self)) if rows is None else rows, scores, k)

    def _in_two_passes(self, query: Vectors, k: int, rows: Rows | None, bonus: Scores | None) -> Found:
        basis, short = self._compressed
        rough = (query @ basis) @ short
        if bonus is not None:
            rough += bonus
        if rows is None:
            rows = np.arange(len(self))
        else:
            rough = rough[rows]
        size = _first(k)
        while size * _GROWTH < len(rows):
            # The `size` best rough scores, after the one that comes next.
            order = np.argpartition(rough, len(rough) - size - 1)[len(rough) - size - 1 :]
            following, chosen = rough[order[0]], np.sort(order[1:])
            exact = self.scores(query, rows[chosen])
            if bonus is not None:
                exact += bonus[rows[chosen]]
            last = np.partition(exact, size - k)[size - k]
            # The lower half of the chosen rows is most like those that come next.
            gained = (exact - rough[chosen])[rough[chosen] <= np.median(rough[chosen])]
            if following + gained.mean() + _DOUBT * gained.std() < last:
                return best(rows[chosen], exact, k)
            size *= _GROWTH
        return self._exactly(query, k, rows, bonus)

    @cached_property
    def _compressed(self) -> tuple[Vectors, Vectors]:
        """The directions (d, few), and all rows in them (few, n), direction by direction."""
        step = max(len(self) // _SAMPLE, 1)
        sample = single(self.vectors[::step])
        centred = sample - sample.mean(axis=0)
        _, directions = np.linalg.eigh(centred.T @ centred)
        basis = np.ascontiguousarray(directions[:, ::-1][:, :_DIRECTIONS])
        short = np.empty((basis.shape[1], len(self)), np.float32)
        for part in _slices(len(self)):
            short[:, part] = (single(self.vectors[part]) @ basis).T
        return basis, short


def _slices(rows: int) -> list[slice]:
    return [slice(start, start + _AT_ONCE) for start in range(0, rows, _AT_ONCE)]


def single(vectors: Vectors) -> Scores:
    """In single precision, in which numpy multiplies fast."""
    return vectors.astype(np.float32, copy=False)


def _first(k: int) -> int:
    return max(_FIRST, 8 * k)


def best(rows: Rows, scores: Scores, k: int) -> Found:
    """The k best of rows in ascending order, best first, of equals the lower row."""
    if len(rows) > k:
        worst = np.partition(scores, len(scores) - k)[len(scores) - k]
        chosen = np.flatnonzero(scores >= worst)  # more than k where several are as good as the last
        rows, scores = rows[chosen], scores[chosen]
    order = np.argsort(-scores, kind="stable")[:k]
    return rows[order], scores[order]
