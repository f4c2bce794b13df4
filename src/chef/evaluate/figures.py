"""What the report draws: the shared space, depths, learned trees, substitutions. Written into the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from chef.data.texts import gold
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.main_ingredient import average_depths
from chef.evaluate.population import Population
from chef.evaluate.pruning import REMOVE, pruned
from chef.evaluate.thumbs import thumbnail
from chef.measure.projection import tsne
from chef.measure.ranks import Floats
from chef.model.tree import Tree
from chef.text.verbs import verbs

PAIRS, PRUNED_PAIRS = 500, 100  # on the plane
TREES = 8  # of each kind
_LEAVES = (4, 14)  # of a tree that is drawn: neither trivial nor too wide for a page
_REMOVED = 1  # deepest ingredients that go in the before-and-after figure


def space(subject: EvaluatedModel, seed: int) -> dict[str, Any]:
    """Photos and recipes of up to 500 pairs together on one plane."""
    rows = _drawn(len(subject.population), PAIRS, seed)
    image, recipe = _plane(subject.images[rows], subject.recipes[rows])
    return {"ids": _ids(subject, rows), "image": image, "recipe": recipe}


def pruning_space(subject: EvaluatedModel, seed: int) -> dict[str, Any]:
    """Photos of up to 100 pairs, and their recipes before and after their deepest ingredient went."""
    rows = _drawn(len(subject.population), PRUNED_PAIRS, seed)
    after = pruned(subject, REMOVE, _REMOVED)[rows]
    image, before, edited = _plane(subject.images[rows], subject.recipes[rows], after)
    return {
        "what": f"{REMOVE} {_REMOVED}",
        "ids": _ids(subject, rows),
        "image": image,
        "before": before,
        "after": edited,
    }


def depths(subject: EvaluatedModel) -> list[dict[str, Any]]:
    """The average depth of every ingredient that enough recipes have, shallowest first."""
    return average_depths(subject.ingredient_trees)


def ingredient_trees(subject: EvaluatedModel, seed: int) -> list[dict[str, Any]]:
    """Some ingredient trees, the heaviest ingredient marked where it is known."""
    rows = [row for row, tree in enumerate(subject.ingredient_trees) if _fits(tree)]
    shown = []
    for row in _some(rows, seed):
        tree, main = subject.ingredient_trees[row], gold(subject.texts[row].recipe)
        marked = [leaf for leaf, token in enumerate(tree.tokens) if token == main]
        shown.append(_tree(subject, row, "ingredients", tree, main, marked))
    return shown


def sentence_trees(subject: EvaluatedModel, seed: int) -> list[dict[str, Any]]:
    """Some sentence trees of different recipes, the words that are used as verbs marked."""
    shown: dict[int, dict[str, Any]] = {}
    for row in _some(range(len(subject.sentence_trees)), seed, len(subject.sentence_trees)):
        fitting = [tree for tree in subject.sentence_trees[row] if _fits(tree)]
        if fitting and len(shown) < TREES:
            tree = _some(fitting, seed, 1)[0]
            shown[row] = _tree(subject, row, "sentence", tree, None, verbs(tree.tokens))
    return list(shown.values())


def thumbnails(population: Population) -> Callable[[int], str]:
    """Small photos by position, each made once."""
    return cache(lambda row: thumbnail(population.photos(row)))


def _tree(
    subject: EvaluatedModel, row: int, kind: str, tree: Tree, main: str | None, marked: list[int]
) -> dict[str, Any]:
    return {
        "id": subject.population.ids[row],
        "title": subject.population.recipes[row].title,
        "kind": kind,
        "tree": tree.to_json(),
        "main": main,
        "marked": marked,
        "photo": thumbnail(subject.population.photos(row)),
    }


def _fits(tree: Tree) -> bool:
    return _LEAVES[0] <= len(tree.tokens) <= _LEAVES[1]


def _some(items: Sequence[Any], seed: int, count: int = TREES) -> list[Any]:
    return [items[place] for place in np.random.default_rng(seed).permutation(len(items))[:count]]


def _drawn(count: int, most: int, seed: int) -> list[int]:
    chosen: list[int] = np.sort(np.random.default_rng(seed).permutation(count)[:most]).tolist()
    return chosen


def _ids(subject: EvaluatedModel, rows: Sequence[int]) -> list[str]:
    return [subject.population.ids[row] for row in rows]


def _plane(*parts: Floats) -> list[list[list[float]]]:
    """Matrices of equal size as points on one plane, part by part; three digits are enough to draw."""
    points = tsne(np.concatenate(parts).astype(np.float64))
    return [part.round(3).tolist() for part in np.split(points, len(parts))]
