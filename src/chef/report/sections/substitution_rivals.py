"""All pairs of ingredients together: what a swap gains, and which of two models substitutes better."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from chef.measure.bootstrap import percentiles, resample
from chef.report.gap import Gap
from chef.report.names import shown
from chef.report.sections.substitution_more import TASK, WAYS
from chef.report.study import Part, Study


def pooled_rivals(study: Study, model: str) -> dict[str, dict[str, list[Gap]]]:
    """For each direction, the success rate of a model minus that of each model without a tree.

    Runs are compared that were trained with the same seed and asked the same queries.
    """
    found: dict[str, dict[str, list[Gap]]] = {way: {} for way in WAYS}
    for other in study.able(TASK):
        if study.has_tree(other):
            continue
        for mine in study.of(model):
            for theirs in study.of(other):
                first, second = mine.part(TASK), theirs.part(TASK)
                if mine.seed == theirs.seed and first and second and _asked(first) == _asked(second):
                    for way in WAYS:
                        gap = pooled(first, second, way, mine.result["seed"])
                        found[way].setdefault(shown(other), []).append(gap)
    return found


def pooled(first: Part, second: Part, way: str, seed: int) -> Gap:
    """First minus second over all pairs, in percent points, with its bootstrap interval.

    Recipes are resampled, not queries: one recipe is asked for several new ingredients.
    """
    gains: dict[str, list[float]] = defaultdict(list)
    for pair, ids in _asked(first).items():
        for name, a, b in zip(ids, first[pair]["each"][way], second[pair]["each"][way], strict=True):
            gains[name].append(a - b)
    sums = np.array([sum(values) for values in gains.values()])
    counts = np.array([len(values) for values in gains.values()])
    drawn = [100 * (w @ sums) / (w @ counts) for (w,) in resample([np.arange(len(sums))], seed)]
    return Gap(float(100 * sums.sum() / counts.sum()), *percentiles(np.array(drawn)))


def together(part: Part, way: str) -> Gap:
    """What the swap gains over the unchanged recipe, over all pairs, each weighted by its queries.

    The ends of the interval are the means of the pairs' ends. That is what it would be if the pairs rose and
    fell as one, so it is never too narrow, though recipes are asked more than once.
    """
    entries = [entry for pair, entry in part.items() if "->" in pair]
    gaps = [Gap.paired(entry["gain"][way]) for entry in entries]
    rows = np.array([[gap.difference, gap.low, gap.high] for gap in gaps])
    return Gap(*np.average(rows, axis=0, weights=[entry["queries"] for entry in entries]).tolist())


def _asked(part: Part) -> dict[str, list[str]]:
    """The queries of each pair."""
    return {pair: entry["each"]["ids"] for pair, entry in part.items() if "->" in pair}
