"""Main ingredient (Table 2): does the shallowest leaf of the ingredient tree name the heaviest ingredient?

Gold is the ingredient with the largest mass, over recipes where at least 90 % of the lines have grams. The
population depends on the recipes alone, so every model is scored on the same ones. An ingredient listed twice
is one ingredient: its masses are added, and its depth is that of its shallowest leaf.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from chef.data.texts import WATER, gold
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.results import CannotDo, IngredientDepth, MainIngredient
from chef.measure.bootstrap import intervals, paired
from chef.measure.ranks import DEPTH_AT, Ranks, Scores, depth_ranks, gap_ranks, mean_scores, score
from chef.model.tree import Tree
from chef.recipe import Recipe

DRAWS = 10  # random trees per recipe

Depths = Sequence[Sequence[float]]  # for each recipe, for each leaf


def gold_ranks(model: EvaluatedModel) -> tuple[list[str], Ranks]:
    """Which recipes have a gold ingredient, and its rank in each: what a paired test of two models needs."""
    golds = [gold(text.recipe) for text in model.texts]
    known = [place for place, token in enumerate(golds) if token is not None]
    trees = [model.ingredient_trees[place] for place in known]
    wanted = [token for token in golds if token is not None]
    ranks = rank_depths([tree.tokens for tree in trees], wanted, [tree.depths for tree in trees])
    return [model.population.ids[place] for place in known], ranks


def main_ingredient(
    recipes: Sequence[Recipe],
    trees: Sequence[Tree],
    seed: int,
    attention: Sequence[Sequence[float]] | None = None,
) -> MainIngredient:
    """The "main-ingredient" part of a result: medR, R@1, R@2, R@3 of the model and each control.

    trees[i] is the model's ingredient tree of recipes[i], its leaves canonical tokens; attention[i] weights
    the same leaves. Without water, water is neither gold nor a candidate.

    >>> main_ingredient(recipes, trees, seed=0).controls["random"]["R@1"]
    """
    golds = [(gold(recipe), gold(recipe, water=False)) for recipe in recipes]
    known = [place for place, pair in enumerate(golds) if any(pair)]
    lists = [trees[place].tokens for place in known]
    depths = control_depths(lists, seed)
    depths["model"] = [[trees[place].depths for place in known]]
    if attention is not None:  # the heaviest weight is the most important, as the shallowest leaf is
        depths["attention"] = [[[-weight for weight in attention[place]] for place in known]]
    return replace(
        _table(lists, [golds[place][0] for place in known], depths, seed),
        without_water=_table(lists, [golds[place][1] for place in known], depths, seed, ignored=WATER),
    )


def control_depths(lists: Sequence[Sequence[str]], seed: int) -> dict[str, list[Depths]]:
    """The depths of each control, which no model had a part in: one draw or several.

    "first-listed" is the order of the list itself; "random" is drawn several times, its scores averaged.
    """
    generator = np.random.default_rng(seed)
    return {
        "random": [[Tree.random(tokens, generator).depths for tokens in lists] for _ in range(DRAWS)],
        "balanced": [[Tree.balanced(tokens).depths for tokens in lists]],
        "left": [[Tree.left(tokens).depths for tokens in lists]],
        "right": [[Tree.right(tokens).depths for tokens in lists]],
        "first-listed": [[range(len(tokens)) for tokens in lists]],
    }


def rank_depths(
    lists: Sequence[Sequence[str]],
    golds: Sequence[str],
    depths: Depths,
    ignored: Iterable[str] = (),
    ranking: Callable[[Depths, Sequence[int]], Ranks] = depth_ranks,
) -> Ranks:
    """The ranks of the gold ingredients, shallowest first. Anything that orders leaves will do.

    lists[i]: the leaves of recipe i; golds[i]: its main ingredient; `ignored` ingredients are no candidates.
    A gold ingredient without a leaf (cut off a long list) ranks behind all others.
    """
    ranked = []
    for tokens, wanted, leaves in zip(lists, golds, depths, strict=True):
        shallowest = _shallowest(tokens, leaves)
        candidates = {wanted: shallowest.pop(wanted, np.inf)}
        candidates |= {token: depth for token, depth in shallowest.items() if token not in ignored}
        ranked.append(list(candidates.values()))
    return ranking(ranked, [0] * len(ranked))


def average_depths(trees: Iterable[Tree], minimum: int = 10) -> list[IngredientDepth]:
    """The average depth of every ingredient in at least `minimum` trees, shallowest first.

    >>> averages = average_depths(trees)
    >>> averages[:40], averages[-10:]  # the paper's figure: the 40 shallowest and the 10 deepest
    """
    depths: dict[str, list[float]] = defaultdict(list)
    for tree in trees:
        for token, depth in _shallowest(tree.tokens, tree.depths).items():
            depths[token].append(depth)
    rows = [
        IngredientDepth(ingredient=token, depth=float(np.mean(every)), recipes=len(every))
        for token, every in depths.items()
        if len(every) >= minimum
    ]
    return sorted(rows, key=lambda row: (row.depth, row.ingredient))


def _table(
    lists: Sequence[Sequence[str]],
    golds: Sequence[str | None],
    depths: dict[str, list[Depths]],
    seed: int,
    ignored: Iterable[str] = (),
) -> MainIngredient:
    chosen = {place: token for place, token in enumerate(golds) if token is not None}
    if not chosen:
        raise CannotDo(
            "no recipe has a known main ingredient", "give recipes whose lines have amounts and units"
        )
    leaves, wanted = [lists[place] for place in chosen], list(chosen.values())
    ranks, gaps = (
        {
            name: [rank_depths(leaves, wanted, [draw[p] for p in chosen], ignored, way) for draw in draws]
            for name, draws in depths.items()
        }
        for way in (depth_ranks, gap_ranks)
    )
    gaps.pop("attention", None)  # has weights, not depths
    everyone = np.arange(len(chosen))
    scores = {
        name: Scores(
            values=mean_scores([score(draw, DEPTH_AT) for draw in draws]),
            ci=intervals([everyone] * len(draws), draws, seed, DEPTH_AT),
        )
        for name, draws in ranks.items()
    }
    (model,) = ranks.pop("model")
    against = {
        name: paired([everyone] * len(draws), [model] * len(draws), draws, seed, DEPTH_AT)
        for name, draws in ranks.items()
    }
    means = {name: mean_scores([score(draw, DEPTH_AT) for draw in draws]) for name, draws in gaps.items()}
    result = MainIngredient(n=len(chosen), model=scores.pop("model"), controls=scores, against=against)
    return replace(result, depth_gap={name: Scores(values=values) for name, values in means.items()})


def _shallowest(tokens: Sequence[str], depths: Sequence[float]) -> dict[str, float]:
    """The depth of each distinct ingredient: of its shallowest leaf."""
    shallowest: dict[str, float] = {}
    for token, depth in zip(tokens, depths, strict=True):
        shallowest[token] = min(depth, shallowest.get(token, depth))
    return shallowest
