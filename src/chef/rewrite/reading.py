"""One recipe as a model reads it: its words, its trees, and vectors of what edits make of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.model.encoder import Encoded, Vectors
from chef.model.recipe_model import RecipeModel
from chef.model.tree import RecipeTrees
from chef.recipe import Recipe


class Reading:
    """A recipe read once.

    >>> reading = Reading(chef.load(), recipe)
    >>> reading.embed([reading.text], [reading.trees]).shape
    (1, 1024)
    """

    def __init__(self, chef: RecipeModel, recipe: Recipe) -> None:
        self.chef = chef
        self.text = chef.read(recipe)
        if not any(item.name for item in self.recipe.ingredients):
            raise ChefError(
                f"the recipe {recipe.title[:80]!r} names no ingredient", "give its ingredient lines"
            )

    @property
    def recipe(self) -> Recipe:
        """The recipe with parsed ingredients."""
        return self.text.recipe

    @property
    def trees(self) -> RecipeTrees:
        """Its trees."""
        return self._encoded.trees[0]

    @property
    def vector(self) -> Vectors:
        """(space,) its vector."""
        vector: Vectors = self._encoded.vectors[0]
        return vector

    def embed(
        self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees | None] | None = None
    ) -> Vectors:
        """(n, space) of changed texts, encoded along the trees given, or along new ones."""
        return self.chef.encoder.embed(texts, trees)

    @cached_property
    def _encoded(self) -> Encoded:
        return self.chef.encoder.encode([self.text])
