"""What recipes have beside title, list and steps, in any form, cleaned: times, servings, stars, notes."""

import re
from contextlib import suppress
from itertools import islice
from typing import Any

from chef.readers import base
from chef.readers.lines import clean, clean_lines, plain

# "PT1H30M"; "1:30"; "1 h 30 min", "2-3 hours", "1½ Stunden": a bare number is in minutes.
_ISO = re.compile(
    r"P(?:(\d{1,3})D)?T?(?:(\d{1,4}(?:\.\d{1,4})?)H)?(?:(\d{1,5}(?:\.\d{1,4})?)M)?(?:[\d.]{1,9}S)?", re.I
)
_CLOCK = re.compile(r"(\d{1,3}):(\d{2})(?::\d{2})?")
_TIME = re.compile(
    r"(\d{1,5}(?:[.,]\d{1,2})?)(?: ?(?:-|–|to) ?(\d{1,5}))? ?(½|¼|¾)?[ -]?([dthsom]?)[a-zé]{0,9}", re.I
)
_PARTS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
# By the first letter of the unit: days, Tage; hours, Stunden, ore; minutes.
_MINUTES = {"d": 1440, "t": 1440, "h": 60, "s": 60, "o": 60}
_LONGEST = 60 * 1440  # minutes; some hams and liqueurs come near


def minutes(value: Any) -> int | None:
    """A time in minutes, None where there is none: zero means that nobody filled it in.

    >>> minutes("PT1H30M"), minutes("1 h 15 min"), minutes(20), minutes("0:00")
    (90, 75, 20, None)
    """
    words = plain(value)[:100]
    if match := _ISO.fullmatch(words) or _CLOCK.fullmatch(words):
        parts = [float(part or 0) for part in match.groups()]
        total = sum(part * unit for part, unit in zip(reversed(parts), (1, 60, 1440), strict=False))
    else:
        total = 0.0
        for one in _TIME.finditer(words):
            amount = float((one[2] or one[1]).replace(",", ".")) + _PARTS.get(one[3] or "", 0.0)
            total += amount * _MINUTES.get(one[4].lower(), 1)
    return round(total) if 0 < total <= _LONGEST else None


def servings(value: Any) -> str | None:
    """For how many, or how much it makes: "4 servings"; of several forms the fullest."""
    told = [""]
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            parts = (item.get("value") or item.get("amount"), item.get("unitText") or item.get("type"))
            told.append(" ".join(filter(None, map(plain, parts))))
        else:
            told.append(plain(item))
    longest = max(told, key=len)[: base.TITLE]
    return None if longest in ("", "0") else longest


def rating(value: Any) -> float | None:
    """Stars, of five."""
    value = value[0] if isinstance(value, list) else value
    best = 5.0
    if isinstance(value, dict):
        with suppress(ValueError):
            best = float(plain(value.get("bestRating"))) or best
        value = value.get("ratingValue")
    try:
        stars = float(re.split("[/ ]", plain(value).replace(",", "."))[0]) * 5 / best
    except ValueError:
        return None
    return round(stars, 2) if 0 < stars <= 5 else None


def notes(value: Any) -> tuple[str, ...]:
    """The paragraphs of the notes."""
    told: list[str] = []
    for item in value[: base.ITEMS] if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            item = ": ".join(filter(None, (plain(item.get(name)) for name in ("title", "name", "text"))))
        told += clean_lines(item if isinstance(item, str) else plain(item))
    return tuple(line[: base.STEP] for line in told[: base.ITEMS])


def nutrition(value: Any) -> dict[str, str]:
    """What the source says that a serving has: an object, or lines "fat: 2 g"."""
    if isinstance(value, str):
        value = dict(line.split(":", 1) for line in clean_lines(value) if ":" in line)
    if not isinstance(value, dict):
        return {}
    told = ((clean(str(name)), plain(amount)) for name, amount in islice(value.items(), base.NUTRIENTS))
    kept = ((name, amount) for name, amount in told if name and amount and not name.startswith("@"))
    return {name[: base.TITLE]: amount[: base.TITLE] for name, amount in kept}
