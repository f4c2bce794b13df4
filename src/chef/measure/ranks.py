"""Exact ranks of the true matches, in both directions, in bounded memory; medR and R@K from them.

The score of a pair is the inner product of its two vectors, summed in float64 and in one fixed order, so
that equal vectors get exactly equal scores wherever they stand. Computing every score that way would be slow,
and a float32 matrix product rounds differently from row to row. So the product only decides what it safely
can: a score farther from that of the true match than the rounding error is certainly better or worse, and the
few pairs in between are scored again exactly.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from chef.errors import ChefError
from chef.typed_json import inline, optional

Floats = npt.NDArray[np.floating]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

ROWS, COLUMNS = 2048, 2048  # one tile of scores: 16 MB, large enough for a fast product on many cores
PAIRS = 512  # pairs scored exactly in one go: a few MB
AT = (1, 5, 10)  # R@1, R@5, R@10: the columns of Table 1
DEPTH_AT = (1, 2, 3)  # R@1, R@2, R@3 of the main ingredient: the columns of Table 2
CROWDED = 1 / 64  # above this share of undecided pairs a float64 product of the tile is cheaper


@dataclass(frozen=True, slots=True)
class Ranks:
    """The position of the true match of each query.

    better: (n,) items that score above the true match; tied: (n,) items that score the same, the true
    match itself included, so at least 1. With random tie-breaking the 1-based rank is uniform over
    better + 1 ... better + tied.
    """

    better: Integers
    tied: Integers

    def __len__(self) -> int:
        return len(self.better)

    @property
    def mid(self) -> Doubles:
        """(n,) 1-based mid-ranks: the mean of the ranks that the tied items share."""
        return self.better + (self.tied + 1) / 2


def rank_pairs(left: Floats, right: Floats) -> tuple[Ranks, Ranks]:
    """Ranks of right[i] among all of `right` for the query left[i], and of left[i] for the query right[i].

    Both matrices are (n, dimension), row i of one matches row i of the other, and are L2-normalised where
    the score should be the cosine.

    >>> image_to_recipe, recipe_to_image = rank_pairs(images, recipes)
    """
    scores = _Scores(left, right)
    forward, backward = (Ranks(*np.zeros((2, len(left)), np.int64)) for _ in range(2))  # filled tile by tile
    for rows in _slices(len(left), ROWS):
        for columns in _slices(len(left), COLUMNS):
            tile = scores.product(rows, columns, np.float32)
            _count(scores, tile, rows, columns, forward, along_rows=True)
            _count(scores, tile, rows, columns, backward, along_rows=False)
    return forward, backward


class _Scores:
    """The two matrices, the scores of the true pairs, and the error bound of a matrix product."""

    def __init__(self, left: Floats, right: Floats) -> None:
        if left.ndim != 2 or left.shape != right.shape or len(left) == 0:
            raise ChefError(
                f"cannot rank {left.shape} against {right.shape} vectors", "give one pair per row"
            )
        self.left, self.right = left, right
        self.scale = float(norms(left).max() * norms(right).max())
        everyone = np.arange(len(left))
        self.true = self.exact(everyone, everyone)

    @cached_property
    def same_left(self) -> Integers:
        return _first_equal(self.left)

    @cached_property
    def same_right(self) -> Integers:
        return _first_equal(self.right)

    def product(self, rows: slice, columns: slice, kind: type[np.floating]) -> Floats:
        """The tile of scores as a matrix product in the precision `kind`."""
        return self.left[rows].astype(kind, copy=False) @ self.right[columns].astype(kind, copy=False).T

    def error(self, kind: type[np.floating]) -> float:
        """The largest possible difference between `product` and `exact`: the textbook bound."""
        terms: int = self.left.shape[1] + 8  # 8: rounding the inputs and the thresholds
        rounding = terms * (float(np.finfo(kind).eps) + float(np.finfo(np.float64).eps)) / 2
        return rounding * self.scale + terms * float(np.finfo(kind).tiny)

    def exact(self, rows: Integers, columns: Integers) -> Doubles:
        """(m,) the scores of the pairs (rows[k], columns[k]), each summed in the same fixed order."""
        scores = np.empty(len(rows))
        for part in _slices(len(rows), PAIRS):
            products = self.left[rows[part]].astype(np.float64) * self.right[columns[part]]
            scores[part] = products.sum(axis=1)
        return scores


def _count(
    scores: _Scores, tile: Floats, rows: slice, columns: slice, counts: Ranks, *, along_rows: bool
) -> None:
    """Add the counts of one tile to its queries, which are its rows or its columns."""
    queries = rows if along_rows else columns
    true = scores.true[queries]
    margin = scores.error(np.float32)
    high, low = (true + margin).astype(np.float32), (true - margin).astype(np.float32)
    if along_rows:
        above, near = tile > high[:, None], tile >= low[:, None]
    else:
        above, near = tile > high, tile >= low
    counts.better[queries] += np.count_nonzero(above, axis=1 if along_rows else 0)
    undecided = near ^ above  # by the float32 product
    i, j = np.divmod(np.flatnonzero(undecided), undecided.shape[1])
    i, j = i + rows.start, j + columns.start
    query, item = (i, j) if along_rows else (j, i)
    if len(i) <= CROWDED * undecided.size:
        values = scores.exact(i, j)
    else:
        values = scores.product(rows, columns, np.float64)[i - rows.start, j - columns.start]
        # A collapsed model gives thousands of equal vectors: those need no arithmetic.
        same = scores.same_right if along_rows else scores.same_left
        equal = same[item] == same[query]
        values[equal] = scores.true[query[equal]]
        close = ~equal & (np.abs(values - scores.true[query]) <= scores.error(np.float64))
        values[close] = scores.exact(i[close], j[close])
    true = scores.true[query]
    for count, positions in ((counts.better, query[values > true]), (counts.tied, query[values == true])):
        if len(positions):  # bincount over the touched range only: far faster than np.add.at
            start = int(positions.min())
            added = np.bincount(positions - start)
            count[start : start + len(added)] += added


def _slices(count: int, step: int) -> Iterator[slice]:
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def norms(vectors: Floats) -> Doubles:
    """(n,) the lengths of the rows; a row that is not finite is an error, because NaN would rank first."""
    lengths = np.empty(len(vectors))
    for part in _slices(len(vectors), ROWS):
        lengths[part] = np.linalg.norm(vectors[part].astype(np.float64), axis=1)
    if not np.isfinite(lengths).all():
        row = int(np.flatnonzero(~np.isfinite(lengths))[0])
        raise ChefError(f"vector {row} holds a value that is not a number", "the model has diverged")
    return lengths


def _first_equal(vectors: Floats) -> Integers:
    """(n,) the position of the first row with the same bytes."""
    seen: dict[bytes, int] = {}
    digests = (hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in vectors)
    return np.array([seen.setdefault(digest, row) for row, digest in enumerate(digests)], np.int64)


def depth_ranks(depths: Sequence[Sequence[float]], gold: Sequence[int]) -> Ranks:
    """The rank of leaf gold[i] among the leaves at depths[i], shallowest first (Table 2).

    Ties are not free: a tree with all leaves at one depth ranks each ingredient first with equal chance. If
    the rank were the depth gap to the shallowest leaf, such a tree would always be right.

    >>> depth_ranks([[3, 3, 2, 1]], [2]).better
    array([1])
    """
    better, tied = [], []
    for leaves, position in zip(depths, gold, strict=True):
        better.append(sum(depth < leaves[position] for depth in leaves))
        tied.append(sum(depth == leaves[position] for depth in leaves))
    return Ranks(np.array(better, np.int64), np.array(tied, np.int64))


def gap_ranks(depths: Sequence[Sequence[float]], gold: Sequence[int]) -> Ranks:
    """The rank as the paper counts it: from 1, how much deeper leaf gold[i] is than the shallowest one.

    Ties cost nothing, so that a tree with all leaves at one depth is always right. For comparison only.
    """
    gaps = [min(leaves[at] - min(leaves), len(leaves)) for leaves, at in zip(depths, gold, strict=True)]
    return Ranks(np.array(gaps, np.int64), np.ones(len(gaps), np.int64))


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The metrics of one model on one set of queries, and their bootstrap intervals.

    >>> Scores(n=1000, values={"medR": 2.0, "R@1": 41.2})["R@1"]
    41.2
    """

    n: int | None = optional()  # the size of the gallery
    values: dict[str, float] = inline(
        r"medR|R@\d+|(strict_)?percent|strict|accepted|right|recipe-to-(image|recipe)"
    )
    ci: dict[str, list[float]] | None = optional()

    def __getitem__(self, metric: str) -> float:
        return self.values[metric]


def hits(ranks: Ranks, k: int) -> Doubles:
    """(n,) the chance, 0 to 1, that the true match is among the first k when ties are broken at random."""
    return np.clip((k - ranks.better) / ranks.tied, 0.0, 1.0)


def reciprocal(ranks: Ranks) -> Doubles:
    """(n,) the expected 1 / rank when ties are broken at random."""
    last = int((ranks.better + ranks.tied).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, last + 1))])
    total: Doubles = harmonic[ranks.better + ranks.tied] - harmonic[ranks.better]
    return total / ranks.tied


def score(ranks: Ranks, at: Sequence[int] = AT) -> dict[str, float]:
    """medR (median of the 1-based mid-ranks) and R@K in percent, 0 to 100.

    >>> score(ranks)
    {"medR": 2.0, "R@1": 41.2, "R@5": 70.9, "R@10": 80.3}
    """
    values = {"medR": float(np.median(ranks.mid))}
    for k in at:
        values[f"R@{k}"] = 100 * float(hits(ranks, k).mean())
    return values


def mean_scores(scores: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of each value over folds or draws: of medR, the mean of the medians."""
    return {name: float(np.mean([one[name] for one in scores])) for name in scores[0]}
