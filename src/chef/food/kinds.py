"""Kinds of food: what an ingredient is by the words of its name, and which states fit it; families.

`tables/kinds.tsv` lists words, kinds, and traits such as "liquid" or "skin". `tables/states.tsv` lists the
trait that a food needs for a word of state: olive oil is not softened, a turkey may be skinless.

A family is what counts as chicken, beef, pork, fish or apple when one is swapped for another:
`tables/families.tsv` lists canonical tokens, never parts of words. Pineapple is no apple, chicken broth no
chicken.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from chef.files import rows
from chef.food import CUTS, FORMS
from chef.food.canonical import shipped_map, token_of
from chef.recipe import Recipe
from chef.text.vocabulary import Vocabulary
from chef.text.words import keys

_WORD = re.compile(r"[a-z]+")
_TRAITS_OF_UNKNOWN = frozenset(("solid",))
_ALIVE = ("produce", "leaf", "flesh")  # what can be fresh or young


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of food."""

    name: str
    roles: frozenset[str]  # in a dish: butter and oil are both fat
    traits: frozenset[str]


@cache
def _kinds() -> dict[tuple[str, ...], Kind]:
    table: dict[tuple[str, ...], Kind] = {}
    for name, roles, traits, words in rows("chef.food", "kinds.tsv"):
        kind = Kind(name, frozenset(roles.split("|")), frozenset(traits.split()))
        table |= {keys(word): kind for word in words.split("|")}
    return table


def kind_words() -> frozenset[tuple[str, ...]]:
    """All names of kinds, as keys."""
    return frozenset(_kinds())


@cache
def kind_of(name: str) -> Kind | None:
    """The kind of an ingredient's name or token; None where no word of it is known.

    >>> kind_of("chicken_breasts").name, kind_of("chicken_broth").name
    ('poultry', 'broth')
    """
    kinds = _kinds()
    kind = next((kinds[words] for words in endings(name) if words in kinds), None)
    # One singular for two foods: the spice, and peppers, which are a vegetable.
    is_vegetable = name.endswith("peppers") and kind is kinds[("pepper",)]
    return kinds[("bell", "pepper")] if is_vegetable else kind


def endings(name: str) -> Iterator[tuple[str, ...]]:
    """The last words of a name, the most first; then, where a cut or form ends it, the same without that.

    >>> list(endings("red onion rings"))[1:4]
    [('onion', 'ring'), ('ring',), ('red', 'onion')]
    """
    words = keys(name)
    while words:
        yield from (words[start:] for start in range(len(words)))
        words = words[:-1] if words[-1] in CUTS | FORMS else ()


def food_of(name: str) -> str:
    """The food itself, of meat, poultry and fish without its cut: two cuts of pork are one food.

    >>> food_of("chuck_roast"), food_of("turkey_breast"), food_of("brown_rice")
    ('beef', 'turkey', 'brown rice')
    """
    kind, words = kind_of(name), keys(name)
    if kind is None or "flesh" not in kind.traits:
        return " ".join(words)
    if kind.name != "fish" and (animal := family(name)):
        return animal  # chuck roast is beef
    while len(words) > 1 and words[-1] in CUTS | FORMS:
        words = words[:-1]
    return words[-1]


@cache
def _states() -> dict[str, str]:
    """Words of state, and the trait that each needs."""
    return {word: trait for trait, words in rows("chef.food", "states.tsv") for word in words.split("|")}


@cache
def _longest_state() -> int:
    return max(len(state.split()) for state in _states())


def states(phrase: str) -> list[str]:
    """The words of state in a phrase, the longest first where two begin together.

    >>> states("boneless, at room temperature")
    ['boneless', 'room temperature']
    """
    words, table, named, at = _WORD.findall(phrase.lower()), _states(), [], 0
    while at < len(words):
        ends = range(min(len(words), at + _longest_state()), at, -1)
        end = next((end for end in ends if " ".join(words[at:end]) in table), None)
        if end is not None:
            named.append(" ".join(words[at:end]))
        at = end or at + 1
    return named


def is_state(word: str) -> bool:
    """Whether a word alone is one of state."""
    return word.lower() in _states()


def fits(phrase: str, food: str) -> bool:
    """Whether a food can be what a phrase says of it; words that say nothing of state always fit.

    >>> fits("skinless", "turkey"), fits("softened", "olive oil"), fits("for serving", "olive oil")
    (True, False, True)
    """
    kind = kind_of(food)
    traits = kind.traits if kind is not None else _TRAITS_OF_UNKNOWN
    needed = {_states()[state] for state in states(phrase)}
    if "fresh" in needed and not traits.isdisjoint(_ALIVE):
        needed.remove("fresh")
    return needed <= traits


# Families


@cache
def members() -> dict[str, tuple[str, ...]]:
    """The tokens of each family, the plainest first.

    >>> members()["apple"]
    ('apples', 'apple', 'green_apples', 'dried_apples')
    """
    tokens: dict[str, tuple[str, ...]] = {}
    for name, token in rows("chef.food", "families.tsv"):
        tokens[name] = (*tokens.get(name, ()), token)
    return tokens


@cache
def _by_token() -> dict[str, str]:
    return {token: name for name, tokens in members().items() for token in tokens}


@cache
def family(token: str) -> str | None:
    """The family of a canonical token, if it has one.

    A token of another canonical map is read as a name by the shipped map, so that a map in which the
    breasts are `skinless_chicken_breast` needs no file of its own.

    >>> family("chicken_breasts"), family("chicken_broth")
    ('chicken', None)
    """
    if token not in _by_token() and token not in shipped_map():
        token = shipped_map().token(token.replace("_", " ")) or ""
    return _by_token().get(token)


def families_in(recipe: Recipe) -> set[str]:
    """The families among the recipe's ingredients, by its canonical tokens; title and steps do not count."""
    tokens = (item.token or token_of(item.name) for item in recipe.ingredients if item.name)
    return {name for token in tokens if (name := family(token))}


def word_for(name: str, vocabulary: Vocabulary) -> str | None:
    """The token that stands for a family when it is put into a recipe: the first that the model knows."""
    return next((token for token in members()[name] if token in vocabulary), None)
