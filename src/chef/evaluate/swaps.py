"""Galleries of substitutions: a few queries of each pair, and the dishes that the changed recipe finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.nearest import nearest
from chef.evaluate.queries import ENOUGH, Queries
from chef.evaluate.substitution import SEEN, galleries
from chef.evaluate.swapper import Swapper

SHOWN = 3  # queries of each pair
TOP = 5  # dishes found for each


def swap_examples(
    subject: EvaluatedModel, queries: Queries, seed: int, photo: Callable[[int], str | None]
) -> list[dict[str, Any]]:
    """The "swaps" figure: up to 3 queries of each pair, drawn by the seed, with their top 5 both ways.

    photo: the picture of the recipe at a position, as the report shows it. Queries of the split asked for
    come before others; `contains` says whether a dish holds B.
    """
    swapper = Swapper(subject)
    generator = np.random.default_rng(seed)
    shown = []
    for (a, b), rows in queries.pairs.items():
        drawn = [rows[place] for place in generator.permutation(len(rows))]
        if len(rows) < ENOUGH or swapper.words[b] is None:
            continue
        drawn.sort(key=lambda row: subject.population.splits[row] != subject.population.split)
        chosen = drawn[:SHOWN]
        vectors = swapper.kept([(row, a, b) for row in chosen])
        without = [(row,) for row in chosen]
        found = {way: nearest(vectors, items, without, TOP) for way, items in galleries(subject).items()}
        for place, row in enumerate(chosen):
            dishes = {
                way: [
                    {**_dish(subject, top, photo), "contains": bool(queries.contains[b][top])}
                    for top in tops[place]
                ]
                for way, tops in found.items()
            }
            shown.append({"pair": f"{a}->{b}", "query": _dish(subject, row, photo), **dishes})
    return shown


def _dish(subject: EvaluatedModel, row: int, photo: Callable[[int], str | None]) -> dict[str, Any]:
    population = subject.population
    return {
        "id": population.ids[row],
        "title": population.recipes[row].title,
        "photo": photo(row),
        "seen": population.splits[row] == SEEN,
    }
