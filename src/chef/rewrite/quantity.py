"""How much comes in: the author's own quantity where it still makes sense, else its weight."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chef.food.grams import grams
from chef.food.kinds import kind_of
from chef.food.units import Unit, unit_of, units
from chef.food.words import CUTS
from chef.recipe import Ingredient
from chef.rewrite.coming import Coming
from chef.text.words import keys

# Units that count pieces, and the trait that a food needs to come in them; others come by weight.
_PIECES = {
    **dict.fromkeys(("slice", "rasher", "piece", "strip", "cube", "chunk", "wedge", "block"), "solid"),
    "fillet": "flesh",
    "stick": "stick",
    "pat": "stick",
    **dict.fromkeys(("sprig", "bunch", "handful", "leaf"), "leaf"),
    "can": "can",
}
_MOST = 12  # things that a cook would count
_SAME_SIZE = (0.6, 1.7)  # a pear is as good as an apple, an egg no apple
_PART = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]|(?:\d|[¼-¾⅐-⅞])[\d\s./,¼-¾⅐-⅞⁄–-]*|[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?|\S"
)
_JOINS = frozenset(
    """
    to or of x about approx approximately roughly around scant heaping heaped level rounded generous plus
    and a an half couple few one two three four five six seven eight nine ten dozen - – ~ + / × &
    """.split()
)
_HAS_UNIT = re.compile(r"\d\s*-?\s*([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Quantity:
    """What stands before the name, with a space behind it if anything; `one`: just one of it."""

    text: str
    one: bool
    kept: bool  # the author's own


def split(head: str) -> tuple[str, str]:
    """What stands before a name as quantity and words of state.

    >>> split("2 large boneless ")
    ('2 ', 'large boneless ')
    """
    end, measured = 0, False
    for match in _PART.finditer(head):
        part = match[0].strip().lower()
        is_number = part[0].isdigit() or "¼" <= part[0] <= "⅞" or part[0] in "(["
        if not (is_number or part in _JOINS or unit_of(part.rstrip(".")) is not None):
            break
        measured = measured or is_number or part in _JOINS
        end = match.end()
    end += len(head[end:]) - len(head[end:].lstrip())
    return (head[:end], head[end:]) if measured else ("", head)


def quantity(item: Ingredient, written: str, coming: Coming, *, size: str | None = None) -> Quantity:
    """The quantity of what comes in place of a line's ingredient; `written` is the old one."""
    unit = units().get(item.unit) if item.unit else None
    if item.amount is None or not written.strip():
        return Quantity(written, False, True)
    if unit is not None and unit.kind in ("mass", "volume", "length"):
        return Quantity(_without_other_measures(written, unit), False, True)
    if unit is not None:
        return _in_pieces(item, written, unit, coming)
    return _counted(item, written, coming, size)


def weight(value: float) -> str:
    """Grams as a cook would weigh them.

    >>> weight(453.59), weight(1587.0), weight(9.0)
    ('450 g', '1.6 kg', '9 g')
    """
    if value >= 1000:
        return f"{round(value / 1000, 1):g} kg"
    step = 1 if value < 10 else 5 if value < 100 else 10 if value < 400 else 50
    return f"{max(step, round(value / step) * step):g} g"


def _in_pieces(item: Ingredient, written: str, unit: Unit, coming: Coming) -> Quantity:
    kind = kind_of(coming.noun.singular)
    wanted = _PIECES.get(unit.name)
    fits = wanted is not None and kind is not None and wanted in kind.traits
    if fits or item.grams is None:
        return Quantity(written, False, True)
    return Quantity(_about(item.grams, coming), False, False)


def _counted(item: Ingredient, written: str, coming: Coming, size: str | None) -> Quantity:
    noun, amount = coming.noun, item.amount or 1.0
    each = grams(noun.singular, 1.0, "", size=size) if noun.counted else None
    if item.grams is None:
        if noun.counted:
            return Quantity(written, amount <= 1, True)
        return Quantity(f"{written.rstrip()} {'piece' if amount <= 1 else 'pieces'} of ", False, True)
    if each is not None:
        count = item.grams / each
        if not _is_counted_out(coming):
            return Quantity(_about(item.grams, coming), False, False)
        if _SAME_SIZE[0] <= count / amount <= _SAME_SIZE[1] and "(" not in written:
            return Quantity(written, amount <= 1, True)
        if 0.75 <= count <= _MOST:
            return Quantity(f"about {round(count)} ", round(count) == 1, False)
    return Quantity(_about(item.grams, coming), False, False)


def _about(value: float, coming: Coming) -> str:
    kind = kind_of(coming.noun.singular)
    # Close enough for all that pours: a millilitre of it weighs about a gram.
    told = weight(value).replace("kg", "l").replace(" g", " ml")
    return f"about {told if kind is not None and 'liquid' in kind.traits else weight(value)} "


def _is_counted_out(coming: Coming) -> bool:
    """Whether a cook counts it: eggs, apples and pork chops, not blueberries."""
    kind = kind_of(coming.noun.singular)
    return kind is None or "count" in kind.traits or keys(coming.noun.singular)[-1] in CUTS


def _without_other_measures(written: str, unit: Unit) -> str:
    """ "1/2 cup (1 stick)" of butter is half a cup of oil, but no stick; nor do 120 ml weigh the same."""

    def same(match: re.Match[str]) -> str:
        measured = _HAS_UNIT.search(match[0])
        found = unit_of(measured[1]) if measured else None
        return match[0] if found is not None and found.kind == unit.kind else ""

    return re.sub(r"\s{2,}", " ", re.sub(r"\([^()]*\)|\[[^\[\]]*\]", same, written))
