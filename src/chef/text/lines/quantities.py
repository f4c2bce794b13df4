"""What the amounts of one line say together: "2 (14 oz) cans" is two cans and 28 ounces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from chef.food.units import Unit, unit_of, units
from chef.text.lines.amounts import Amount

_ABOUT = r"about|approx\.?|approximately|roughly|around|~|ca\.?"
# Between a count and the size of one: "2 (14 oz", "2 x 400 g", "1 can, 14 oz".
_NESTED = re.compile(rf"[\s,:-]*(?:x\s*|of\s+)?[(\[]*\s*(?:{_ABOUT}|each)?\s*")
# Between two ways to say the same amount: "1 cup / 240 ml", "1 cup (about 120 g", "5 ounces; 140 g".
_SAME = re.compile(rf"[\s,;:/=~-]*(?:or\s+|scant\s+|of\s+)?[(\[]*\s*(?:{_ABOUT}|or|or about|/)?\s*")
_PLUS = re.compile(r"\s*(?:\)?\s*)(?:plus|\+|and|&|,\s*plus)\s*(?:about|another|an extra|an additional)?\s*")
_EACH = re.compile(r"\s*(?:in weight|weight)?\s*(?:each|apiece|per\b|a piece|-?\s*size)")
_PIECE = re.compile(r"[\s)-]*(?:long\s+|thick\s+)?(?:pieces?|knobs?|lengths?|chunks?|thumbs?)\b")
_TOTAL = re.compile(r"[^()]*\btotal")
# A bracket that starts so speaks of something else than the amount.
_OTHER_THING = re.compile(
    r"\(\s*(?:or|plus|from|see|note|if|for|such|can|use|up to|with|\+|i used)\b(?!\s+about)"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """The amount and unit as the author counts; `parts` are what to weigh: a number and a unit each."""

    amount: float
    unit: Unit | None
    size: str | None
    parts: tuple[tuple[float, Unit | None], ...]
    spans: tuple[tuple[int, int], ...]  # the text used up


def read(text: str, amounts: list[Amount]) -> Quantity | None:
    """One quantity from all amounts of the line, None where it has none.

    >>> from chef.text.lines.amounts import find
    >>> read("2 (14 oz) cans beans", find("2 (14 oz) cans beans")).parts[0][0]
    28.0
    """
    measured = [item for item in amounts if item.unit is None or item.unit.kind != "length"]
    if not measured:
        return _length(amounts)
    first = measured[0]
    rest = measured[1:]
    return (
        _pieces(text, amounts, first)
        or _hyphenated(text, first)
        or _nested(text, first, rest)
        or _packed(text, first)
        or _plain(text, first, rest)
    )


def _length(amounts: list[Amount]) -> Quantity | None:
    if not amounts or amounts[0].start > 0:  # "cut into 1-inch pieces" is no amount
        return None
    return _inches(amounts[0], 1.0, amounts[0].start, amounts[0].end)


def _inches(length: Amount, times: float, start: int, end: int) -> Quantity:
    """A number of lengths, as one length in inches."""
    inch = units()["inch"]
    value = times * length.value * ((length.unit and length.unit.size) or 1) / 2.54
    return Quantity(value, inch, None, ((value, inch),), ((start, end),))


def _pieces(text: str, amounts: list[Amount], first: Amount) -> Quantity | None:
    """ "2 (1-inch) pieces ginger": a number of pieces of a length."""
    second = next((item for item in amounts if item.start >= first.end), None)
    if first.unit is not None or second is None or second.unit is None or second.unit.kind != "length":
        return None
    piece = _PIECE.match(text, second.end)
    if piece is None or not _NESTED.fullmatch(text[first.end : second.start]):
        return None
    return _inches(second, first.value, first.start, piece.end())


@cache
def _container_pattern() -> re.Pattern[str]:
    spellings = [word for unit in units().values() if unit.kind == "container" for word in unit.spellings]
    words = "|".join(sorted(map(re.escape, spellings), key=len, reverse=True))
    return re.compile(
        rf"(?:\s*each)?[\s)\]-]*(?:(?:small|large|medium|sized?|cello)\s+)?(?P<unit>{words})(?![\w-])\.?"
    )


def _container(text: str, position: int) -> tuple[Unit | None, int]:
    match = _container_pattern().match(text, position)
    return (unit_of(match["unit"]), match.end()) if match else (None, position)


def _hyphenated(text: str, first: Amount) -> Quantity | None:
    """ "2-14oz cans": a hyphen that joins count and size, not a range."""
    unit, end = _container(text, first.end)
    if unit is None or first.unit is None or first.unit.kind not in ("mass", "volume"):
        return None
    if first.high == first.low or first.high < 3 * first.low or first.low != int(first.low):
        return None
    return Quantity(
        first.low, unit, first.size, ((first.low * first.high, first.unit),), ((first.start, end),)
    )


def _nested(text: str, first: Amount, rest: list[Amount]) -> Quantity | None:
    """ "2 (14 oz) cans", "2 cans (14 oz)", "2 x 400 g", "2 (6 oz) fillets": a count, then the size of one."""
    if not rest or not _NESTED.fullmatch(text[first.end : rest[0].start]):
        return None
    one = rest[0]
    if one.unit is None or one.unit.kind not in ("mass", "volume"):
        return None
    unit, end = first.unit, one.end
    if first.unit is None:
        unit, end = _container(text, _after_brackets(text, one, rest))
    elif first.unit.kind not in ("piece", "container"):
        return None
    # A size after a container or right after the number is that of one: "2 cans (14 oz)", "4 (6 oz) fillets".
    is_container = unit is not None and unit.kind == "container"
    of_one = is_container or (first.unit is None and first.size is None)
    each = _EACH.match(text, one.end) or (of_one and not _TOTAL.match(text, one.end))
    times = first.value if each else 1.0
    spans = ((first.start, first.end), (one.start, max(end, one.end)))
    return Quantity(first.value, unit, first.size, ((times * one.value, one.unit),), spans)


def _after_brackets(text: str, one: Amount, rest: list[Amount]) -> int:
    """Where the text goes on after "(14.5 oz / 411 g)": behind the last equal amount."""
    end = one.end
    for item in rest[1:]:
        if item.unit is None or not _SAME.fullmatch(text[end : item.start]):
            break
        end = item.end
    return end


def _packed(text: str, first: Amount) -> Quantity | None:
    """ "400 g can chickpeas": one container of that size."""
    if first.unit is None or first.unit.kind not in ("mass", "volume"):
        return None
    unit, end = _container(text, first.end)
    if unit is None:
        return None
    return Quantity(1.0, unit, first.size, ((first.value, first.unit),), ((first.start, end),))


def _plain(text: str, first: Amount, rest: list[Amount]) -> Quantity:
    """An amount alone, said twice ("1 cup (120 g)"), or summed ("1 cup plus 2 tablespoons")."""
    parts: list[tuple[float, Unit | None]] = [(first.value, first.unit)]
    spans = [(first.start, first.end)]
    amount, kind, end = first.value, first.unit.kind if first.unit else None, first.end
    best = 3 if kind == "mass" else 1 if kind == "volume" else 0
    for item in rest:
        between, item_kind = text[end : item.start], item.unit.kind if item.unit else None
        if item.unit is None or item_kind not in ("mass", "volume"):
            continue
        start = item.start
        if _PLUS.fullmatch(between) or (
            kind == item_kind and first.unit and between.strip() == "" and item.size is None
        ):
            start = end
            parts.append((item.value, item.unit))
            if first.unit is not None and kind == item_kind:
                amount += item.value * (item.unit.size or 0) / (first.unit.size or 1)
        elif _SAME.fullmatch(between) or _in_bracket(text, item):
            rank = 2 if item_kind == "mass" else 1
            if rank > best:
                best, times = rank, first.value if _EACH.match(text, item.end) else 1.0
                parts = [(times * item.value, item.unit)]
        else:
            continue
        spans.append((start, item.end))
        end = item.end
    return Quantity(amount, first.unit, first.size, tuple(parts), tuple(spans))


def _in_bracket(text: str, item: Amount) -> bool:
    start = text.rfind("(", 0, item.start)
    return start > text.rfind(")", 0, item.start) and _OTHER_THING.match(text, start) is None
