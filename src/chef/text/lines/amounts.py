"""Numbers as cooks write them (1 1/2, two, half a dozen), and the amounts of an ingredient line.

A line may give its amount several times, nested or summed: "2 (14 oz) cans", "1 cup (120 g)",
"1 cup plus 2 tablespoons". `find` lists all amounts in the text; `quantities` reads them together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from chef.food.units import SIZES, Unit, unit_of, unit_pattern

_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "sixteen": "16",
    "twenty": "20", "thirty": "30", "couple": "2", "few": "3", "several": "3",
}  # fmt: skip

# "half" is a number before a thing, never in "half and half" or "cut in half".
_HALF = r"half(?!\s*(?:-|and|&|n'|gallon))"
_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(\d+)\s+/\s*(\d+)\b(?!\s*-?[a-z]*\s*/)", r"\1/\2"),  # 1 /2
        (r"(?<!half)\s+(?:and|&)\s+(?:a\s+)?half\b", " 1/2"),  # one and a half
        (r"(\d)\s+(?:and|&)\s+(?=\d+/\d)", r"\1 "),  # 1 and 1/2
        (rf"^(?:a\s+|one[\s-])?{_HALF}[\s-]+(?:of\s+)?(?:an?\s+|the\s+)?", "1/2 "),
        (r"^(?:an?\s+|one[\s-])?quarter[\s-]+(?:of\s+)?(?:an?\s+|the\s+)?", "1/4 "),
        (r"^(?:three|3)[\s-]quarters?\s+(?:of\s+)?(?:an?\s+|the\s+)?", "3/4 "),
        (r"\bof\s+(?:half|1/2)\s+(?:of\s+)?(?:an?\s+|the\s+)?", "of 1/2 "),  # juice of half a lemon
        (r"^([^\d]*\b(?:juice|zest|rind|peel)\s+of)\s+an?\s+", r"\1 1 "),
        (r"^(?:an?\s+)?couple\s+(?:of\s+)?", "2 "),
        (r"^(?:an?\s+)?few\s+of\s+", "few "),
        (r"^an?\s+(?=couple\b|few\b|dozen\b|half\b)", ""),
        (r"^an?\s+(?!little\b|bit\b|lot\b|few\b|good amount\b|touch\b|mix)", "1 "),
    )
)
_WORD_NUMBER = re.compile(rf"(?<![\w-])({'|'.join(_WORDS)})(?=\s|-(?:inch|ounce|pound|oz|lb|cm))")
_DOZEN = re.compile(r"(?:(\d+(?:/\d+)?)\s+)?dozens?\s+(?:of\s+)?")

_FRACTION = r"\d+/[1-9]\d*"
NUMBER = (
    rf"(?:\d+\s+{_FRACTION}|\d+-{_FRACTION}|{_FRACTION}|\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+[.,]\d+|\.\d+|\d+)"
)
_SIMPLE = re.compile(r"(\d+)/(\d+)")

# Words between number and unit that change little: "2 heaping tablespoons", "1 good handful".
_FILLERS = (
    "heaping|heaped|level|rounded|scant|generous|packed|firmly packed|lightly packed|loosely packed|"
    "tightly packed|overflowing|good|full|whole|fresh|nice|slim|more|additional|standard|american|us|metric|"
    "uk|imperial"
)
_SIZE = "|".join(sorted(map(re.escape, SIZES), key=len, reverse=True))
# Not units before these words: rib eye steaks, pot roast, cube steak, filet mignon, stem ginger.
_NOT_UNIT = r"(?!(?:ribs?\W?eye|pot roast|cube[sd]? steak|filet mignon|stem ginger|can be))"


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
    fillers = rf"(?:(?:{_FILLERS})\s+)*"
    size = rf"(?P<{{}}>{_SIZE})(?:[\s.,]+(?:sized?\s+)?|(?=\())"
    unit = rf"{_NOT_UNIT}(?P<unit>{unit_pattern()})(?!-[^\W\d])"
    with_unit = rf"\s*-?\s*{fillers}(?:{size.format('size')})?{fillers}{unit}"
    # Without a unit the number must stand alone: 7up, 5-spice and 3-bean belong to the name.
    alone = rf"(?!-?[^\W\d_])(?:\s+{size.format('alone')})?"
    return re.compile(
        # Not inside a word, a fraction, a temperature or a percentage.
        rf"(?<![\w#°])(?<!\d[./,])(?P<low>{NUMBER})(?![\d/]|\s*[%°]|\s?percent)"
        rf"(?:\s*(?P<join>-|to|or|~)\s*(?P<high>{NUMBER})(?![\d/]|\s*[%°]))?"
        rf"(?:{with_unit}|{alone})"
    )


def find(text: str) -> list[Amount]:
    """All amounts in lower-case text, in order.

    >>> [(amount.value, amount.unit.name) for amount in find("1-2 cups (240 g) flour")]
    [(1.5, 'cup'), (240.0, 'gram')]
    """
    return list(_scan(text))


def _scan(text: str) -> Iterator[Amount]:
    for match in _pattern().finditer(text):
        low = value(match["low"])
        if low == 0:  # 00 flour
            continue
        high = value(match["high"]) if match["high"] else low
        size = SIZES.get(match["size"] or match["alone"] or "")
        unit = unit_of(match["unit"]) if match["unit"] else None
        yield Amount(low, high, unit, size, match.start(), match.end())


def spell_out(text: str) -> str:
    """Lower-case text with its number words as digits.

    >>> spell_out("half a dozen eggs"), spell_out("one and a half cups")
    ('6 eggs', '1 1/2 cups')
    """
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = _WORD_NUMBER.sub(lambda match: _WORDS[match.group(1)], text)
    return _DOZEN.sub(_dozens, text)


def _dozens(match: re.Match[str]) -> str:
    return f"{12 * value(match.group(1) or '1'):g} "


def value(text: str) -> float:
    """The number that a match of `NUMBER` means.

    >>> value("1 1/2"), value("1-1/2"), value("1,5"), value("1,000")
    (1.5, 1.5, 1.5, 1000.0)
    """
    if fraction := _SIMPLE.search(text):
        whole = text[: fraction.start()].strip(" -")
        return float(whole or 0) + int(fraction.group(1)) / int(fraction.group(2))
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+", text):
        return float(text.replace(",", ""))
    return float(text.replace(",", "."))
