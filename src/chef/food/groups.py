"""Groups of ingredients, such as nuts or dairy, by the words in a canonical token.

`tables/groups.tsv` is the table. Where two of its phrases overlap in one name the longer one decides: milk is
dairy, coconut milk is not. This is a table of words, not allergy advice.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from chef.files import rows
from chef.food import DERIVED
from chef.text.keys import spelled

# Shown wherever something is left out by its name.
ALLERGY_NOTICE = (
    "Filters read the words of a recipe; they cannot know traces or brands and are no allergy advice."
)
_REST = "*"  # ends a phrase that takes all words that follow
_OTHER = "@"  # begins the name of another group that belongs to this one

Words = tuple[str, ...]


class Membership(IntEnum):
    """How an ingredient belongs to a group: not at all, as something made with it, or as one of it."""

    NOT = 0
    MADE = 1
    IN = 2


@cache
def _table() -> dict[str, dict[Words, Membership]]:
    table: dict[str, dict[Words, Membership]] = {}
    for group, membership, phrases in rows("chef.food", "groups.tsv"):
        entry = Membership[membership.upper()]
        table.setdefault(group, {}).update((words_of(phrase), entry) for phrase in phrases.split(", "))
    return table


@cache
def groups() -> dict[str, dict[Words, Membership]]:
    """The phrases of each group as singular words, and how they belong to it."""
    return {name: phrases for name, phrases in _table().items() if any(phrases.values())}


@cache
def lookalikes() -> dict[str, frozenset[Words]]:
    """For a word the names that end in it and are something else: peanut butter is no butter."""
    return {name: frozenset(phrases) for name, phrases in _table().items() if not any(phrases.values())}


def has(group: str, token: str) -> bool:
    """Whether an ingredient contains something of the group, if only as broth or oil.

    >>> has("dairy", "sour_cream"), has("dairy", "coconut_milk"), has("poultry", "chicken_broth")
    (True, False, True)
    """
    return membership(group, token) > Membership.NOT


def is_one(group: str, token: str) -> bool:
    """Whether an ingredient is itself a member of the group.

    >>> is_one("poultry", "chicken_breasts"), is_one("poultry", "chicken_broth")
    (True, False)
    """
    return membership(group, token) is Membership.IN


@cache
def membership(group: str, token: str) -> Membership:
    """How an ingredient belongs to a group."""
    phrases, words = groups()[group], words_of(token)
    best = max(
        (membership(first[1:], token) for first, *_ in phrases if first.startswith(_OTHER)),
        default=Membership.NOT,
    )
    at = 0
    while at < len(words):
        length, one = _longest(phrases, words[at:])
        at += length
        if one is Membership.IN and at < len(words) and words[-1] in DERIVED:
            one = Membership.MADE  # walnut oil, but not soy sauce, which is in the table as such
        best = max(best, one)
    return best


def _longest(phrases: dict[Words, Membership], words: Words) -> tuple[int, Membership]:
    """How many words the longest phrase at their beginning takes, and how it belongs to the group."""
    for length in range(len(words), 0, -1):
        if (entry := phrases.get((*words[:length], _REST))) is not None:
            return len(words), entry
        if (entry := phrases.get(words[:length])) is not None:
            return length, entry
    return 1, Membership.NOT


@cache
def words_of(name: str) -> Words:
    """The singular words of a token or a name."""
    return tuple(spelled(word) for word in name.lower().replace("_", " ").split())
