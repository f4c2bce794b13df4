"""The instructions of any format -> steps, with the section each belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from chef.readers.clean import clean, clean_lines, plain
from chef.recipe import Step

_DEPTH = 8
_MARKER = re.compile(r"^(?:\d{1,2}[.)]|[-*+•])\s+")
_HEADING = re.compile(r"#{1,6}\s+(.+)")
_CHILDREN = ("itemListElement", "steps", "instructions")
_TEXT = ("text", "description", "name")


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
                self.line(_MARKER.sub("", line))
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, str):
                    self.line(clean(item))
                else:
                    self.walk(item, depth + 1)
        elif isinstance(value, dict):
            self.item(value, depth)

    def line(self, line: str) -> None:
        if heading := _HEADING.fullmatch(line):  # Nextcloud writes sections as "## Sauce"
            self.section = heading[1]
        elif line:
            self.steps.append(Step(line, self.section))

    def item(self, item: Mapping[str, Any], depth: int) -> None:
        children = next((item[name] for name in _CHILDREN if isinstance(item.get(name), list | dict)), None)
        text = next((told for name in _TEXT if (told := plain(item.get(name)))), "")
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
