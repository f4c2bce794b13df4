"""What leaves a recipe and what replaces it, resolved from the user's words."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chef.data.texts import RecipeText
from chef.errors import ChefError, did_you_mean
from chef.food.canonical import CanonicalMap, token_of
from chef.food.kinds import family, members, word_for
from chef.index.filters import IngredientResolver
from chef.recipe import Ingredient, Recipe
from chef.rewrite.grammar import Noun, noun
from chef.text.tokens import readable
from chef.text.vocabulary import Vocabulary
from chef.text.words import keys

if TYPE_CHECKING:
    from chef.model.recipe_model import RecipeModel


@dataclass(frozen=True)
class Replacement:
    """The new ingredient: the token that a model reads, and the noun that people read."""

    token: str
    noun: Noun


def read_recipe(model: RecipeModel, recipe: Recipe) -> RecipeText:
    """The recipe as the model reads it; one that names no ingredient is an error."""
    text = model.read(recipe)
    if not any(item.name for item in text.recipe.ingredients):
        raise ChefError(f"the recipe {recipe.title[:80]!r} names no ingredient", "give its ingredient lines")
    return text


def line_token(item: Ingredient) -> str:
    """The canonical token of a parsed line that names something, or what it would be.

    >>> line_token(Ingredient("1 dragon fruit", name="dragon fruit"))
    'dragon_fruit'
    """
    return item.token or token_of(item.name or "")


def matching_tokens(word: str, tokens: Iterable[str], canonical: CanonicalMap) -> list[str]:
    """Those of a recipe's ingredient tokens that a word means: a name, a family, a group.

    >>> matching_tokens("chicken", ["chicken_thighs", "chicken_broth", "rice"], canonical)
    ['chicken_thighs']
    """
    listed = list(dict.fromkeys(tokens))
    hint = f"it has {', '.join(map(readable, listed)) or 'no ingredients'}"
    if not keys(word):
        raise ChefError("no ingredient to take out is named", hint)
    matches = {token_of(word), canonical.token(word)} & set(listed)
    if not matches or _family(word):
        with suppress(ChefError):  # an unknown word: the error below says more, namely what there is
            matches |= IngredientResolver(canonical, listed).resolve(word) & set(listed)
    if not matches:
        raise ChefError(f"no {word} in this recipe", hint)
    return [token for token in listed if token in matches]


def replacement_for(word: str, canonical: CanonicalMap, vocabulary: Vocabulary) -> Replacement:
    """The ingredient that a word brings into a recipe; an unknown one is an error.

    >>> replacement_for("apple", canonical, vocabulary).noun.plural
    'apples'
    """
    name = " ".join(readable(word).split())
    name = name.lower() if name.isupper() else name
    if not keys(name):
        raise ChefError("no ingredient to put in is named", "name one, such as beef")
    family_name = _family(name)
    token = word_for(family_name, vocabulary) if family_name else None
    token = token or canonical.token(name) or token_of(name)
    if token not in canonical and token not in vocabulary:
        names = map(readable, canonical.tokens)
        hint = did_you_mean(readable(token), names, "check its name", most=3, show=str)
        raise ChefError(f"unknown ingredient {word!r}", hint)
    return Replacement(token, noun(name, token, canonical))


def with_relatives(tokens: Iterable[str], words: Iterable[str]) -> set[str]:
    """The tokens and others of their families: to swap chicken thighs means "the chicken" in the steps, too.

    words: those of the recipe's texts, since a model's own map may have tokens that the family table lacks.
    """
    own = set(tokens)
    families = {name for token in own if (name := family(token))}
    listed = {token for name in families for token in members()[name]}
    return own | listed | {word for word in words if families and family(word) in families}


def _family(word: str) -> str | None:
    """The family of this name, singular or plural."""
    return next((name for name in members() if keys(name) == keys(word)), None)
