"""Families: what counts as chicken, beef, pork, fish and apple when one is swapped for another.

`families.tsv` lists canonical tokens, never parts of words: pineapple is no apple, chicken broth no chicken.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from chef.food.canonical import CanonicalMap, token_of
from chef.recipe import Recipe
from chef.text.vocabulary import Vocabulary


@cache
def members() -> dict[str, tuple[str, ...]]:
    """The tokens of each family, the plainest first.

    >>> members()["apple"]
    ('apples', 'apple', 'green_apples', 'dried_apples')
    """
    text = (files(__package__) / "families.tsv").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            family, token = line.split("\t")
            found.setdefault(family, []).append(token)
    return {family: tuple(tokens) for family, tokens in found.items()}


@cache
def family(token: str) -> str | None:
    """The family of a canonical token, if it has one.

    A token of another canonical map is read as a name by the shipped map, so that a map in which the
    breasts are `skinless_chicken_breast` needs no file of its own.

    >>> family("chicken_breasts"), family("chicken_broth")
    ('chicken', None)
    """
    listed = _listed()
    shipped = _shipped()
    if token in listed or token in shipped:
        return listed.get(token)
    return listed.get(shipped.token(token.replace("_", " ")) or "")


def families_in(recipe: Recipe) -> set[str]:
    """The families among the recipe's ingredients, by its canonical tokens; title and steps do not count."""
    tokens = (item.token or token_of(item.name) for item in recipe.ingredients if item.name)
    return {found for token in tokens if (found := family(token))}


def word_for(name: str, vocabulary: Vocabulary) -> str | None:
    """The token that stands for a family when it is put into a recipe: the first that the model knows."""
    return next((token for token in members()[name] if token in vocabulary), None)


@cache
def _listed() -> dict[str, str]:
    return {token: name for name, tokens in members().items() for token in tokens}


@cache
def _shipped() -> CanonicalMap:
    return CanonicalMap.load()
