"""Bootstrap confidence intervals over queries.

A resample draws the pairs with replacement, once for all folds: folds share pairs when the population is
small, and drawing each fold alone would make the intervals too narrow. The gallery stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from chef.measure.ranks import Doubles, Integers, Ranks
from chef.measure.scores import AT, hits, mean_scores

RESAMPLES = 1_000
LEVEL = 95.0  # percent


def intervals(
    members: Sequence[Integers], ranks: Sequence[Ranks], seed: int, at: Sequence[int] = AT
) -> dict[str, list[float]]:
    """[low, high] of medR and each R@K, as `chef.measure.scores.score` gives them, averaged over folds.

    members: for each fold the pairs in it, as positions in the population; ranks: for each fold their ranks.

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


def resample(members: Sequence[Integers], seed: int, resamples: int = RESAMPLES) -> Iterator[list[Integers]]:
    """For each resample and each fold: how often each of the fold's members was drawn."""
    pairs = np.unique(np.concatenate(members))
    places = [np.searchsorted(pairs, fold) for fold in members]
    generator = np.random.default_rng(seed)
    for _ in range(resamples):
        drawn = np.bincount(generator.integers(len(pairs), size=len(pairs)), minlength=len(pairs))
        yield [drawn[place] for place in places]


def percentiles(values: Sequence[float] | Doubles) -> list[float]:
    """[low, high] around the middle LEVEL percent of the values."""
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    return [float(low), float(high)]


class _Sorted:
    """The queries of one fold in order of rank, so that a weighted median is one cumulative sum."""

    def __init__(self, ranks: Ranks, at: Sequence[int]) -> None:
        self.order = np.argsort(ranks.mid, kind="stable")
        self.mid = ranks.mid[self.order]
        self.names = [f"R@{k}" for k in at]
        self.hits = np.stack([100 * hits(ranks, k)[self.order] for k in at], axis=1)

    def score(self, weights: Integers) -> dict[str, float]:
        """The scores of the fold when query i, in this order, counts weights[i] times."""
        upto = np.cumsum(weights)
        total = int(upto[-1])
        middle = np.searchsorted(upto, [(total - 1) // 2, total // 2], side="right")
        means = weights @ self.hits / total
        return {"medR": float(self.mid[middle].mean()), **dict(zip(self.names, means.tolist(), strict=True))}
