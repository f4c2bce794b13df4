"""Measured: one model's result, and what of it is needed to compare it with another's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chef.evaluate.actions import Hits
from chef.evaluate.rates import gain
from chef.evaluate.substitution import DIRECTIONS
from chef.measure.bootstrap import paired
from chef.measure.ranks import DEPTH_AT, Ranks
from chef.measure.retrieval import RetrievalRanks, compare


@dataclass
class Measured:
    """A result as it is written, and the ranks behind it. What a task did not give is None."""

    result: dict[str, Any]
    retrieval: RetrievalRanks | None = None
    main_ingredient: tuple[list[str], Ranks] | None = None  # the recipes with a gold ingredient; its ranks
    actions: Hits | None = None


def comparison(first: Measured, second: Measured, seed: int) -> dict[str, Any]:
    """The paired tests of two models on the same recipes, first minus second, for every task both did.

    >>> comparison(tree, attention, seed=0)["retrieval"]["image-to-recipe"]["full"]["R@1"]["p"]
    """
    pair = (first.result, second.result)
    found: dict[str, Any] = {
        "first": pair[0]["model"],
        "second": pair[1]["model"],
        "seeds": [result["about"]["seed"] for result in pair],
    }
    if first.retrieval and second.retrieval:
        found["retrieval"] = compare(first.retrieval, second.retrieval)
    if first.main_ingredient and second.main_ingredient:
        (recipes, ranks), (other_recipes, other_ranks) = first.main_ingredient, second.main_ingredient
        if recipes == other_recipes:  # models with another canonical map know the mass of other recipes
            everyone = [np.arange(len(recipes))]
            found["main-ingredient"] = paired(everyone, [ranks], [other_ranks], seed, DEPTH_AT)
    if first.actions and second.actions and np.array_equal(first.actions.counts, second.actions.counts):
        found["actions"] = first.actions.against(second.actions, seed)
    swaps = [result.get("substitution", {}) for result in pair]
    if tests := _substitution(swaps[0], swaps[1], seed):
        found["substitution"] = tests
    return found


def _substitution(first: dict[str, Any], second: dict[str, Any], seed: int) -> dict[str, Any]:
    """For each pair of ingredients that both models did, and each direction, the test on its queries."""
    return {
        name: {
            way: gain(np.array(entry["each"][way]), np.array(second[name]["each"][way]), seed)
            for way in DIRECTIONS
        }
        for name, entry in first.items()
        if "->" in name and name in second
    }
