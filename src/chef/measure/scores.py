"""medR and R@K from ranks, as expected values when ties are broken at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chef.measure.ranks import Doubles, Ranks
from chef.typed_json import inline, optional

AT = (1, 5, 10)  # R@1, R@5, R@10: the columns of Table 1


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The metrics of one model on one set of queries, and their bootstrap intervals.

    >>> Scores(n=1000, values={"medR": 2.0, "R@1": 41.2})["R@1"]
    41.2
    """

    n: int | None = optional()  # the size of the gallery
    values: dict[str, float] = inline(r"medR|R@\d+|(strict_)?percent|recipe-to-(image|recipe)")
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
