"""One recipe as a model reads it: its words, its trees, and vectors of what edits make of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.evaluate.evaluated_model import Subject, Vectors
from chef.evaluate.population import Population
from chef.model.loaded import Chef
from chef.model.threads import one_thread
from chef.model.tree import RecipeTrees
from chef.recipe import Recipe

_FEW = 4  # recipes that one thread embeds as fast as many


class Reading:
    """A recipe read once.

    >>> reading = Reading(chef.load(), recipe)
    >>> reading.embed([reading.text], [reading.trees]).shape
    (1, 1024)
    """

    def __init__(self, chef: Chef, recipe: Recipe) -> None:
        self.chef = chef
        self.recipe = chef.read(recipe).recipe  # parsed
        if not any(item.name for item in self.recipe.ingredients):
            raise ChefError(
                f"the recipe {recipe.title[:80]!r} names no ingredient", "give its ingredient lines"
            )

    @cached_property
    def _subject(self) -> Subject:
        return Subject("one recipe", self.chef, _alone(self.chef, self.recipe))

    @property
    def text(self) -> RecipeText:
        """Its words."""
        return self._subject.texts[0]

    @property
    def trees(self) -> RecipeTrees:
        """Its trees."""
        with one_thread():
            return self._subject.trees[0]

    @property
    def vector(self) -> Vectors:
        """(space,) its place in the model's space."""
        with one_thread():
            found: Vectors = self._subject.recipes[0]
        return found

    def embed(
        self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees | None] | None = None
    ) -> Vectors:
        """(n, space) of changed texts, read along the trees given, or along new ones."""
        with one_thread(len(texts) < _FEW):
            return self._subject.embed(texts, trees)


def _alone(chef: Chef, recipe: Recipe) -> Population:
    """A population of one; nobody asks for its photo."""

    def no_photo(row: int) -> bytes:
        raise ChefError(f"recipe {recipe.id!r} is read without its photo")

    return Population(
        name=recipe.id,
        split="",
        ids=(recipe.id,),
        recipes=(recipe,),
        splits=("",),
        photos=no_photo,
        canonical=chef.texts.canonical.digest,
        all_splits=("",),
    )
