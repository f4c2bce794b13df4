"""Kinds of food: what an ingredient is, told by the words of its name.

`kinds.tsv` lists words, kinds, and traits such as "liquid" or "skin", on which it depends whether a word of
state fits (`states.tsv`): an olive oil is not softened, a turkey may be skinless.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from chef.food.families import family
from chef.text.words import keys

# Cuts and forms, which come after the name of the food itself.
CUTS = frozenset(
    """
    breast thigh leg wing drumstick half quarter tender tenderloin fillet cutlet steak chop loin shoulder rib
    shank cheek hock neck topside silverside sirloin rump round flap patty nugget roast medallion
    escalope carcass
    """.split()
)
FORMS = frozenset(
    "piece chunk strip cube slice wedge half quarter part bit floret leaf meat segment stalk spear".split()
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of food."""

    name: str
    roles: frozenset[str]  # in a dish: butter and oil are both fat
    traits: frozenset[str]


@cache
def _table() -> dict[tuple[str, ...], Kind]:
    found: dict[tuple[str, ...], Kind] = {}
    for name, roles, traits, words in rows("kinds.tsv"):
        kind = Kind(name, frozenset(roles.split("|")), frozenset(traits.split()))
        for word in words.split("|"):
            found[keys(word)] = kind
    return found


@cache
def kind_of(name: str) -> Kind | None:
    """The kind of an ingredient's name or token; None where no word of it is known.

    >>> kind_of("chicken_breasts").name, kind_of("chicken_broth").name
    ('poultry', 'broth')
    """
    table, words = _table(), keys(name)
    while words:
        for start in range(len(words)):
            if words[start:] in table:
                return table[words[start:]]
        if words[-1] not in CUTS | FORMS:
            return None
        words = words[:-1]
    return None


def rows(table: str) -> Iterator[list[str]]:
    """The rows of one of this folder's tables, without comments."""
    text = (files(__package__) / table).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


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
