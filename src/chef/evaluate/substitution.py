"""Ingredient substitution (Tables 4, 5, S3): with A's tokens turned into B, does a recipe find dishes with B?

**Success rate.** In each query (`chef.evaluate.queries`) every canonical token of A's family becomes the
token of B, in title, ingredients and instructions; its trees are kept. The changed recipe is compared by
cosine with the photos (recipe-to-image) or the recipes (recipe-to-recipe) of the whole gallery, the query's
own photo and recipe left out. It succeeds if the ingredient list of the one top recipe holds a canonical
token of B's family (`families.tsv`); whether A is there too does not matter. Of recipes tied for the top the
share that hold B counts. The rate is the mean over the queries, in percent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chef.errors import ChefError
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.nearest import nearest, success
from chef.evaluate.queries import ENOUGH, Queries, choose_queries
from chef.evaluate.rates import gain, interval, percent
from chef.evaluate.swapper import Swapper
from chef.measure.ranks import Booleans, Doubles
from chef.model.encoder import Vectors

__all__ = ["DIRECTIONS", "Queries", "choose_queries", "galleries", "substitution_task"]

DIRECTIONS = ("recipe-to-image", "recipe-to-recipe")
SEEN = "train"  # the split whose recipes the models were trained on

Pair = tuple[str, str]  # (A, B)
Hits = dict[str, Doubles]  # for each direction, what each query scored, 0 to 1


def substitution_task(subject: EvaluatedModel, queries: Queries, seed: int) -> dict[str, Any]:
    """The "substitution" part of a result: for each ordered pair, "chicken->beef", an entry.

    An entry is {"queries", "recipe-to-image", "recipe-to-recipe"} with the success rates, and the same two
    rates under "baseline" (the unchanged recipe), "reinferred" (trees chosen anew) and "two-step" (the round
    A -> B -> A, see `_two_steps`); "ci" are the intervals of the rates, "gain" what they are above the
    baseline, "put-in" the token that stood for B, "each" the queries one by one, "seen" true for a recipe of
    the training split. Where the gallery is all splits the rates are over all queries, and once more, under
    the name of the split asked for, over its queries alone. Beside the pairs: "queries-from", "gallery", and
    "skipped", which says why a pair is not there.

    >>> substitution_task(subject, choose_queries(population, subject), seed=0)["chicken->beef"]["baseline"]
    {"recipe-to-image": 2.1, "recipe-to-recipe": 1.4}
    """
    population = subject.population
    if queries.ids != population.ids:
        raise ChefError("the queries were chosen from other recipes", "choose them from the same population")
    swapper = Swapper(subject)
    reasons = {(a, b): _reason(swapper, a, b, len(rows)) for (a, b), rows in queries.pairs.items()}
    pairs = [pair for pair, reason in reasons.items() if reason is None]
    # All changes of a recipe follow each other: sentences that they share are read once.
    swaps = sorted((row, a, b) for a, b in pairs for row in queries.pairs[a, b])
    kept, anew = (dict(zip(swaps, way(swaps), strict=True)) for way in (swapper.kept, swapper.anew))
    table = {}
    for a, b in pairs:
        of_pair = [(row, a, b) for row in queries.pairs[a, b]]
        changed, reinferred = (np.stack([way[swap] for swap in of_pair]) for way in (kept, anew))
        table[f"{a}->{b}"] = _entry(subject, swapper, queries, (a, b), changed, reinferred, seed)
    return {
        **table,
        "queries-from": queries.chooser,
        "gallery": {"recipes": len(population), "splits": sorted(set(population.splits))},
        "skipped": {f"{a}->{b}": reason for (a, b), reason in reasons.items() if reason is not None},
    }


def galleries(subject: EvaluatedModel) -> dict[str, Vectors]:
    """What each direction searches: the photos, or the recipes."""
    return dict(zip(DIRECTIONS, (subject.images, subject.recipes), strict=True))


def _reason(swapper: Swapper, a: str, b: str, count: int) -> str | None:
    if count < ENOUGH:
        return f"{count} queries, {ENOUGH} are needed"
    unknown = [name for name in (a, b) if swapper.words[name] is None]
    return f"the model knows no word for {unknown[0]}" if unknown else None


def _entry(
    subject: EvaluatedModel,
    swapper: Swapper,
    queries: Queries,
    pair: Pair,
    changed: Vectors,
    reinferred: Vectors,
    seed: int,
) -> dict[str, Any]:
    rows = np.array(queries.pairs[pair])
    splits = np.array(subject.population.splits)[rows]
    hits = {
        "changed": _hits(subject, queries, pair, changed),
        "baseline": _hits(subject, queries, pair, subject.recipes[rows]),
        "reinferred": _hits(subject, queries, pair, reinferred),
        "two-step": _two_steps(subject, swapper, queries, pair, changed),
    }
    of_split = splits == subject.population.split
    entry = _rates(hits, np.full(len(rows), True), seed)
    if len(set(subject.population.splits)) > 1 and of_split.any():
        entry[subject.population.split] = _rates(hits, of_split, seed)
    return {
        **entry,
        "put-in": swapper.words[pair[1]],
        "each": {
            "ids": [queries.ids[row] for row in rows],
            "seen": (splits == SEEN).tolist(),
            **{direction: hits["changed"][direction].tolist() for direction in DIRECTIONS},
        },
    }


def _hits(subject: EvaluatedModel, queries: Queries, pair: Pair, vectors: Vectors) -> Hits:
    """What these vectors of the queries of A -> B find: B or not."""
    without = [(row,) for row in queries.pairs[pair]]
    wanted = queries.contains[pair[1]]
    return {way: success(vectors, items, without, wanted) for way, items in galleries(subject).items()}


def _two_steps(
    subject: EvaluatedModel, swapper: Swapper, queries: Queries, pair: Pair, changed: Vectors
) -> Hits:
    """A -> B -> A: the top recipe found for B is changed to A in its turn; does it find A again?

    A query succeeds when the first top recipe holds B (of ties the first in the gallery is taken) and the
    second holds A; the second search leaves out both the query and the first top recipe.
    """
    a, b = pair
    rows = queries.pairs[pair]
    result: Hits = {}
    for way, items in galleries(subject).items():
        tops = [top for (top,) in nearest(changed, items, [(row,) for row in rows], 1)]
        on = [place for place, top in enumerate(tops) if queries.contains[b][top]]
        result[way] = np.zeros(len(rows))
        if on:
            middles = sorted({tops[place] for place in on})  # one dish often answers several queries
            back = dict(zip(middles, swapper.kept([(middle, b, a) for middle in middles]), strict=True))
            vectors = np.stack([back[tops[place]] for place in on])
            without = [(rows[place], tops[place]) for place in on]
            result[way][on] = success(vectors, items, without, queries.contains[a])
    return result


def _rates(hits: dict[str, Hits], chosen: Booleans, seed: int) -> dict[str, Any]:
    """The rates over the chosen queries."""
    scored = {name: {way: values[chosen] for way, values in ways.items()} for name, ways in hits.items()}
    changed = scored.pop("changed")
    return {
        "queries": int(chosen.sum()),
        **{way: percent(values) for way, values in changed.items()},
        **{name: {way: percent(values) for way, values in ways.items()} for name, ways in scored.items()},
        "ci": {way: interval(values, seed) for way, values in changed.items()},
        "gain": {way: gain(values, scored["baseline"][way], seed) for way, values in changed.items()},
    }
