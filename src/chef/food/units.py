"""Units of ingredient lines, and grams: the amount times what one unit of that food weighs.

`unit_of` knows the spellings of units. Mass units need no food. Volumes take the food's density, in the state
the line names (chopped, cooked, packed ...). Counted things take the weight of one, by size. Figures come
from the USDA's household measures and from house estimates, both in `tables/` with their source. Vague
measures have house figures too: a pinch is 0.4 ml, a dash 0.6 ml, a handful 10 to 60 g by the food, and a
seasoning, herb, fat or garnish without any amount ("salt, to taste") weighs the `taste` of its row, at most
30 g. Where even a cook could not tell ("chicken", without an amount), the answer is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from chef.files import rows, word_lists
from chef.food.measures import Food, Match, key_of, match

Kind = Literal["mass", "volume", "length", "piece", "container"]

# What recipes call a small, medium or large thing.
SIZES = {word: size for size, words in rows("chef.food", "sizes.tsv") for word in words.split("|")}


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


# The state words of a line, in the words of the measures.
_STATES = word_lists("chef.food", "measure_states.tsv")
_STATE = re.compile(rf"(?<!un)(?<!be )(?<!pre)\b({'|'.join(_STATES)})\b")
# The weight of a size relative to a medium one, where a food has one weight only.
_SIZE_FACTOR = {"small": 0.7, "medium": 1.0, "large": 1.35}

# Grams of one where the food has no such measure of its own: house estimates that hold for most foods.
_UNIT_DEFAULTS = {
    "can": 400.0, "sprig": 1.0, "clove": 3.0, "handful": 30.0, "leaf": 0.5, "slice": 25.0, "stalk": 30.0,
}  # fmt: skip
# Parts of a thing, which weigh no more than the thing.
_PARTS = frozenset(("leaf", "sprig", "clove", "slice", "stick"))
# A head of cauliflower or a fillet of salmon is one of it, where the food does not say otherwise.
_IS_ONE = frozenset(("piece", "fillet", "head", "bulb", "ear", "link", "pod"))
# Up to this many millilitres a food of unknown density is taken as something between powder and liquid.
_SMALL_VOLUME = 20.0
_UNKNOWN_DENSITY = 0.75


def grams(
    name: str, amount: float | None, unit: str | None, *, size: str | None = None, text: str = ""
) -> float | None:
    """Grams of `amount` times `unit` of the ingredient `name`, None where nobody could tell.

    `unit` is a name of `units`, "" for counted things; `size` is small, medium or large; `text`,
    the whole line, tells the state (chopped, cooked, packed).

    >>> grams("butter", 2, "stick")
    226.0
    """
    matched = match(name)
    food = matched.food if matched else None
    if amount is None:
        return food.measures.get("taste") if food else None
    if not unit and matched:
        food, unit = _part(name, matched)
    if not unit:
        one = _each(food, size) if food else None
    else:
        known = units().get(unit)
        one = _one(food, known, size, _state(text)) if known else None
    return amount * one if one is not None else None


def _part(name: str, matched: Match) -> tuple[Food, str]:
    """The food and the unit of a counted name: "4 endive leaves" are no endives; most names have no unit."""
    front, _, last = key_of(name).rpartition(" ")
    if last in _PARTS and matched.by == "name":
        each = matched.food.measures.get("each", 0.0)
        return matched.food, last if matched.food.measures.get(last, each) < each else ""
    if last in _PARTS and (whole := match(front)) is not None and whole.by == "name":
        return whole.food, last
    return matched.food, ""


def _one(food: Food | None, unit: Unit, size: str | None, states: tuple[str, ...]) -> float | None:
    """Grams of one unit of the food."""
    if unit.kind == "mass":
        return unit.size
    if food is not None:
        # The food's own figure for the unit comes first: a stick of butter, a pinch of saffron.
        for key in (f"{unit.name}/{size}", unit.name):
            if key in food.measures:
                return food.measures[key]
    if unit.kind == "volume" and unit.size is not None:
        density = _density(food, states) if food else None
        if density is None and food is None and unit.size <= _SMALL_VOLUME:
            density = _UNKNOWN_DENSITY
        return unit.size * density if density is not None else None
    if unit.name in _IS_ONE and food is not None and (each := _each(food, size)) is not None:
        return each
    default, each = _UNIT_DEFAULTS.get(unit.name), _each(food, size) if food else None
    return min(default, each) if default and each and unit.name in _PARTS else default


def _density(food: Food, states: tuple[str, ...]) -> float | None:
    others = (key for key in food.measures if key.startswith("ml/"))
    keys = (*(f"ml/{state}" for state in states), "ml", *others)
    return next((food.measures[key] for key in keys if key in food.measures), None)


def _each(food: Food, size: str | None) -> float | None:
    measures = food.measures
    if size is not None and size in measures:
        return measures[size]
    middle = measures.get("each", measures.get("medium"))
    if middle is not None:
        return middle * _SIZE_FACTOR.get(size or "medium", 1.0)
    return measures.get("large", measures.get("small"))


@lru_cache(maxsize=4096)
def _state(text: str) -> tuple[str, ...]:
    """The measures' states that the line names, the most telling first."""
    # Cooked rice weighs as cooked rice, however it is also chopped or packed.
    words = sorted(_STATE.findall(text), key=lambda word: word not in ("cooked", "steamed", "leftover"))
    return tuple(dict.fromkeys(state for word in words for state in _STATES[word]))
