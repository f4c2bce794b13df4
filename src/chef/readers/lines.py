"""The ingredient list and the instructions of any format -> ingredient lines and steps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from chef.readers.clean import clean, clean_lines, plain
from chef.recipe import Ingredient, Step

_DEPTH = 8
_BULLET = re.compile(r"^(?:[-*+•·▢☐◦‣–]\s+|\[[ xX]?\]\s+)+")
# "## Sauce", "For the sauce" or "Sauce:" names a part of the list; with a number it may be an ingredient.
_SUBHEADING = re.compile(r"#{1,6}\s.*|[^\d½⅓⅔¼¾⅛]{1,60}:|for the [^\d,]{1,40}", re.I)

_WHOLE_LINE = ("display", "originalText", "original_text", "text", "raw")
_AMOUNT = ("quantity", "amount", "qty")
_NAME = ("food", "name", "ingredient", "item")
_NOTE = ("note", "notes", "comment", "preparation")
_GROUP = ("ingredients", "items", "itemListElement")

_STEP_MARKER = re.compile(r"^(?:\d{1,2}[.)]|[-*+•])\s+")
_STEP_HEADING = re.compile(r"#{1,6}\s+(.+)")
_STEP_CHILDREN = ("itemListElement", "steps", "instructions")
_STEP_TEXT = ("text", "description", "name")


def ingredients(value: Any) -> tuple[Ingredient, ...]:
    """The ingredients of a list, a text with one per line, or groups of them; sub-headings are left out.

    >>> [item.line for item in ingredients(["Sauce:", {"quantity": 2, "unit": "cup", "name": "cream"}])]
    ['2 cup cream']
    """
    return tuple(_walk(value, 0))


def is_heading(line: str) -> bool:
    """Whether a line of an ingredient list only names the part that follows."""
    return _SUBHEADING.fullmatch(line) is not None


def _walk(value: Any, depth: int) -> Iterator[Ingredient]:
    if depth > _DEPTH:
        return
    if isinstance(value, str):
        for line in clean_lines(value):
            yield from _line(line)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, str):
                yield from _line(clean(item))
            elif isinstance(item, dict):
                yield from _item(item, depth)
            elif isinstance(item, list):
                yield from _walk(item, depth + 1)
    elif isinstance(value, dict):
        yield from _mapping(value, depth)


def _line(line: str) -> Iterator[Ingredient]:
    line = _BULLET.sub("", line)
    if line and not is_heading(line):
        yield Ingredient(line)


def _item(item: Mapping[str, Any], depth: int) -> Iterator[Ingredient]:
    """One object of a list: our own form, a group, or amount, unit and name as separate fields."""
    group = next((item[name] for name in _GROUP if isinstance(item.get(name), list)), None)
    if isinstance(item.get("line"), str):
        yield from _own(item)
    elif group is not None:
        yield from _walk(group, depth + 1)
    elif line := _compose(item):
        yield from _line(line)
    elif len(item) == 1:
        (key, value), *_ = item.items()
        if isinstance(value, list | dict):
            yield from _walk(value, depth + 1)
        elif text := plain(value):  # YAML makes an object of "- Topping: grated cheese"
            yield from _line(clean(f"{key}: {text}"))


def _mapping(value: Mapping[str, Any], depth: int) -> Iterator[Ingredient]:
    """A whole list given as one object: {"flour": "200 g"} or {"Sauce": ["2 cups cream"]}."""
    if any(name in value for name in _GROUP):
        yield from _item(value, depth)
        return
    for key, item in value.items():
        if isinstance(item, list):
            yield from _walk(item, depth + 1)
        elif isinstance(item, dict):
            yield from _item({"name": key, **item}, depth + 1)
        elif not str(key).startswith("@"):
            yield from _line(clean(f"{plain(item)} {key}"))


def _own(item: Mapping[str, Any]) -> Iterator[Ingredient]:
    """Our own form: taken as it is, except that a parsed field of a wrong type counts as unknown."""
    if line := clean(item["line"]):
        words = [item.get(field) for field in ("name", "unit", "token")]
        name, unit, token = (clean(word) if isinstance(word, str) else None for word in words)
        yield Ingredient(line, name, _number(item.get("amount")), unit, _number(item.get("grams")), token)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # JSON's integers have no limit
        return None
    return number if math.isfinite(number) else None


def _compose(item: Mapping[str, Any]) -> str:
    note = _first(item, _NOTE)
    whole = _first(item, _WHOLE_LINE)
    if not whole:
        name = _first(item, _NAME)
        amount = _first(item, _AMOUNT)
        if not name:
            # Mealie without parsing keeps the whole line in the note, beside a quantity of 1 or 0.
            return note
        amount = "" if amount == "0" else amount
        unit = _first(item, ("unit",)) if amount else ""
        whole = " ".join(part for part in (amount, unit, name) if part)
    return f"{whole}, {note}" if note and note not in whole else whole


def _first(item: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = item.get(name)
        if isinstance(value, dict):  # Mealie's foods and units are objects
            value = value.get("name")
        if text := plain(value):
            return text
    return ""


def steps(value: Any) -> tuple[Step, ...]:
    """The steps of a list, of a text with one per line, or of sections of them.

    >>> steps([{"name": "Sauce", "itemListElement": [{"text": "Melt the butter."}]}])
    (Step(text='Melt the butter.', section='Sauce'),)
    """
    collected = _Steps()
    collected.walk(value, 0)
    return tuple(collected.steps)


class _Steps:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.section: str | None = None

    def walk(self, value: Any, depth: int) -> None:
        if depth > _DEPTH:
            return
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            value = value[0]  # some sites put the whole text into a list of one
        if isinstance(value, str):
            for line in clean_lines(value):
                self.line(_STEP_MARKER.sub("", line))
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, str):
                    self.line(clean(item))
                else:
                    self.walk(item, depth + 1)
        elif isinstance(value, dict):
            self.item(value, depth)

    def line(self, line: str) -> None:
        if heading := _STEP_HEADING.fullmatch(line):  # Nextcloud writes sections as "## Sauce"
            self.section = heading[1]
        elif line:
            self.steps.append(Step(line, self.section))

    def item(self, item: Mapping[str, Any], depth: int) -> None:
        children = next(
            (item[name] for name in _STEP_CHILDREN if isinstance(item.get(name), list | dict)), None
        )
        text = next(filter(None, (plain(item.get(name)) for name in _STEP_TEXT)), "")
        if children is not None:  # a HowToSection, a list, or a step of several directions
            outer = self.section
            self.section = plain(item.get("name")) or outer
            self.walk(children, depth + 1)
            self.section = outer
        elif text:
            # A section of our own form counts for its step alone; Mealie's title opens a section that stays.
            self.section = plain(item.get("title")) or self.section
            self.steps.append(Step(text, plain(item.get("section")) or self.section))
        elif depth == 0:
            self.by_key(item, depth)

    def by_key(self, item: Mapping[str, Any], depth: int) -> None:
        """All steps in one object: {"1": "Boil the eggs."} or {"Sauce": ["Melt the butter."]}."""
        for key, value in item.items():
            if isinstance(value, str):
                self.line(clean(value))
            elif isinstance(value, list):
                outer, self.section = self.section, clean(str(key)) or None
                self.walk(value, depth + 1)
                self.section = outer
