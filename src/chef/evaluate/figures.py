"""What the report draws: the shared space, depths, learned trees, substitutions. Written into the result."""

import base64
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import TypeVar

import numpy as np

from chef.data.images import decode
from chef.data.texts import gold
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.pruning import REMOVE, pruned
from chef.evaluate.results import Dish, DrawnTree, Plane, SwapExample
from chef.evaluate.substitution import ENOUGH, SEEN, Queries, Swapper, galleries, nearest
from chef.measure.projection import tsne
from chef.measure.ranks import Floats
from chef.model.tree import Tree
from chef.text.verbs import verbs

PAIRS, PRUNED_PAIRS = 500, 100  # on the plane
TREES = 8  # of each kind
SWAPS, DISHES = 3, 5  # queries of each pair, and dishes found for each
SIZE = 160  # pixels of the longer side of a thumbnail, at most
_QUALITY = 75
_LEAVES = (4, 14)  # of a tree that is drawn: neither trivial nor too wide for a page
_REMOVED = 1  # ingredients removed in the before-and-after figure

T = TypeVar("T")


def space(model: EvaluatedModel, seed: int) -> Plane:
    """Photos and recipes of up to 500 pairs together on one plane."""
    rows = _rows(model, PAIRS, seed)
    return _plane(model, rows, image=model.images[rows], recipe=model.recipes[rows])


def pruning_space(model: EvaluatedModel, seed: int) -> Plane:
    """Photos of up to 100 pairs, and their recipes before and after losing their deepest ingredient."""
    rows = _rows(model, PRUNED_PAIRS, seed)
    after = pruned(model, REMOVE, _REMOVED)[rows]
    plane = _plane(model, rows, image=model.images[rows], before=model.recipes[rows], after=after)
    return replace(plane, what=f"{REMOVE} {_REMOVED}")


def ingredient_trees(model: EvaluatedModel, seed: int) -> list[DrawnTree]:
    """Some ingredient trees, the heaviest ingredient marked where it is known."""
    rows = [row for row, tree in enumerate(model.ingredient_trees) if _fits(tree)]
    drawn = []
    for row in _some(rows, seed):
        tree, main = model.ingredient_trees[row], gold(model.texts[row].recipe)
        marked = [leaf for leaf, token in enumerate(tree.tokens) if token == main]
        drawn.append(_tree(model, row, "ingredients", tree, main, marked))
    return drawn


def sentence_trees(model: EvaluatedModel, seed: int) -> list[DrawnTree]:
    """Some sentence trees of different recipes, the words that are used as verbs marked."""
    drawn: list[DrawnTree] = []
    for row in _some(range(len(model.sentence_trees)), seed, len(model.sentence_trees)):
        fitting = [tree for tree in model.sentence_trees[row] if _fits(tree)]
        if fitting and len(drawn) < TREES:
            tree = _some(fitting, seed, 1)[0]
            drawn.append(_tree(model, row, "sentence", tree, None, verbs(tree.tokens)))
    return drawn


def swap_examples(model: EvaluatedModel, queries: Queries, seed: int) -> list[SwapExample]:
    """Up to 3 queries of each pair, drawn by the seed, with their top 5 in both directions.

    Queries of the requested split come before others.
    """
    population, swapper = model.population, Swapper(model)
    photo = cache(lambda row: thumbnail(population.photos(row)))  # a dish is found by many queries
    generator = np.random.default_rng(seed)

    def dish(row: int, contains: bool | None = None) -> Dish:
        return Dish(
            id=population.ids[row],
            title=population.recipes[row].title,
            photo=photo(row),
            seen=population.splits[row] == SEEN,
            contains=contains,
        )

    examples = []
    for (a, b), rows in queries.pairs.items():
        drawn = [rows[place] for place in generator.permutation(len(rows))]
        if len(rows) < ENOUGH or swapper.words[b] is None:
            continue
        drawn.sort(key=lambda row: population.splits[row] != population.split)
        chosen = drawn[:SWAPS]
        vectors, without = swapper.kept([(row, a, b) for row in chosen]), [(row,) for row in chosen]
        tops = {way: nearest(vectors, items, without, DISHES) for way, items in galleries(model).items()}
        for place, row in enumerate(chosen):
            dishes = {
                way: [dish(top, bool(queries.contains[b][top])) for top in of_queries[place]]
                for way, of_queries in tops.items()
            }
            examples.append(SwapExample(pair=f"{a}->{b}", query=dish(row), dishes=dishes))
    return examples


def thumbnail(photo: bytes) -> str:
    """The photo as a `data:` URL of a JPEG file of at most 160 pixels, small enough for the page.

    >>> thumbnail(population.photos(0))[:23]
    'data:image/jpeg;base64,'
    """
    image = decode(photo, SIZE)
    image.thumbnail((SIZE, SIZE))
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()


def _tree(
    model: EvaluatedModel, row: int, kind: str, tree: Tree, main: str | None, marked: list[int]
) -> DrawnTree:
    return DrawnTree(
        id=model.population.ids[row],
        title=model.population.recipes[row].title,
        kind=kind,
        tree=tree,
        main=main,
        marked=marked,
        photo=thumbnail(model.population.photos(row)),
    )


def _fits(tree: Tree) -> bool:
    return _LEAVES[0] <= len(tree.tokens) <= _LEAVES[1]


def _some(items: Sequence[T], seed: int, count: int = TREES) -> list[T]:
    return [items[place] for place in np.random.default_rng(seed).permutation(len(items))[:count]]


def _rows(model: EvaluatedModel, most: int, seed: int) -> list[int]:
    return sorted(_some(range(len(model.population)), seed, most))


def _plane(model: EvaluatedModel, rows: list[int], **parts: Floats) -> Plane:
    """Matrices of these rows as points on one plane; three digits are enough to draw."""
    points = np.split(tsne(np.concatenate(list(parts.values())).astype(np.float64)), len(parts))
    return Plane(
        ids=[model.population.ids[row] for row in rows],
        points={name: some.round(3).tolist() for name, some in zip(parts, points, strict=True)},
    )
