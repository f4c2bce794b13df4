"""The statistics of the substitutions: gains over the unchanged recipe, models compared, median ranks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from chef.evaluate.results import Substitution, SwapRates
from chef.food.kinds import members
from chef.measure.bootstrap import percentiles, resample
from chef.report.gap import Gap, Verdict, settle
from chef.report.names import shown
from chef.report.study import Study
from chef.report.table import Value

TASK = "substitution"
WAYS = {"recipe-to-image": "R-2-I", "recipe-to-recipe": "R-2-R"}


def parts(study: Study, model: str) -> list[Substitution]:
    """The part of each run of a model."""
    return [run.substitution for run in study.of(model) if run.substitution]


def pairs_of(study: Study) -> list[str]:
    """The pairs that some run has, in the order of the result."""
    every = [part for model in study.able(TASK) for part in parts(study, model)]
    return list(dict.fromkeys(pair for part in every for pair in part.pairs))


def rates(study: Study, model: str, pair: str, split: str | None = None) -> list[SwapRates]:
    """The rates of a pair in each run, over all queries or over those of one split."""
    runs = [part.pairs[pair] for part in parts(study, model) if pair in part.pairs]
    return [run.splits[split] if split else run.rates for run in runs if not split or split in run.splits]


def gains(study: Study, model: str, pairs: Sequence[str]) -> list[Verdict]:
    """For each pair and direction whether the swap beats the unchanged recipe in every run."""
    runs = [(rates(study, model, pair), way) for pair in pairs for way in WAYS]
    return [settle([Gap.paired(run.gain[way]) for run in having]) for having, way in runs if having]


def together(part: Substitution, way: str) -> Gap:
    """What the swap gains over the unchanged recipe, over all pairs, each weighted by its queries.

    The ends of the interval are the means of the pairs' ends, as if the pairs were fully correlated. So it is
    never too narrow, although recipes are queried more than once.
    """
    pairs = [pair.rates for pair in part.pairs.values()]
    rows = np.array([[pair.gain[way].difference, *pair.gain[way].ci] for pair in pairs])
    return Gap(*np.average(rows, axis=0, weights=[pair.queries for pair in pairs]).tolist())


def pooled_rivals(study: Study, model: str) -> dict[str, dict[str, list[Gap]]]:
    """For each direction, the success rate of a model minus that of each model without a tree.

    Runs are compared that were trained with the same seed and given the same queries.
    """
    gaps: dict[str, dict[str, list[Gap]]] = {way: {} for way in WAYS}
    for other in study.able(TASK):
        for mine in study.of(model) if not study.has_tree(other) else ():
            for theirs in study.of(other):
                first, second = mine.substitution, theirs.substitution
                same_seed = mine.about.seed == theirs.about.seed
                if same_seed and first and second and _queries(first) == _queries(second):
                    for way in WAYS:
                        gap = pooled(first, second, way, mine.seed)
                        gaps[way].setdefault(shown(other), []).append(gap)
    return gaps


def pooled(first: Substitution, second: Substitution, way: str, seed: int) -> Gap:
    """First minus second over all pairs, in percentage points, with its bootstrap interval.

    Recipes are resampled, not queries, because one recipe is queried for several new ingredients.
    """
    differences: dict[str, list[float]] = defaultdict(list)
    for pair, ids in _queries(first).items():
        hits = (part.pairs[pair].each.hits[way] for part in (first, second))
        for name, a, b in zip(ids, *hits, strict=True):
            differences[name].append(a - b)
    sums = np.array([sum(values) for values in differences.values()])
    counts = np.array([len(values) for values in differences.values()])
    drawn = [100 * (w @ sums) / (w @ counts) for (w,) in resample([np.arange(len(sums))], seed)]
    return Gap(float(100 * sums.sum() / counts.sum()), *percentiles(np.array(drawn)))


def _queries(part: Substitution) -> dict[str, list[str]]:
    return {name: pair.each.ids for name, pair in part.pairs.items()}


def median_ranks(study: Study) -> dict[str, dict[str, float]]:
    """For each replaced ingredient the models' median rank, by the mean rates over runs; {} for one model."""
    models = study.able(TASK)
    if len(models) < 2:
        return {}
    return rank_models(
        {
            model: {
                pair: {way: value.mean for way in WAYS if (value := Value.of(successes, way))}
                for pair in pairs_of(study)
                if (successes := [run.success for run in rates(study, model, pair)])
            }
            for model in models
        }
    )


def rank_models(models: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """For each family A that is replaced, the median rank of each model (Tables 4, 5, S3).

    models: the success rates of each model by pair and direction. A column of the table is one target B in
    one direction. In each the models are ranked by success rate, 1 the best, equal rates sharing the better
    rank; the result is the median over the columns that every model has. The rates of Tables 4 and S3 ranked
    in this way give their printed columns; the column of Table 5 does not follow from its rates.

    >>> rank_models({"t+t+l": first, "s+l+l": second})
    {"chicken": {"t+t+l": 1.0, "s+l+l": 2.0}}
    """
    table: dict[str, dict[str, float]] = {}
    for source in members():
        pairs = [f"{source}->{target}" for target in members()]
        shared = [pair for pair in pairs if all(pair in rates for rates in models.values())]
        columns = [[rates[pair][way] for rates in models.values()] for pair in shared for way in WAYS]
        if columns:
            table[source] = {
                model: float(median(1 + sum(other > column[place] for other in column) for column in columns))
                for place, model in enumerate(models)
            }
    return table
