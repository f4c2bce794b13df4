"""What the model says about recipes in one pass: vector, main ingredient, action words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chef.food.canonical import token_of
from chef.model.encoder import Vectors
from chef.model.explanation import action_word
from chef.model.recipe_model import RecipeModel
from chef.recipe import Recipe
from chef.text.keys import spelled
from chef.text.tokens import tokenise
from chef.text.vocabulary import SPECIAL


@dataclass(frozen=True)
class Reading:
    """One recipe, read."""

    recipe: Recipe  # parsed
    main_ingredient: str | None
    actions: list[str]
    vector: Vectors


def read_recipes(model: RecipeModel, recipes: Sequence[Recipe], *, parsed: bool = False) -> list[Reading]:
    """Recipes -> readings, in the same order.

    parsed: their ingredients have names, amounts and grams already; parsing takes most of the time.

    >>> read_recipes(chef.load(), [recipe])[0].main_ingredient
    'chicken'
    """
    read = model.texts.from_parsed if parsed else model.texts
    encoded = model.encoder.encode([read(recipe) for recipe in recipes])
    readings = []
    for text, trees, vector in zip(encoded.texts, encoded.trees, encoded.vectors, strict=True):
        tree = trees.ingredients
        main = None if tree is None else tree.tokens[tree.shallowest[0]]
        actions = dict.fromkeys(action for one in trees.sentences or () if (action := action_word(one)))
        main = None if main in SPECIAL else main
        readings.append(Reading(text.recipe, main, list(actions), vector))
    return readings


def tokens_of(recipe: Recipe) -> list[str]:
    """The canonical ingredients of a parsed recipe in the order of its list, each once."""
    named = (item.token or token_of(item.name) for item in recipe.ingredients if item.name)
    return [token for token in dict.fromkeys(named) if token]


def title_words(title: str) -> list[str]:
    """The words of a title, or of a query, that are compared with each other: singular, each once.

    >>> title_words("Soups of the day")
    ['soup', 'of', 'the', 'day']
    """
    return list(dict.fromkeys(spelled(word) for word in tokenise(title)))
