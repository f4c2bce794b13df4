"""Bootstrap confidence intervals, and the paired bootstrap test between two models.

A resample draws the queries with replacement, once for all folds: folds share pairs when the population is
small, and drawing each fold independently would make the intervals too narrow. The gallery is not resampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chef.errors import ChefError
from chef.measure.ranks import AT, Doubles, Integers, Ranks, Scores, hits, mean_scores, reciprocal

RESAMPLES = 1_000
LEVEL = 95.0  # percent


def intervals(
    members: Sequence[Integers], ranks: Sequence[Ranks], seed: int, at: Sequence[int] = AT
) -> dict[str, list[float]]:
    """[low, high] of medR and each R@K, as `chef.measure.ranks.score` gives them, averaged over folds.

    members: the pairs of each fold, as positions in the population; ranks: their ranks within the fold.

    >>> intervals([np.arange(len(ranks))], [ranks], seed=0)["R@1"]
    [39.9, 42.6]
    """
    tables = [_Sorted(fold, at) for fold in ranks]
    samples: dict[str, list[float]] = {}
    for weights in resample(members, seed):
        drawn = [
            table.score(weight[table.order])
            for table, weight in zip(tables, weights, strict=True)
            if weight.any()
        ]
        for name, value in mean_scores(drawn).items():
            samples.setdefault(name, []).append(value)
    return {name: percentiles(values) for name, values in samples.items()}


def resample(members: Sequence[Integers], seed: int) -> Iterator[list[Integers]]:
    """How often each member of each fold was drawn, resample after resample."""
    pairs = np.unique(np.concatenate(members))
    places = [np.searchsorted(pairs, fold) for fold in members]
    generator = np.random.default_rng(seed)
    for _ in range(RESAMPLES):
        drawn = np.bincount(generator.integers(len(pairs), size=len(pairs)), minlength=len(pairs))
        yield [drawn[place] for place in places]


def resampled_percent(values: Doubles, counts: Doubles | Integers, seed: int) -> Doubles:
    """The sum of the values in percent of the sum of the counts, in each resample.

    values: (n,) or (n, metrics) what each member scored, of at most counts[i].
    """
    everyone = [np.arange(len(counts))]
    return np.array([100 * (w @ values) / (w @ counts) for (w,) in resample(everyone, seed)])


def percent_scores(values: Doubles, counts: Doubles | Integers, names: Sequence[str], seed: int) -> Scores:
    """The sum of each column of the values, (n, metrics), in percent of the counts, with intervals."""
    percent = 100 * values.sum(axis=0) / counts.sum()
    resampled = resampled_percent(values, counts, seed)
    ci = {name: percentiles(resampled[:, column]) for column, name in enumerate(names)}
    return Scores(values=dict(zip(names, percent.tolist(), strict=True)), ci=ci)


def percentiles(values: Sequence[float] | Doubles) -> list[float]:
    """[low, high] of the central LEVEL percent of the values."""
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    return [float(low), float(high)]


class _Sorted:
    """The queries of one fold sorted by rank, which makes a weighted median one cumulative sum."""

    def __init__(self, ranks: Ranks, at: Sequence[int]) -> None:
        self.order = np.argsort(ranks.mid, kind="stable")
        self.mid = ranks.mid[self.order]
        self.names = [f"R@{k}" for k in at]
        self.hits = np.stack([100 * hits(ranks, k)[self.order] for k in at], axis=1)

    def score(self, weights: Integers) -> dict[str, float]:
        """The scores of the fold when query i, in this order, counts weights[i] times."""
        cumulative = np.cumsum(weights)
        total = int(cumulative[-1])
        middle = np.searchsorted(cumulative, [(total - 1) // 2, total // 2], side="right")
        means = weights @ self.hits / total
        return {"medR": float(self.mid[middle].mean()), **dict(zip(self.names, means.tolist(), strict=True))}


@dataclass(frozen=True)
class PairedTest:
    """The difference of two figures on the same queries, its bootstrap interval, and the two-sided p."""

    difference: float
    ci: list[float]
    p: float

    @classmethod
    def of(cls, difference: float, resampled: Doubles) -> PairedTest:
        """p is twice the share of resampled differences on the other side of zero; never 0, at most 1."""
        # + 1: the observed sample is itself one of the possible ones.
        one_side = 1 + min(np.count_nonzero(resampled <= 0), np.count_nonzero(resampled >= 0))
        p = min(1.0, 2 * one_side / (1 + len(resampled)))
        return cls(float(difference), percentiles(resampled), float(p))


def paired(
    members: Sequence[Integers],
    first: Sequence[Ranks],
    second: Sequence[Ranks],
    seed: int,
    at: Sequence[int] = AT,
) -> dict[str, PairedTest]:
    """first minus second, in percent, of the mean reciprocal rank ("MRR") and each R@K, averaged over folds.

    members, first, second: the pairs of each fold, and their ranks under the two models.

    >>> paired([np.arange(len(a))], [a], [b], seed=0)["R@1"]
    PairedTest(difference=1.4, ci=[0.2, 2.7], p=0.03)
    """
    if [len(ranks) for ranks in first] != [len(ranks) for ranks in second]:
        raise ChefError("the two models were measured on different queries", "measure both on the same data")
    names = ["MRR", *(f"R@{k}" for k in at)]
    gaps = [_values(a, at) - _values(b, at) for a, b in zip(first, second, strict=True)]
    if all(np.array_equal(members[0], fold) for fold in members[1:]):
        # Repeated draws over the same queries: average each query first, the mean stays the same.
        members, gaps = members[:1], [np.mean(gaps, axis=0)]
    observed = np.mean([gap.mean(axis=0) for gap in gaps], axis=0)
    drawn = np.array(
        [
            np.mean([w @ gap / w.sum() for gap, w in zip(gaps, weights, strict=True) if w.any()], axis=0)
            for weights in resample(members, seed)
        ]
    )
    return {name: PairedTest.of(observed[column], drawn[:, column]) for column, name in enumerate(names)}


def _values(ranks: Ranks, at: Sequence[int]) -> Doubles:
    """(n, 1 + len(at)) the contribution of each query to the MRR and to each R@K, in percent."""
    return 100 * np.stack([reciprocal(ranks), *(hits(ranks, k) for k in at)], axis=1)
