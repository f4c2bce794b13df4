"""Ingredient lines: "2 cups (250 g) flour, sifted" -> name, amount, unit, grams.

The amounts are read by our own grammar (amounts, quantities), the name by the tagger of
ingredient-parser-nlp on a sentence that is already free of repeated amounts, brackets and remarks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from chef.food.grams import grams
from chef.food.units import Unit, unit_of
from chef.recipe import Ingredient, Recipe
from chef.text.lines.amounts import find
from chef.text.lines.clean import clean, is_heading
from chef.text.lines.names import parse_name, tidy, without_state
from chef.text.lines.quantities import Quantity, read

_SHORT = 4  # words
# Where the name is over and a remark begins.
_TAIL = re.compile(
    r"[\s,;(-]*(?:\b(?:plus|and|with|\+)\s+(?:some\s+)?(?:more|extra|additional)\b|\bplus\s|\bsuch as\b|"
    r"\be\.?g\.|\bpreferably\b|\bi used?\b|\bsee\s|\bor (?:to taste|more|less|as needed|so)\b|\bto taste\b|"
    r"\bas (?:needed|required|desired|necessary)\b|\bif (?:needed|desired|necessary|you)\b|\boptional\b|"
    r"\bdivided\b|\bat room temp|\broom temp|\bper person\b).*$"
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LEADING = re.compile(
    r"^(?:[\s,;:./+=~&-]|of\b(?!\s+the)|each\b|x\s|"
    r"(?:a\s+)?(?:little\s+)?(?:bit|touch|lots?|plenty|dab|enough)\s+(?:of\s+)?)+"
)


@lru_cache(maxsize=65536)
def parse_line(line: str) -> Ingredient:
    """The parsed line; what is not known is None. Any text is accepted; headings have no name.

    >>> parse_line("2 cups green beans, trimmed").name
    'green beans'
    """
    text = clean(line)
    quantity = read(text, find(text))
    if quantity is None and is_heading(text):
        return Ingredient(line)
    name, unit = _name(text, quantity)
    if name is None and quantity is not None and unit is not None and unit.kind in ("piece", "container"):
        # "4 cloves" are the spice, "8 rolls" are bread: the unit is the thing itself.
        name, unit = f"{unit.name}s", None
        quantity = replace(quantity, unit=None, parts=((quantity.amount, None),))
    if name is None:
        return Ingredient(line)
    if quantity is None:
        return Ingredient(line, name, grams=grams(name, None, None, text=text))
    return Ingredient(
        line,
        name,
        amount=round(quantity.amount, 4),
        unit=unit.name if unit else "",
        grams=_grams(name, quantity, unit, text),
    )


def with_names(recipe: Recipe) -> Recipe:
    """The recipe with a name for every ingredient whose line has one; a name that is there stays."""
    return recipe.with_ingredients(
        item if item.name else replace(item, name=parse_line(item.line).name) for item in recipe.ingredients
    )


def _name(text: str, quantity: Quantity | None) -> tuple[str | None, Unit | None]:
    """The name, and the unit: the quantity's own or the one behind the name ("2 garlic cloves")."""
    unit = quantity.unit if quantity else None
    rests = list(dict.fromkeys(_rests(text, quantity)))
    for rest in rests:
        name, counted = parse_name(_sentence(rest, quantity))
        if name is None:
            continue
        behind = unit_of(counted) if unit is None and counted else None
        if behind is not None and behind.kind in ("piece", "container"):
            unit = behind
        return name, unit
    # The tagger took all for preparation or unit ("haloumi sliced"): a short rest is the name.
    short = rests[0].split(",")[0] if rests else ""
    return tidy(short) if len(short.split()) <= _SHORT else None, unit


def _rests(text: str, quantity: Quantity | None) -> Iterator[str]:
    """What may hold the name, best first: the line without amounts, brackets and remarks, then with them."""
    for start, end in sorted(quantity.spans if quantity else (), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    rest = text
    while (shorter := _BRACKETS.sub(" ", rest)) != rest:
        rest = shorter
    rest = re.sub(r"(?<=\w\s)\(.*$|[()\[\]]", " ", rest)
    for candidate in (_TAIL.sub("", rest), rest, re.sub(r"[()\[\]]", " ", text)):
        candidate = without_state(_LEADING.sub("", " ".join(candidate.split())))
        if any(sign.isalpha() for sign in candidate):
            yield candidate


def _sentence(rest: str, quantity: Quantity | None) -> str:
    """A plain sentence for the tagger: the number does not matter to it, only that there is one."""
    if quantity is None:
        return rest
    if quantity.unit is None:
        return f"2 {rest}"
    if quantity.unit.kind in ("mass", "volume", "length"):
        return f"1 cup {rest}"
    return f"2 {'slices' if quantity.unit.kind == 'piece' else 'cans'} {rest}"


def _grams(name: str, quantity: Quantity, unit: Unit | None, text: str) -> float | None:
    """Grams of all parts of the quantity; where they are not known, of the amount as counted."""

    def weigh(value: float, part: Unit | None) -> float | None:
        known = part or unit
        return grams(name, value, known.name if known else "", size=quantity.size, text=text)

    for parts in (quantity.parts, ((quantity.amount, unit),)):
        weights = [weigh(value, part) for value, part in parts]
        if weights[0] is not None:
            return round(sum(weight for weight in weights if weight is not None), 2)
    return None
