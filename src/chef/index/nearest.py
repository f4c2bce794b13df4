"""Vector search: exact in small collections, in two passes in large ones.

The first pass approximates the scores of all rows by their principal components. The second computes the
exact scores of the best of them, and goes on until the remaining rows can hardly be better. The error of the
approximation is estimated on the rows just scored: the second pass is short where the first is good, and long
where it is not. Either way a score that is returned is exact, as far as its vector is: large collections keep
vectors in half precision, which changes a score by about 0.00001.
"""

from functools import cached_property
from typing import Any

import numpy as np

Scores = np.ndarray[Any, np.dtype[np.float32]]
Vectors = np.ndarray[Any, np.dtype[np.floating[Any]]]
Rows = np.ndarray[Any, np.dtype[np.int64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Top = tuple[Rows, Scores]

# Chosen with benchmarks/search.py; docs/search.md has the figures.
EXACT = 20_000  # rows up to which every search is exact
_COMPONENTS = 64  # of the first pass
SAMPLE = 4096  # rows that stand for a large collection
_SAMPLE = 10_000  # rows that the components are computed from
_FIRST = 512  # rows in the first round of the second pass; each further round has four times as many
_GROWTH = 4
_MARGIN = 4.0  # standard deviations by which a remaining row could be better than its approximate score
_SELECTIVE = 50  # a filter that keeps less than this fraction of the rows leaves too few for two passes
_CHUNK = 16_384  # rows multiplied together


def dtype_for(rows: int) -> type[np.floating[Any]]:
    """The precision of so many vectors: half, which takes half the memory, where there are many."""
    return np.float32 if rows <= EXACT else np.float16


class VectorIndex:
    """Searches vectors by their product with the vector of a query.

    >>> rows, scores = VectorIndex(vectors).top(query, 10)
    """

    def __init__(self, vectors: Vectors, exact: int = EXACT) -> None:
        self.vectors = vectors
        self._exact = exact

    def __len__(self) -> int:
        return len(self.vectors)

    def top(self, query: Vectors, k: int, keep: Mask | None = None, bonus: Scores | None = None) -> Top:
        """The k best rows and their scores, best first, of equals the lower row.

        keep: (n,) the rows that may be returned. bonus: (n,) what is added to the score of each row.
        """
        rows = None if keep is None else np.flatnonzero(keep)
        many = len(self) if rows is None else len(rows)
        if len(self) <= self._exact or many <= max(len(self) // _SELECTIVE, _GROWTH * _first(k)):
            return self._exact_top(query, k, rows, bonus)
        return self._two_pass_top(query, k, rows, bonus)

    def scores(self, query: Vectors, rows: Rows) -> Scores:
        """The exact scores of some rows."""
        return np.asarray(single(self.vectors[rows]) @ query)

    @cached_property
    def sample(self) -> tuple[Rows, Scores]:
        """Rows that stand for all, and their vectors in single precision; few are all there."""
        rows = np.arange(0, len(self), 1 if len(self) <= EXACT else len(self) // SAMPLE)
        return rows, single(self.vectors if len(rows) == len(self) else self.vectors[rows])

    def _exact_top(self, query: Vectors, k: int, rows: Rows | None, bonus: Scores | None) -> Top:
        if rows is None or len(rows) > len(self) // 8:  # then a sequential read is faster than picking rows
            scores = np.empty(len(self), np.float32)
            for part in _slices(len(self)):
                scores[part] = single(self.vectors[part]) @ query
            scores = scores if rows is None else scores[rows]
        else:
            scores = self.scores(query, rows)
        if bonus is not None:
            scores = scores + (bonus if rows is None else bonus[rows])
        return best(np.arange(len(self)) if rows is None else rows, scores, k)

    def _two_pass_top(self, query: Vectors, k: int, rows: Rows | None, bonus: Scores | None) -> Top:
        basis, projected = self._projection
        approximate = (query @ basis) @ projected
        if bonus is not None:
            approximate += bonus
        if rows is None:
            rows = np.arange(len(self))
        else:
            approximate = approximate[rows]
        size = _first(k)
        while size * _GROWTH < len(rows):
            # The `size` best approximate scores, after the one that comes next.
            split = len(approximate) - size - 1
            order = np.argpartition(approximate, split)[split:]
            following, chosen = approximate[order[0]], np.sort(order[1:])
            exact = self.scores(query, rows[chosen])
            if bonus is not None:
                exact += bonus[rows[chosen]]
            last = np.partition(exact, size - k)[size - k]
            # The lower half of the chosen rows is most like those that come next.
            guess = approximate[chosen]
            errors = (exact - guess)[guess <= np.median(guess)]
            if following + errors.mean() + _MARGIN * errors.std() < last:
                return best(rows[chosen], exact, k)
            size *= _GROWTH
        return self._exact_top(query, k, rows, bonus)

    @cached_property
    def _projection(self) -> tuple[Vectors, Vectors]:
        """The principal components (d, few), and all rows projected onto them (few, n)."""
        step = max(len(self) // _SAMPLE, 1)
        sample = single(self.vectors[::step])
        centred = sample - sample.mean(axis=0)
        _, components = np.linalg.eigh(centred.T @ centred)
        basis = np.ascontiguousarray(components[:, ::-1][:, :_COMPONENTS])
        projected = np.empty((basis.shape[1], len(self)), np.float32)
        for part in _slices(len(self)):
            projected[:, part] = (single(self.vectors[part]) @ basis).T
        return basis, projected


def _slices(rows: int) -> list[slice]:
    return [slice(start, start + _CHUNK) for start in range(0, rows, _CHUNK)]


def single(vectors: Vectors) -> Scores:
    """In single precision, which numpy multiplies fast."""
    return vectors.astype(np.float32, copy=False)


def _first(k: int) -> int:
    return max(_FIRST, 8 * k)


def best(rows: Rows, scores: Scores, k: int) -> Top:
    """The k best of rows in ascending order, best first, of equals the lower row."""
    chosen = with_ties(scores, k)
    rows, scores = rows[chosen], scores[chosen]
    order = np.argsort(-scores, kind="stable")[:k]
    return rows[order], scores[order]


def with_ties(scores: np.ndarray[Any, Any], k: int) -> Rows:
    """The places of the k best, and of all that are as good as the last of them; ascending."""
    if len(scores) <= k:
        return np.arange(len(scores))
    return np.flatnonzero(scores >= np.partition(scores, len(scores) - k)[len(scores) - k])
