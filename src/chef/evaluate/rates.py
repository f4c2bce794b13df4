"""Success rates in percent with bootstrap intervals, and whether one is truly higher than another."""

from __future__ import annotations

from typing import Any

import numpy as np

from chef.measure.bootstrap import percentiles, resample
from chef.measure.ranks import Doubles


def percent(hits: Doubles) -> float:
    """The mean of what each query scored, 0 to 1, in percent."""
    return 100 * float(hits.mean())


def interval(hits: Doubles, seed: int) -> list[float]:
    """[low, high] of `percent` over resampled queries."""
    return percentiles(_drawn(hits, seed))


def gain(hits: Doubles, before: Doubles, seed: int) -> dict[str, Any]:
    """`percent(hits) - percent(before)` on the same queries, its interval, and its two-sided p.

    >>> gain(swapped, unchanged, seed=0)
    {"difference": 21.4, "ci": [12.1, 31.0], "p": 0.002}
    """
    drawn = _drawn(hits - before, seed)
    # + 1: the observed sample is one of the possible ones, so p is never 0.
    one_side = (1 + min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))) / (1 + len(drawn))
    return {
        "difference": percent(hits - before),
        "ci": percentiles(drawn),
        "p": float(min(1.0, 2 * one_side)),
    }


def _drawn(values: Doubles, seed: int) -> Doubles:
    everyone = np.arange(len(values))
    return np.array(
        [100 * float(weights @ values) / len(values) for (weights,) in resample([everyone], seed)]
    )
