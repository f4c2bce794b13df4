"""Pruning (paper, Table 3): the recipe without its least important ingredients, as people read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chef.errors import ChefError
from chef.evaluate.pruning import REMOVE, pruned_leaves
from chef.model.edit import prune_leaves
from chef.model.recipe_model import RecipeModel
from chef.model.tree import Tree
from chef.recipe import Ingredient, Recipe, Step
from chef.rewrite.leave_out import LeaveOut
from chef.rewrite.mentions import Mentions
from chef.rewrite.reading import Reading
from chef.rewrite.tokens import token_of_line


@dataclass(frozen=True)
class Pruned:
    """A recipe without some ingredients."""

    recipe: Recipe
    removed: list[str]  # canonical tokens, the least important first
    tree: Tree  # over what is left; the sibling has taken a removed leaf's place


def prune(chef: RecipeModel, recipe: Recipe, k: int) -> Pruned:
    """The recipe without its k deepest leaves; one ingredient always stays.

    Of tied leaves the pair merged earlier goes first, then the later-listed one.

    >>> prune(chef.load(), recipe, 1).removed
    ['salt']
    """
    if k < 1:
        raise ChefError(f"{k} ingredients to take out", "ask for 1 or more")
    reading = Reading(chef, recipe)
    tree = reading.trees.ingredients
    if tree is None:
        raise ChefError(
            f"{chef.model.variant.name} builds no tree over ingredients", "prune with another model"
        )
    leaves = pruned_leaves(tree, REMOVE, k)
    removed = [tree.tokens[leaf] for leaf in leaves]
    return Pruned(_written(chef, reading.recipe, leaves), removed, prune_leaves(tree, leaves))


def _written(chef: RecipeModel, recipe: Recipe, leaves: list[int]) -> Recipe:
    """Without the ingredients of these leaves, in list, title and steps."""
    places = [place for place, item in enumerate(recipe.ingredients) if item.name]
    lost = {places[leaf] for leaf in leaves}
    stay = [item for place, item in enumerate(recipe.ingredients) if place not in lost]
    gone = [item for place, item in enumerate(recipe.ingredients) if place in lost]
    out = _leave_out(chef, recipe, gone, stay)
    if out is None:
        return recipe.with_ingredients(stay)
    steps = (Step(out.step(step.text), step.section) for step in recipe.steps)
    return replace(
        recipe,
        title=out.title(recipe.title),
        ingredients=tuple(stay),
        steps=tuple(step for step in steps if step.text),
    )


def _leave_out(
    chef: RecipeModel, recipe: Recipe, gone: list[Ingredient], stay: list[Ingredient]
) -> LeaveOut | None:
    """What takes the tokens out that no line has any more; None if there are none."""
    still = {token_of_line(item) for item in stay if item.name}
    lost = [item for item in gone if token_of_line(item) not in still]
    if not lost:
        return None
    canonical = chef.texts.canonical
    return LeaveOut(
        Mentions(canonical, {token_of_line(item) for item in lost}, lost, stay),
        Mentions(canonical, canonical.tokens, recipe.ingredients, [], also=["pepper"]),
    )
