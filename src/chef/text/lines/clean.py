"""Cleans an ingredient line before it is parsed: no bullets, markup or emoji, numbers as digits."""

from __future__ import annotations

import html
import re
import unicodedata

from chef.text.lines.amounts import spell_out
from chef.text.normal import plain

# Longer text is no ingredient line; the rest is cut off so that no input takes long.
_LONGEST = 400


def _rules(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_MARKS = _rules(
    (r"!?\[(?:recipe:)?([^\]]+)\](?:\([^)]*\))?", r"\1"),  # links
    (r"<[^>]{1,40}>", " "),  # markup
    (r"(?<=\w)[–—](?=[^\W\d])", " - "),
    (r"[*_`]{1,3}|\\", " "),  # emphasis, footnote stars
    (r"^(?:\s|[-+>•·▢☐□▪■●○◦‣–—]|\[[ xX]?\])+(?=\S)", ""),  # bullets and check boxes
    (r"\(?\$\s?\d+(?:[.,]\d+)?\)?", " "),  # price
)
# The one place where upper and lower case differ: T is a tablespoon, t a teaspoon.
_SPOONS = _rules((r"(\d)\s?T(?:\.|\b)(?!-)", r"\1 tbsp "), (r"(\d)\s?t(?:\.|\b)(?!-)", r"\1 tsp "))

_PARTS = (
    "sauce|dough|filling|toppings?|marinade|dressing|frosting|glaze|crust|batter|icing|garnish|base|rub|brine|"
    "coating"
)
_ABOUT = "about|approximately|approx\\.?|around|roughly|circa|ca\\.|up to|at least|heaping|scant|more or less"
_LONE_UNITS = (
    "pinch|dash|handful|splash|drizzle|squeeze|glug|knob|bunch|can|jar|package|pkg|packet|tbsp?|tbs|tsp|"
    "teaspoon|tablespoon|cup|sprinkle of|sprig|dollop|drop|glass|tub|tin|slice|"
    "head of|stalk of|clove of|stick of|piece of"
)
_BEFORE_HYPHEN = (
    "all|half|self|extra|low|non|creme|cream|fat|sugar|gluten|whole|bite|store|bone|skin|part|and"
)
_WORDING = _rules(
    (r"\(\s*(?:see\s+)?(?:recipe\s+)?notes?\s*\d*\s*\)", " "),  # (note 3)
    (r"[,;]?\s*(?:see\s+)?\bnotes?\s*\d*\s*\)", ")"),
    (r"^[a-z]{2}:\s+(?=\S)", ""),  # en: flour
    (rf"^\(?(?:optional|for garnish|(?:optional )?(?:{_PARTS}))\)?\s*[:,]\s*(?=\S)", ""),
    (r"^\(optional\)\s*(?=\S)", ""),
    (r"^for\s+(?:the\s+)?\w+(?:\s\w+)?\s*[,:-]\s*(?=\S*\d)", ""),  # for rolling, 1/4 cup sugar
    (r"(\d)\s*x\s*(?=\d)", r"\1 x "),
    (r"(\d)(?:\s?\+|x)\s(?=[a-z])", r"\1 "),  # 2+ cups, 2x onions
    (rf"\b({_BEFORE_HYPHEN}) - (?=[a-z])", r"\1-"),  # all - purpose
    (r"\bsemi\s*-?\s*sweet", "semisweet"),
    (r"(?<=\w)\s+/\s+(?=[a-z])", " or "),
    (rf"\b(?:{_ABOUT})\s+(?=\d)|~\s*(?=\d)", ""),
    (r"^(\d+)\s+each\b", r"\1"),
    # "pinch of salt" is one pinch.
    (rf"^(?=(?:(?:large|small|big|good|generous|healthy)\s+)?(?:{_LONE_UNITS})s?\.?\s+\w)", "1 "),
)
_HEADING = re.compile(
    r"(?:for|to make)\s+(?:the\s+)?[^\d]*:?|.*:|#+\s.*|-+\s*for\s.*|---+.*|"
    rf"(?:the\s+)?(?:{_PARTS}|ingredients?|optional|assembly|to serve|to garnish|note\b.*|"
    r"(?:\w+\s+)?ingredients|preparation|method|directions|instructions)"
)


def clean(line: str) -> str:
    """The line in lower case and plain signs, with numbers as digits.

    >>> clean("- **Half** a cup (see note 2) flour™")
    '1/2 cup flour'
    """
    text = "".join(map(_sign, html.unescape(line[:_LONGEST])))
    text = _apply(_SPOONS, plain(_apply(_MARKS, text)))
    return _apply(_WORDING, spell_out(" ".join(text.lower().split())))


def is_heading(text: str) -> bool:
    """Whether a cleaned line without an amount is a heading of the list ("For the sauce:")."""
    return _HEADING.fullmatch(text) is not None


def _apply(rules: tuple[tuple[re.Pattern[str], str], ...], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def _sign(sign: str) -> str:
    """The sign itself; a space for emoji and trade marks, nothing for invisible signs."""
    category = unicodedata.category(sign)
    return "" if category == "Cf" else " " if category == "So" and sign != "°" else sign
