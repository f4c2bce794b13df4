"""The amounts in an ingredient line: numbers with their units and positions.

A line may give its amount several times, nested or summed: "2 (14 oz) cans", "1 cup (120 g)",
"1 cup plus 2 tablespoons". `find` lists all amounts in the text; `quantities` reads them together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from chef.food.units import SIZES, Unit, unit_of, unit_pattern
from chef.text.lines.numbers import NUMBER, value

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
