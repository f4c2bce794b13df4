"""Numbers as cooks write them (1 1/2, two, half a dozen), and the amounts of an ingredient line.

A line may give its amount several times, nested or summed: "2 (14 oz) cans", "1 cup (120 g)", "1 cup plus 2
tablespoons". `find` lists all amounts in the text; `read` says what they mean together: "2 (14 oz) cans" is
two cans and 28 ounces.
"""

import re
from dataclasses import dataclass, replace
from functools import cache

from chef.files import patterns, rules
from chef.food.units import SIZES, Unit, unit_of, unit_pattern, units
from chef.recipe import LARGEST_AMOUNT

RE = patterns("chef.text", "line_patterns.tsv")
NUMBER_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "sixteen": "16",
    "twenty": "20", "thirty": "30", "couple": "2", "few": "3", "several": "3",
}  # fmt: skip
_WORD_NUMBER = re.compile(rf"(?<![\w-])({'|'.join(NUMBER_WORDS)})(?=\s|-(?:inch|ounce|pound|oz|lb|cm))")
_SIMPLE = re.compile(r"(\d+)/(\d+)")
_SIZE = "|".join(sorted(map(re.escape, SIZES), key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount of the line and its position. `low` and `high` differ for a range."""

    low: float
    high: float
    unit: Unit | None
    size: str | None  # "small", "medium", "large", where the line says
    start: int
    end: int

    @property
    def value(self) -> float:
        """The amount; of a range the middle."""
        return (self.low + self.high) / 2


@cache
def _pattern() -> re.Pattern[str]:
    number, filler = RE["number"].pattern, RE["filler"].pattern
    size = rf"(?P<{{}}>{_SIZE})(?:[\s.,]+(?:sized?\s+)?|(?=\())"
    unit = rf"{RE['not a unit'].pattern}(?P<unit>{unit_pattern()})(?!-[^\W\d])"
    with_unit = rf"\s*-?\s*{filler}(?:{size.format('size')})?{filler}{unit}"
    # Without a unit the number must stand alone: 7up, 5-spice and 3-bean belong to the name.
    alone = rf"(?!-?[^\W\d_])(?:\s+{size.format('alone')})?"
    return re.compile(
        # Not inside a word, a fraction, a temperature or a percentage.
        rf"(?<![\w#°])(?<!\d[./,])(?P<low>{number})(?![\d/]|\s*[%°]|\s?percent)"
        rf"(?:\s*(?P<join>-|to|or|~)\s*(?P<high>{number})(?![\d/]|\s*[%°]))?"
        rf"(?:{with_unit}|{alone})"
    )


def find(text: str) -> list[Amount]:
    """All amounts in lower-case text, in order.

    >>> [(amount.value, amount.unit.name) for amount in find("1-2 cups (240 g) flour")]
    [(1.5, 'cup'), (240.0, 'gram')]
    """
    amounts = []
    for match in _pattern().finditer(text):
        low = value(match["low"])
        high = value(match["high"]) if match["high"] else low
        if not (0 < low < LARGEST_AMOUNT and high < LARGEST_AMOUNT):  # 00 flour
            continue
        size = SIZES.get(match["size"] or match["alone"] or "")
        unit = unit_of(match["unit"]) if match["unit"] else None
        amounts.append(Amount(low, high, unit, size, match.start(), match.end()))
    return amounts


def spell_out(text: str) -> str:
    """Lower-case text with its number words as digits.

    >>> spell_out("half a dozen eggs"), spell_out("one and a half cups")
    ('6 eggs', '1 1/2 cups')
    """
    for pattern, replacement in rules("chef.text", "line_rules.tsv")["numbers"]:
        text = pattern.sub(replacement, text)
    text = _WORD_NUMBER.sub(lambda match: NUMBER_WORDS[match.group(1)], text)
    return RE["dozen"].sub(lambda match: f"{12 * value(match.group(1) or '1'):g} ", text)


def value(text: str) -> float:
    """The number that a match of the pattern "number" means.

    >>> value("1 1/2"), value("1-1/2"), value("1,5"), value("1,000")
    (1.5, 1.5, 1.5, 1000.0)
    """
    if fraction := _SIMPLE.search(text):
        whole = text[: fraction.start()].strip(" -")
        return float(whole or 0) + float(fraction.group(1)) / float(fraction.group(2))
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+", text):
        return float(text.replace(",", ""))
    return float(text.replace(",", "."))


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

    >>> read("2 (14 oz) cans beans", find("2 (14 oz) cans beans")).parts[0][0]
    28.0
    """
    measured = [item for item in amounts if item.unit is None or item.unit.kind != "length"]
    if not measured:
        if not amounts or amounts[0].start > 0:  # "cut into 1-inch pieces" is no amount
            return None
        return _inches(amounts[0], 1.0, amounts[0].start, amounts[0].end)
    first, *rest = measured
    if rest and _is_doubled(text, first, rest[0]):
        first, *rest = replace(rest[0], start=first.start), *rest[1:]
    special = _pieces(text, amounts, first) or _nested(text, first, rest) or _packed(text, first)
    return special or _plain(text, first, rest)


def _is_doubled(text: str, first: Amount, second: Amount) -> bool:
    """ "3/4 3/4 cup", "1 cup 1 cup": a slip of the pen, unlike "2 2 lb chickens", "1 1 liter bottle"."""
    return (
        not text[first.end : second.start].strip()
        and (first.low, first.high) == (second.low, second.high)
        and second.unit is not None
        and (
            first.unit == second.unit
            or (first.unit is None and (second.unit.kind not in ("mass", "length") or first.low % 1 > 0))
        )
        and _container(text, second.end)[0] is None
    )


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
    piece = RE["piece"].match(text, second.end)
    if piece is None or not RE["nested"].fullmatch(text[first.end : second.start]):
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


def _nested(text: str, first: Amount, rest: list[Amount]) -> Quantity | None:
    """ "2 (14 oz) cans", "2 cans (14 oz)", "2 x 400 g", "2 (6 oz) fillets": a count, then the size of one."""
    if not rest or not RE["nested"].fullmatch(text[first.end : rest[0].start]):
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
    each = RE["each"].match(text, one.end) or (of_one and not RE["total"].match(text, one.end))
    times = first.value if each else 1.0
    spans = ((first.start, first.end), (one.start, max(end, one.end)))
    return Quantity(first.value, unit, first.size, ((times * one.value, one.unit),), spans)


def _after_brackets(text: str, one: Amount, rest: list[Amount]) -> int:
    """Where the text goes on after "(14.5 oz / 411 g)": behind the last equal amount."""
    end = one.end
    for item in rest[1:]:
        if item.unit is None or not RE["same"].fullmatch(text[end : item.start]):
            break
        end = item.end
    return end


def _packed(text: str, first: Amount) -> Quantity | None:
    """ "400 g can chickpeas", "2-14oz cans": containers of that size."""
    unit, end = _container(text, first.end)
    if unit is None or first.unit is None or first.unit.kind not in ("mass", "volume"):
        return None
    count, size = 1.0, first.value
    if first.high >= 3 * first.low and first.low == int(first.low):  # the hyphen joins count and size
        count, size = first.low, first.low * first.high
    return Quantity(count, unit, first.size, ((size, first.unit),), ((first.start, end),))


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
        if RE["plus"].fullmatch(between) or (
            kind == item_kind and first.unit and between.strip() == "" and item.size is None
        ):
            start = end
            parts.append((item.value, item.unit))
            if first.unit is not None and kind == item_kind:
                amount += item.value * (item.unit.size or 0) / (first.unit.size or 1)
        elif RE["same"].fullmatch(between) or _in_bracket(text, item):
            rank = 2 if item_kind == "mass" else 1
            if rank > best:
                best, times = rank, first.value if RE["each"].match(text, item.end) else 1.0
                parts = [(times * item.value, item.unit)]
        else:
            continue
        spans.append((start, item.end))
        end = item.end
    return Quantity(amount, first.unit, first.size, tuple(parts), tuple(spans))


def _in_bracket(text: str, item: Amount) -> bool:
    start = text.rfind("(", 0, item.start)
    return start > text.rfind(")", 0, item.start) and RE["other thing"].match(text, start) is None
