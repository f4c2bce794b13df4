"""What leaves a recipe and what comes in, understood from the user's words."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from chef.errors import ChefError, did_you_mean
from chef.food.canonical import CanonicalMap, token_of
from chef.food.families import family, members, word_for
from chef.index.meaning import Meanings
from chef.rewrite.nouns import Noun, noun
from chef.text.vocabulary import Vocabulary
from chef.text.words import keys


@dataclass(frozen=True)
class Coming:
    """The ingredient that comes in: the token that a model reads, and the noun that people do."""

    token: str
    noun: Noun


def leaving(word: str, tokens: Iterable[str], canonical: CanonicalMap) -> list[str]:
    """Those of a recipe's ingredient tokens that a word means: a name, a family, a group.

    >>> leaving("chicken", ["chicken_thighs", "chicken_broth", "rice"], canonical)
    ['chicken_thighs']
    """
    here = list(dict.fromkeys(tokens))
    there = (
        f"it has {', '.join(token.replace('_', ' ') for token in here)}" if here else "it has no ingredients"
    )
    if not keys(word):
        raise ChefError("no ingredient to take out is named", there)
    exact = {token_of(word), canonical.token(word)} & set(here)
    if not exact or _family(word):
        with suppress(ChefError):  # unknown here: the error below says more, namely what there is
            exact |= Meanings(canonical, here).of(word) & set(here)
    if not exact:
        raise ChefError(f"no {word} in this recipe", there)
    return [token for token in here if token in exact]


def coming(word: str, canonical: CanonicalMap, vocabulary: Vocabulary) -> Coming:
    """What a word brings into a recipe; an unknown ingredient is an error.

    >>> coming("apple", canonical, vocabulary).noun.plural
    'apples'
    """
    name = " ".join(word.replace("_", " ").split())
    name = name.lower() if name.isupper() else name
    if not keys(name):
        raise ChefError("no ingredient to put in is named", "name one, such as beef")
    found = _family(name)
    token = word_for(found, vocabulary) if found else None
    token = token or canonical.token(name) or token_of(name)
    if token not in canonical and token not in vocabulary:
        names = (known.replace("_", " ") for known in canonical.tokens)
        way_out = did_you_mean(token.replace("_", " "), names, "check its name", most=3, show=str)
        raise ChefError(f"unknown ingredient {word!r}", way_out)
    return Coming(token, noun(name, token, canonical))


def relatives(tokens: Iterable[str], met: Iterable[str]) -> set[str]:
    """The tokens, and those of the same families: who swaps chicken thighs means the chicken in the steps.

    met: words of the recipe's texts, since a model's own map may have tokens that the families' file has not.
    """
    found = set(tokens)
    families = {name for token in found if (name := family(token))}
    listed = {token for name in families for token in members()[name]}
    return found | listed | {token for token in met if families and family(token) in families}


def _family(word: str) -> str | None:
    """The family of this name, singular or plural."""
    return next((name for name in members() if keys(name) == keys(word)), None)
