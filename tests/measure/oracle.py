"""Slow, obvious retrieval measures: python loops, exact sums, every way to break the ties."""

import itertools
import math
import statistics
from collections.abc import Sequence

import ir_measures
import numpy as np
from ir_measures import RR, R

from chef.measure.ranks import Ranks


def naive_ranks(queries: np.ndarray, gallery: np.ndarray) -> Ranks:
    """Ranks of gallery[i] for queries[i] from exact inner products, one pair at a time."""
    better, tied = [], []
    for i, query in enumerate(queries.tolist()):
        scores = [math.fsum(a * b for a, b in zip(query, item, strict=True)) for item in gallery.tolist()]
        better.append(sum(score > scores[i] for score in scores))
        tied.append(sum(score == scores[i] for score in scores))
    return Ranks(np.array(better), np.array(tied))


def naive_scores(ranks: Ranks, at: tuple[int, ...]) -> dict[str, float]:
    """medR and R@K by listing, for each query, every rank that its true match can get."""
    possible = [
        range(b + 1, b + t + 1) for b, t in zip(ranks.better.tolist(), ranks.tied.tolist(), strict=True)
    ]
    scores = {"medR": statistics.median(statistics.mean(ranks) for ranks in possible)}
    for k in at:
        scores[f"R@{k}"] = 100 * statistics.mean(
            statistics.mean(float(rank <= k) for rank in ranks) for ranks in possible
        )
    return scores


def ir_measures_scores(scores: np.ndarray, at: tuple[int, ...]) -> dict[str, float]:
    """R@K and the mean reciprocal rank by ir-measures, averaged over every order of the gallery.

    scores[i, j]: of item j for query i, whose true match is item i. ir-measures breaks ties in its own way,
    so each order of the gallery in turn gives the items distinct scores: by score first, then by place.
    """
    each = [_ir_measures(scores, order, at) for order in itertools.permutations(range(len(scores)))]
    return {name: statistics.mean(one[name] for one in each) for name in each[0]}


def _ir_measures(scores: np.ndarray, order: Sequence[int], at: tuple[int, ...]) -> dict[str, float]:
    """The measures of ir-measures when ties are broken by the place of an item in `order`."""
    count = len(scores)
    wanted = [ir_measures.Qrel(f"q{i}", f"d{i}", 1) for i in range(count)]
    run = []
    for i in range(count):
        ranking = sorted(range(count), key=lambda j: (-scores[i, j], order[j]))
        run += [ir_measures.ScoredDoc(f"q{i}", f"d{j}", float(-place)) for place, j in enumerate(ranking)]
    values = ir_measures.calc_aggregate([RR, *(R @ k for k in at)], wanted, run)
    return {"MRR": 100 * values[RR], **{f"R@{k}": 100 * values[R @ k] for k in at}}
