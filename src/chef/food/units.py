"""Units and sizes of ingredient lines: their spellings and how much they measure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from chef.tables import rows

Kind = Literal["mass", "volume", "length", "piece", "container"]

_SIZE_WORDS = {
    "large": "extra-large|extra large|x-large|xl|jumbo|large|lg|lrg|big|huge|giant|fat|large-sized|"
    "medium-large|medium to large|medium-to-large",
    "medium": "medium|med|md|medium-sized|medium-size|medium sized|medium size|regular|average|thick",
    "small": "small|sm|small-sized|little|tiny|mini|thin|small to medium",
}
# What recipes call a small, medium or large thing.
SIZES = {word: size for size, words in _SIZE_WORDS.items() for word in words.split("|")}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its one English name; `size` in grams, millilitres or centimetres, by its kind."""

    name: str
    kind: Kind
    size: float | None
    spellings: tuple[str, ...]


@cache
def units() -> dict[str, Unit]:
    """All units by their name."""
    table: dict[str, Unit] = {}
    for name, kind, size, spellings in rows("chef.food", "units.tsv"):
        if kind not in ("mass", "volume", "length", "piece", "container"):
            raise ValueError(f"units.tsv: {name} has the unknown kind {kind!r}")
        words = tuple(dict.fromkeys([name, *spellings.split("|")]))
        table[name] = Unit(name, kind, float(size) if size else None, words)  # type: ignore[arg-type]
    return table


@cache
def _names() -> dict[str, str]:
    return {_key(spelling): unit.name for unit in units().values() for spelling in unit.spellings}


def _key(spelling: str) -> str:
    return " ".join(spelling.lower().replace(".", " ").split())


def unit_of(spelling: str) -> Unit | None:
    """The unit a spelling means, if any; upper and lower case and dots make no difference.

    >>> unit_of("Tbsp.").name
    'tablespoon'
    """
    name = _names().get(_key(spelling))
    return units()[name] if name is not None else None


@cache
def unit_pattern() -> str:
    """A regular expression (without groups) for any spelling, longest first; for lower-case text."""
    spellings = {spelling.lower() for unit in units().values() for spelling in unit.spellings}
    signs = {spelling for spelling in spellings if not spelling[-1].isalpha()}
    words = sorted(spellings - signs, key=len, reverse=True)
    # A dot may stand after every part ("fl. oz."), and a word must end there: "g" is not in "garlic".
    parts = "|".join(r"\.?\s?".join(re.escape(part) for part in _key(word).split()) for word in words)
    return rf"(?:(?:{parts})(?![^\W\d_])\.?|{'|'.join(map(re.escape, sorted(signs)))})"
