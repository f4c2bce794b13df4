"""Groups of ingredients, such as nuts or dairy, by the words in a canonical token.

`groups.tsv` is the table. Where two of its phrases meet in one name the longer one decides: milk is dairy,
coconut milk is not. This is a table of words, not allergy advice.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from importlib.resources import files

from chef.text.keys import spelled

# What is made of a food and is no longer that food: chicken broth has chicken in it, and is none.
_DERIVED = frozenset(
    "aminos bouillon broth cube dressing drippings essence extract fat flavor flavoring gravy liqueur oil"
    " paste powder rub sauce seasoning soup stock syrup vinegar".split()
)
# Shown wherever something is left out by its name.
ALLERGY_NOTICE = (
    "Filters read the words of a recipe; they cannot know traces or brands and are no allergy advice."
)
_REST = "*"  # ends a phrase that takes all words that follow
_OTHER = "@"  # begins the name of another group that belongs to this one

Words = tuple[str, ...]


class Bond(IntEnum):
    """How an ingredient belongs to a group: not at all, as something made with it, or as one of it."""

    NOT = 0
    MADE = 1
    IN = 2


@cache
def _table() -> dict[str, dict[Words, Bond]]:
    found: dict[str, dict[Words, Bond]] = {}
    for line in (files(__package__) / "groups.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            group, bond, phrases = line.split("\t")
            found.setdefault(group, {}).update(
                (words_of(one), Bond[bond.upper()]) for one in phrases.split(", ")
            )
    return found


@cache
def groups() -> dict[str, dict[Words, Bond]]:
    """The phrases of each group as singular words, and how they belong to it."""
    return {name: phrases for name, phrases in _table().items() if any(phrases.values())}


@cache
def lookalikes() -> dict[str, frozenset[Words]]:
    """For a word the names that end in it and are something else: peanut butter is no butter."""
    return {name: frozenset(phrases) for name, phrases in _table().items() if not any(phrases.values())}


def has(group: str, token: str) -> bool:
    """Whether something of the group is in an ingredient, were it as broth or oil.

    >>> has("dairy", "sour_cream"), has("dairy", "coconut_milk"), has("poultry", "chicken_broth")
    (True, False, True)
    """
    return bond(group, token) > Bond.NOT


def is_one(group: str, token: str) -> bool:
    """Whether an ingredient is one of the group itself.

    >>> is_one("poultry", "chicken_breasts"), is_one("poultry", "chicken_broth")
    (True, False)
    """
    return bond(group, token) is Bond.IN


@cache
def bond(group: str, token: str) -> Bond:
    """How an ingredient belongs to a group."""
    phrases, words = groups()[group], words_of(token)
    found = [bond(first[1:], token) for first, *_ in phrases if first.startswith(_OTHER)]
    at = 0
    while at < len(words):
        length, one = _longest(phrases, words[at:])
        if one is Bond.IN and words[-1] in _DERIVED and phrases.get(words) is not Bond.IN:
            one = Bond.MADE
        found.append(one)
        at += length
    return max(found, default=Bond.NOT)


def _longest(phrases: dict[Words, Bond], words: Words) -> tuple[int, Bond]:
    """How many words the longest phrase at their beginning takes, and how it belongs to the group."""
    for length in range(len(words), 0, -1):
        if (found := phrases.get((*words[:length], _REST))) is not None:
            return len(words), found
        if (found := phrases.get(words[:length])) is not None:
            return length, found
    return 1, Bond.NOT


@cache
def words_of(name: str) -> Words:
    """The singular words of a token or a name."""
    return tuple(spelled(word) for word in name.lower().replace("_", " ").split())
