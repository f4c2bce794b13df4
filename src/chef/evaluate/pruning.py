"""Ingredient pruning (Tables 3 and S2): does a recipe find its photo without its least important ingredients?

Importance is leaf depth: the deepest leaves go first. Of tied leaves the pair merged earlier goes first, then
the later-listed leaf. One ingredient always stays, and every K is scored on the same recipes, all of them: a
recipe too short to lose K ingredients loses as many as it can. The control removes random ingredients.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np

from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.results import PrunedScores, PruningCell, Tests
from chef.measure.retrieval import DIRECTIONS, RetrievalRanks, compare, summary
from chef.model.edit import removal_order, without
from chef.model.encoder import Vectors
from chef.model.tree import Tree

REMOVE, KEEP, DEPTH, RANDOM = "remove-last", "keep-first", "keep-depth", "random"
MODES = {REMOVE: (0, 1, 2, 3, 4), KEEP: (3, 4, 5, 6), DEPTH: (3, 4)}
RANDOM_K = (1, 2, 3, 4)
DRAWS = 3  # times the random ingredients are drawn
SIZES = {"1k": 1_000}  # the folds of Table 3

Leaves = Sequence[Sequence[int]]  # for each recipe, the positions of the ingredients to remove
T = TypeVar("T")


def pruning_task(model: EvaluatedModel, seed: int) -> dict[str, dict[str, PruningCell]]:
    """The "pruning" part of a result: for each mode and K a cell. Random cells are means over several draws.

    >>> pruning_task(model, seed=0)["remove-last"]["1"].directions["image-to-recipe"].full["R@1"]
    """
    trees = model.ingredient_trees
    original = model.retrieval_ranks(seed, sizes=SIZES)
    controls: dict[int, list[_Edit]] = {k: [] for k in RANDOM_K}
    for draw in range(DRAWS):
        plans = [random_leaves(trees, k, seed, draw) for k in RANDOM_K]
        for k, edit in zip(RANDOM_K, _edits(model, plans, seed), strict=True):
            controls[k].append(edit)
    cells = [(mode, k) for mode, counts in MODES.items() for k in counts]
    plans = [[pruned_leaves(tree, *cell) for tree in trees] for cell in cells]
    table: dict[str, dict[str, PruningCell]] = {mode: {} for mode in (*MODES, RANDOM)}
    for (mode, k), edit in zip(cells, _edits(model, plans, seed), strict=True):
        cell = table[mode][str(k)] = _cell([edit], original)
        if mode == REMOVE and k in controls:
            others = [control.kept for control in controls[k]]
            cell.against_random = _test([edit.kept] * DRAWS, others)
    table[RANDOM] = {str(k): _cell(edits, original) for k, edits in controls.items()}
    return table


def pruned(model: EvaluatedModel, mode: str, k: int) -> Vectors:
    """(n, space) the recipes after pruning, their trees kept: what a before-and-after figure shows.

    >>> after = pruned(model, "remove-last", 1)
    """
    plan = [pruned_leaves(tree, mode, k) for tree in model.ingredient_trees]
    return next(_embed(model, [plan]))[0]


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
    """One way to prune all recipes: ingredients removed, and ranks with the trees kept and reinferred."""

    removed: float
    kept: RetrievalRanks
    reinferred: RetrievalRanks


def _edits(model: EvaluatedModel, plans: Sequence[Leaves], seed: int) -> list[_Edit]:
    """What each plan (the leaves to remove from every recipe) does to retrieval."""
    return [
        _Edit(
            float(np.mean([len(gone) for gone in leaves])),
            *(model.retrieval_ranks(seed, recipes, SIZES) for recipes in both),
        )
        for leaves, both in zip(plans, _embed(model, plans), strict=True)
    ]


def _embed(model: EvaluatedModel, plans: Sequence[Leaves]) -> Iterator[tuple[Vectors, Vectors]]:
    """For each plan all recipes, (n, space), with their trees kept and with trees inferred again.

    All variations of a recipe are encoded together: equal ones, and sentences that they share, only once.
    """
    places: dict[tuple[int, frozenset[int]], int] = {}
    for row in range(len(model.texts)):
        for leaves in plans:
            if leaves[row]:
                places.setdefault((row, frozenset(leaves[row])), len(places))
    edits = [without(model.texts[row], model.trees[row], gone) for row, gone in places]
    texts = [text for text, _ in edits]
    ways = (model.embed(texts, [trees for _, trees in edits]), model.embed(texts))
    for leaves in plans:
        rows = [row for row, gone in enumerate(leaves) if gone]
        chosen = [places[row, frozenset(leaves[row])] for row in rows]
        kept, reinferred = model.recipes.copy(), model.recipes.copy()
        kept[rows], reinferred[rows] = (way[chosen] for way in ways)
        yield kept, reinferred


def _cell(draws: Sequence[_Edit], original: RetrievalRanks) -> PruningCell:
    kept = [edit.kept for edit in draws]
    return PruningCell(
        n=len(original.ids),
        removed=float(np.mean([edit.removed for edit in draws])),
        directions=_scores(kept),
        # Intervals would take longer than all the rest.
        reinferred=_scores([edit.reinferred for edit in draws], with_intervals=False),
        against_original=_test(kept, [original] * len(kept)),
    )


def _scores(draws: Sequence[RetrievalRanks], *, with_intervals: bool = True) -> dict[str, PrunedScores]:
    """The scores of both directions, on the full set and in the folds."""
    galleries = summary(_together(draws), with_intervals=with_intervals).directions
    return {way: PrunedScores(full=cells["full"], folds=cells.get("1k")) for way, cells in galleries.items()}


def _test(first: Sequence[RetrievalRanks], second: Sequence[RetrievalRanks]) -> dict[str, Tests]:
    """Paired tests on the full set alone."""
    full = [
        [replace(draw, members={"full": draw.members["full"]}) for draw in side] for side in (first, second)
    ]
    tests = compare(*map(_together, full))
    return {direction: tests[direction]["full"] for direction in DIRECTIONS}


def _together(draws: Sequence[RetrievalRanks]) -> RetrievalRanks:
    """Several draws over the same recipes as one, so that scores are means over draws.

    The full set is there once for each draw; of folds there are as many as of one draw, taken in turn.
    """

    def joined(name: str, of_draws: Sequence[Sequence[T]]) -> list[T]:
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
