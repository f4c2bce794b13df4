"""Pruning (paper, Table 3): the recipe without its least important ingredients, as people read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.model.edit import prune_leaves, removal_order
from chef.model.recipe_model import RecipeModel
from chef.model.tree import Tree
from chef.recipe import Recipe, Step
from chef.rewrite.mentions import MentionFinder
from chef.rewrite.removal import IngredientRemover
from chef.rewrite.replacement import line_token, read_recipe


@dataclass(frozen=True)
class Pruned:
    """A recipe without some ingredients."""

    recipe: Recipe
    removed: list[str]  # canonical tokens, the least important first
    tree: Tree  # over what is left; the sibling has taken a removed leaf's place


def prune(model: RecipeModel, recipe: Recipe, k: int) -> Pruned:
    """The recipe without its k deepest leaves; one ingredient always stays.

    Of tied leaves the pair merged earlier goes first, then the later-listed one.

    >>> prune(chef.load(), recipe, 1).removed
    ['salt']
    """
    if k < 1:
        raise ChefError(f"{k} ingredients to take out", "ask for 1 or more")
    text = read_recipe(model, recipe)
    tree = model.encoder.encode([text]).trees[0].ingredients
    if tree is None:
        raise ChefError(
            f"{model.model.variant.name} builds no tree over ingredients", "prune with another model"
        )
    leaves = removal_order(tree)[: min(k, len(tree.tokens) - 1)]
    removed = [tree.tokens[leaf] for leaf in leaves]
    shorter = _without(text.recipe, leaves, model.texts.canonical)
    return Pruned(shorter, removed, prune_leaves(tree, leaves))


def _without(recipe: Recipe, leaves: list[int], canonical: CanonicalMap) -> Recipe:
    """The recipe without the ingredients of these leaves, in list, title and steps."""
    named = [at for at, item in enumerate(recipe.ingredients) if item.name]
    positions = {named[leaf] for leaf in leaves}
    kept = [item for at, item in enumerate(recipe.ingredients) if at not in positions]
    kept_tokens = {line_token(item) for item in kept if item.name}
    # An ingredient that another line still has stays in the texts.
    gone = [item for at, item in enumerate(recipe.ingredients) if at in positions]
    gone = [item for item in gone if line_token(item) not in kept_tokens]
    if not gone:
        return recipe.with_ingredients(kept)
    remover = IngredientRemover(
        MentionFinder(canonical, {line_token(item) for item in gone}, gone, kept),
        MentionFinder(canonical, canonical.tokens, recipe.ingredients, [], also=["pepper"]),
    )
    steps = (Step(remover.step(step.text), step.section) for step in recipe.steps)
    return replace(
        recipe,
        title=remover.title(recipe.title),
        ingredients=tuple(kept),
        steps=tuple(step for step in steps if step.text),
    )
