"""Units of ingredient lines: what they are called and how much they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from chef.text.tables import rows

Kind = Literal["mass", "volume", "length", "piece", "container"]


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
    for name, kind, size, spellings in rows("units.tsv"):
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
