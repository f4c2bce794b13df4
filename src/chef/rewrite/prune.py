"""Leaving out: the recipe without what matters least to a cook, as people read it.

`chef.food.substitutes` says what that is. The paper's pruning by leaf depth is `chef.evaluate.pruning`.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.food.kinds import kind_of
from chef.food.substitutes import Spare, least
from chef.model.edit import prune_leaves
from chef.model.recipe_model import RecipeModel
from chef.model.tree import Tree
from chef.recipe import Ingredient, Recipe, Step
from chef.rewrite.mentions import MentionFinder
from chef.rewrite.removal import IngredientRemover
from chef.rewrite.replacement import line_token, read_recipe
from chef.teacher.main_ingredient import rank
from chef.text.lines import parse_line
from chef.text.tokens import readable


@dataclass(frozen=True)
class Pruned:
    """A recipe without some ingredients."""

    recipe: Recipe
    removed: list[str]  # canonical tokens, what matters least first
    tree: Tree | None  # over what is left, the sibling in a removed leaf's place; None: the model builds none
    reasons: list[str]  # why each of the removed may go
    note: str | None  # why fewer went than were asked for


def prune(model: RecipeModel, recipe: Recipe, k: int) -> Pruned:
    """The recipe without the k ingredients that matter least to a cook, or fewer where more would ruin it.

    >>> prune(chef.load(), recipe, 1).reasons
    ['a garnish']
    """
    if k < 1:
        raise ChefError(f"{k} ingredients to take out", "ask for 1 or more")
    text = read_recipe(model, recipe)
    rest = text.recipe.with_ingredients(
        replace(item, token=line_token(item)) if item.name else item for item in text.recipe.ingredients
    )
    lines = [item.token or "" for item in rest.ingredients if item.name]
    main = next((one.token for one in rank(rest)), None)
    spared: list[Spare] = []
    while len(spared) < min(k, len(set(lines)) - 1) and (one := least(rest, main)):
        spared.append(one)
        rest = rest.with_ingredients(item for item in rest.ingredients if item.token != one.token)
    removed = [one.token for one in spared]
    tree = model.encoder.encode([text]).trees[0].ingredients
    if tree:  # a model may read only the first lines
        leaves = [at for at, token in enumerate(lines[: len(tree.tokens)]) if token in removed]
        tree = prune_leaves(tree, leaves)
    left = ", ".join(readable(token) for token in dict.fromkeys(lines) if token not in removed)
    return Pruned(
        recipe=_without(text.recipe, removed, model.texts.canonical),
        removed=removed,
        tree=tree,
        reasons=[one.why for one in spared],
        note=f"What is left makes the dish: {left}." if len(removed) < k else None,
    )


def _without(recipe: Recipe, removed: Collection[str], canonical: CanonicalMap) -> Recipe:
    """The recipe without these ingredients, in list, title and steps."""
    gone = [item for item in recipe.ingredients if item.name and line_token(item) in removed]
    kept = [item for item in recipe.ingredients if item not in gone]
    remover = IngredientRemover(
        # Only a recipe without garlic spares cloves: there the word means the spice.
        MentionFinder(
            canonical, {*removed, *_alternatives(gone, canonical)}, gone, kept, {"cloves"} & {*removed}
        ),
        MentionFinder(canonical, canonical.tokens, recipe.ingredients, [], also=["pepper"]),
    )
    steps = (Step(remover.step(step.text), step.section) for step in recipe.steps)
    return replace(
        recipe,
        title=remover.title(recipe.title),
        ingredients=tuple(kept),
        steps=tuple(step for step in steps if step.text),
    )


def _alternatives(lines: Iterable[Ingredient], canonical: CanonicalMap) -> Iterator[str]:
    """What may stand in for an ingredient by its own line: vanilla or almond extract."""
    for item in lines:
        for part in re.split(r"\bor\b", item.line)[1:]:
            token = canonical.token(parse_line(part).name or "")
            if token and kind_of(token) is kind_of(line_token(item)) is not None:
                yield token
