"""The paired bootstrap test: is one model better than another on the same queries?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chef.errors import ChefError
from chef.measure.intervals import percentiles, resample
from chef.measure.ranks import Doubles, Integers, Ranks
from chef.measure.scores import AT, hits, reciprocal


def paired(
    members: Sequence[Integers],
    first: Sequence[Ranks],
    second: Sequence[Ranks],
    seed: int,
    at: Sequence[int] = AT,
) -> dict[str, dict[str, Any]]:
    """first minus second, in percent, of the mean reciprocal rank ("MRR") and each R@K, averaged over folds.

    members, first, second: for each fold its pairs, and their ranks by the two models. "ci" is the bootstrap
    interval of the difference. "p" is two-sided: twice the share of resamples on the other side of zero.

    >>> paired([np.arange(len(a))], [a], [b], seed=0)["R@1"]
    {"difference": 1.4, "ci": [0.2, 2.7], "p": 0.03}
    """
    if [len(ranks) for ranks in first] != [len(ranks) for ranks in second]:
        raise ChefError("the two models were measured on different queries", "measure both on the same data")
    names = ["MRR", *(f"R@{k}" for k in at)]
    gaps = [_values(a, at) - _values(b, at) for a, b in zip(first, second, strict=True)]
    if all(np.array_equal(members[0], fold) for fold in members[1:]):
        # Several draws over the same queries: the mean of means is the mean of each query's mean.
        members, gaps = members[:1], [np.mean(gaps, axis=0)]
    observed = np.mean([gap.mean(axis=0) for gap in gaps], axis=0)
    drawn = np.array([_mean_gap(gaps, weights) for weights in resample(members, seed)])
    return {
        name: {
            "difference": float(observed[column]),
            "ci": percentiles(drawn[:, column]),
            "p": two_sided_p(drawn[:, column]),
        }
        for column, name in enumerate(names)
    }


def _values(ranks: Ranks, at: Sequence[int]) -> Doubles:
    """(n, 1 + len(at)) what each query adds to the mean reciprocal rank and to each R@K, in percent."""
    return 100 * np.stack([reciprocal(ranks), *(hits(ranks, k) for k in at)], axis=1)


def _mean_gap(gaps: Sequence[Doubles], weights: Sequence[Integers]) -> Doubles:
    means = [weight @ gap / weight.sum() for gap, weight in zip(gaps, weights, strict=True) if weight.any()]
    return np.asarray(np.mean(means, axis=0))


def two_sided_p(drawn: Doubles) -> float:
    """Twice the share of resampled differences on the other side of zero; never 0, at most 1."""
    # + 1: the observed sample is one of the possible ones, so p is never 0.
    one_side = (1 + min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))) / (1 + len(drawn))
    return float(min(1.0, 2 * one_side))
