"""Ingredient pruning (Tables 3 and S2): does a recipe find its photo when its least important ingredients go?

Importance is leaf depth: the deepest leaves go first. Of tied leaves the pair merged earlier goes first, then
the later-listed leaf. One ingredient always stays, and every K is scored on the same recipes, all of them: a
recipe too short to lose K ingredients loses what it can. The control removes random ingredients instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from chef.evaluate.cannot import CannotDo
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.measure.retrieval import DIRECTIONS, RetrievalRanks, compare, retrieval_ranks, summary
from chef.measure.scores import mean_scores, score
from chef.model.edit import removal_order, without
from chef.model.encoder import Vectors
from chef.model.tree import Tree

REMOVE, KEEP, DEPTH, RANDOM = "remove-last", "keep-first", "keep-depth", "random"
MODES = {REMOVE: (0, 1, 2, 3, 4), KEEP: (3, 4, 5, 6), DEPTH: (3, 4)}
RANDOM_K = (1, 2, 3, 4)
DRAWS = 3  # times the random ingredients are drawn
SIZES = {"1k": 1_000}  # the folds of Table 3

Leaves = Sequence[Sequence[int]]  # for each recipe, the positions of the ingredients that go


def pruning_task(subject: EvaluatedModel, seed: int) -> dict[str, Any]:
    """The "pruning" part of a result: for each mode and K a cell.

    A cell is {"n", "removed", "image-to-recipe", "recipe-to-image", "reinferred", "against-original",
    "against-random"}: both directions hold medR and R@K of the full set with intervals, and under "1k" those
    of the folds where there are enough recipes; "removed" is the mean number of ingredients that went. The
    trees are kept; under "reinferred", without intervals, the model chose them anew. "against-..." are paired
    tests on the full set, the cell minus the other. Random cells are means over several draws.

    >>> pruning_task(subject, seed=0)["remove-last"]["1"]["image-to-recipe"]["R@1"]
    """
    if not subject.has_ingredient_trees:
        raise CannotDo(f"{subject.name} has no ingredient trees to prune by")
    trees = subject.ingredient_trees
    original = _measure(subject, subject.recipes, seed)
    controls: dict[int, list[_Edit]] = {k: [] for k in RANDOM_K}
    for draw in range(DRAWS):
        plans = [random_leaves(trees, k, seed, draw) for k in RANDOM_K]
        for k, edit in zip(RANDOM_K, _edits(subject, plans, seed), strict=True):
            controls[k].append(edit)
    cells = [(mode, k) for mode, counts in MODES.items() for k in counts]
    plans = [[pruned_leaves(tree, *cell) for tree in trees] for cell in cells]
    table: dict[str, Any] = {mode: {} for mode in (*MODES, RANDOM)}
    for (mode, k), edit in zip(cells, _edits(subject, plans, seed), strict=True):
        table[mode][str(k)] = _cell([edit], original)
        if mode == REMOVE and k in controls:
            table[mode][str(k)]["against-random"] = _test(
                [edit.kept] * DRAWS, [control.kept for control in controls[k]]
            )
    table[RANDOM] = {str(k): _cell(edits, original) for k, edits in controls.items()}
    return table


def pruned(subject: EvaluatedModel, mode: str, k: int) -> Vectors:
    """(n, space) the recipes after pruning, their trees kept: what a before-and-after figure shows.

    >>> after = pruned(subject, "remove-last", 1)
    """
    plan = [pruned_leaves(tree, mode, k) for tree in subject.ingredient_trees]
    return next(_embed(subject, [plan]))[0]


def pruned_leaves(tree: Tree, mode: str, k: int) -> list[int]:
    """The leaves that go: the k last ones, all but the k first, or those deeper than k. One stays.

    >>> pruned_leaves(Tree.right(["chicken", "rice", "oil", "salt"]), "remove-last", 2)
    [3, 2]
    """
    order = removal_order(tree)
    if mode == DEPTH:
        count = sum(depth > k for depth in tree.depths)
    else:
        count = len(order) - k if mode == KEEP else k
    return order[: max(0, min(count, len(order) - 1))]


def random_leaves(trees: Sequence[Tree], k: int, seed: int, draw: int) -> list[list[int]]:
    """k random leaves of each tree, one stays; of one draw, those for k are among those for k + 1."""
    generator = np.random.default_rng([seed, draw])
    orders = [generator.permutation(len(tree.tokens)).tolist() for tree in trees]
    return [order[: min(k, len(order) - 1)] for order in orders]


class _Edit(NamedTuple):
    """One way to prune all recipes: how many ingredients went, and the ranks with trees kept and anew."""

    removed: float
    kept: RetrievalRanks
    anew: RetrievalRanks


def _edits(subject: EvaluatedModel, plans: Sequence[Leaves], seed: int) -> list[_Edit]:
    """What each plan, the leaves that go from every recipe, does to retrieval."""
    return [
        _Edit(
            float(np.mean([len(gone) for gone in leaves])),
            _measure(subject, kept, seed),
            _measure(subject, anew, seed),
        )
        for leaves, (kept, anew) in zip(plans, _embed(subject, plans), strict=True)
    ]


def _embed(subject: EvaluatedModel, plans: Sequence[Leaves]) -> Iterator[tuple[Vectors, Vectors]]:
    """For each plan all recipes, (n, space), their trees kept and chosen anew.

    All variations of a recipe are read together: equal ones, and sentences that they share, are read once.
    """
    places: dict[tuple[int, frozenset[int]], int] = {}
    for row in range(len(subject.texts)):
        for leaves in plans:
            if leaves[row]:
                places.setdefault((row, frozenset(leaves[row])), len(places))
    edits = [without(subject.texts[row], subject.trees[row], gone) for row, gone in places]
    texts = [text for text, _ in edits]
    ways = (subject.embed(texts, [trees for _, trees in edits]), subject.embed(texts))
    for leaves in plans:
        rows = [row for row, gone in enumerate(leaves) if gone]
        chosen = [places[row, frozenset(leaves[row])] for row in rows]
        kept, anew = subject.recipes.copy(), subject.recipes.copy()
        kept[rows], anew[rows] = (way[chosen] for way in ways)
        yield kept, anew


def _measure(subject: EvaluatedModel, recipes: Vectors, seed: int) -> RetrievalRanks:
    return retrieval_ranks(subject.images, recipes, subject.population.ids, seed, SIZES)


def _cell(draws: Sequence[_Edit], original: RetrievalRanks) -> dict[str, Any]:
    kept = [edit.kept for edit in draws]
    return {
        "n": len(original.ids),
        "removed": float(np.mean([edit.removed for edit in draws])),
        **_directions(kept),
        "reinferred": _scores([edit.anew for edit in draws]),
        "against-original": _test(kept, [original] * len(kept)),
    }


def _directions(draws: Sequence[RetrievalRanks]) -> dict[str, Any]:
    """The scores of both directions: of the full set, with those of the folds inside."""
    cells = summary(_together(draws))
    return {direction: {**cells[direction].pop("full"), **cells[direction]} for direction in DIRECTIONS}


def _scores(draws: Sequence[RetrievalRanks]) -> dict[str, Any]:
    """The same without intervals, which take longer than all the rest."""
    together = _together(draws)
    cells = {
        direction: {
            name: {
                "n": len(members[0]),
                **mean_scores([score(fold) for fold in together.ranks[direction][name]]),
            }
            for name, members in together.members.items()
        }
        for direction in DIRECTIONS
    }
    return {direction: {**found.pop("full"), **found} for direction, found in cells.items()}


def _test(first: Sequence[RetrievalRanks], second: Sequence[RetrievalRanks]) -> dict[str, Any]:
    """Paired tests on the full set alone."""
    full = [
        [replace(draw, members={"full": draw.members["full"]}) for draw in side] for side in (first, second)
    ]
    found = compare(*map(_together, full))
    return {direction: found[direction]["full"] for direction in DIRECTIONS}


def _together(draws: Sequence[RetrievalRanks]) -> RetrievalRanks:
    """Several draws over the same recipes as one, so that scores are means over draws.

    The full set is there once for each draw; of folds there are as many as of one draw, taken in turn.
    """

    def joined(name: str, of_draws: Sequence[Sequence[Any]]) -> list[Any]:
        if name == "full":
            return [fold for folds in of_draws for fold in folds]
        return [of_draws[place % len(of_draws)][place] for place in range(len(of_draws[0]))]

    first = draws[0]
    return replace(
        first,
        members={name: joined(name, [draw.members[name] for draw in draws]) for name in first.members},
        ranks={
            way: {name: joined(name, [draw.ranks[way][name] for draw in draws]) for name in first.members}
            for way in DIRECTIONS
        },
    )
