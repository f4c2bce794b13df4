"""Ingredient lines for more or fewer servings: amounts multiplied, and written as a cook would.

Scaled are the amount of a line, what is added to it ("1 cup plus 2 tablespoons") and the same amount in
another unit ("1 cup (120 g)"); not the size of one: "2 (14 oz) cans" twice are "4 (14 oz) cans".
"""

import re
import unicodedata

from chef.food.units import Unit, singular, unit_of, unit_pattern, units
from chef.recipe import Ingredient
from chef.rewrite.grammar import plural
from chef.text.lines import parse_line
from chef.text.lines.amounts import NUMBER_WORDS, RE, value
from chef.text.words import words_in

_SIGNS = {0.0: "", 0.125: "⅛", 0.25: "¼", 1 / 3: "⅓", 0.5: "½", 2 / 3: "⅔", 0.75: "¾", 1.0: ""}
_MANY = 10  # from here on in whole numbers
_NUMBER = r"\d+\s+\d+/\d+|\d+/\d+|\d*\s?[¼-¾⅐-⅞]|\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_AMOUNT = re.compile(
    rf"(?<![\w#°.,])(?<!\d/)(?P<low>{_NUMBER})(?:(?P<join>\s*(?:-|–|to|or)\s*)(?P<high>{_NUMBER}))?(?!\s*[%°/]|\d)"
)
_WORD = re.compile(rf"(?i:(?P<half>half)(?: an?)?|an?|{'|'.join(NUMBER_WORDS)})(?=\s)")
_UNIT = re.compile(rf"[\s-]*({unit_pattern()})", re.IGNORECASE)


def scaled(line: str, factor: float) -> str:
    """The line for `factor` times as many servings; one without an amount stays as it is.

    >>> scaled("1 1/2 cups rice", 2), scaled("1 large onion, chopped", 3), scaled("250g flour", 0.5)
    ('3 cups rice', '3 large onions, chopped', '125g flour')
    """
    item = parse_line(line)
    if item.amount is None or factor == 1:
        return line
    unit = units().get(item.unit or "")
    found = list(_AMOUNT.finditer(line))
    main = next((one for one in found if abs(_middle(one) - item.amount) < 0.01), None)
    if main is None and (word := _WORD.match(line)):
        number = 0.5 if word["half"] else float(NUMBER_WORDS.get(word[0].lower(), 1))
        amount, head, rest = number * factor, written(number * factor), line[word.end() :]
    elif main is None and unit is not None and unit.kind == "container":  # "400 g can": the size of one
        return f"{written(item.amount * factor)} × {line}"
    elif found:
        main = main or found[0]
        rest = line[main.end() :]
        amount, text = _times(main, factor, _unit_after(rest))
        head = line[: main.start()] + text
    else:
        return line

    def others(match: re.Match[str]) -> str:
        before, other = rest[: match.start()], _unit_after(rest[match.end() :])
        is_more = re.search(r"(?:plus|\+|and|&)\s*$", before)
        is_same = re.search(r"[(\[/=]\s*(?:about|approx\.?|roughly|around|or|~)?\s*$", before)
        is_packed = unit is not None and unit.kind == "container"
        of_one = is_packed or RE["nested"].fullmatch(before) or RE["each"].match(rest, match.end())
        is_measure = other is not None and other.kind in ("mass", "volume")
        is_scaled = is_measure and (is_more or (is_same and not of_one))
        return _times(match, factor, other)[1] if is_scaled else match[0]

    return head + _inflected(_AMOUNT.sub(others, rest), item, unit, amount, was=amount / factor)


def written(amount: float, unit: Unit | None = None) -> str:
    """A number as cooks write it: metric units in decimals, all else in halves, thirds, quarters and eighths.

    >>> written(1.5), written(0.34), written(12.4), written(287.5, unit_of("g")), written(0.001)
    ('1½', '⅓', '12', '290', '⅛')
    """
    if unit is not None and unit.name.endswith(("gram", "liter")):
        step = 5 if amount >= 250 else 1 if amount >= _MANY else 0.1 if amount >= 1 else 0.01
        return f"{round(round(amount / step) * step, 2):g}" if amount < 1e5 else f"{amount:.0f}"
    if amount >= _MANY:
        return f"{amount:.0f}"
    part = min(_SIGNS, key=lambda one: abs(amount % 1 - one))
    whole = int(amount) + int(part == 1)
    return f"{whole or ''}{_SIGNS[part]}" or _SIGNS[0.125]


def _value(text: str) -> float:
    if unicodedata.category(text[-1]) != "No":
        return value(text)
    return float(text[:-1] or 0) + unicodedata.numeric(text[-1])


def _middle(match: re.Match[str]) -> float:
    low = _value(match["low"])
    return (low + _value(match["high"])) / 2 if match["high"] else low


def _times(match: re.Match[str], factor: float, unit: Unit | None) -> tuple[float, str]:
    """The larger amount of a range, and the text of both, multiplied."""
    text, amount = written(_value(match["low"]) * factor, unit), _value(match["low"]) * factor
    if match["high"]:
        amount = _value(match["high"]) * factor
        text += match["join"] + written(amount, unit)
    return amount, text


def _unit_after(text: str) -> Unit | None:
    match = _UNIT.match(text)
    return unit_of(match[1]) if match else None


def _inflected(rest: str, item: Ingredient, unit: Unit | None, amount: float, was: float) -> str:
    """What follows a number, its unit or counted thing in the singular or plural: 2 cups, 3 large onions."""
    words = words_in(re.sub(r"\([^)]*\)", lambda match: " " * len(match[0]), rest))
    counted = singular((item.name or "").lower().split(" ")[-1])
    for word in words:
        before = re.sub(r"\([^)]*\)", "", rest[: word.start]).strip(" -")
        if (before and unit is not None) or "," in before or before == "dozen":
            break
        small = word.written.lower()
        one = word.written[0] + singular(small)[1:]
        is_unit = unit is not None and unit_of(one) is unit and unit_of(plural(one)) is unit
        is_counted = unit is None and (singular(small) == counted or len(words) == 1)
        if (is_unit and len(small) > 2 and re.search("[aeiou]", small)) or is_counted:  # not: tsp, oz
            new = one if amount <= 1 else plural(one) if was <= 1 else word.written
            return rest[: word.start] + new + rest[word.end :]
    return rest
