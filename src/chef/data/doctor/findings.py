"""What the doctor found: kinds of problems, how often, and a few examples of each."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A recipe's id; or two of them; or an id and what is wrong there.
Example = str | tuple[str, str]

# Every kind with the words a person reads. The kinds are stable: scripts may rely on them.
# A reader's own reasons (see `chef.readers.base`) come on top, as they are.
KINDS = {
    "no-image": "the recipe has no photo",
    "missing-image": "the photo that the recipe names is not there",
    "unreadable-image": "the photo cannot be opened: broken, cut off or no picture",
    "huge-image": "more than 100 megapixels: not decoded",
    "tiny-image": "the short side is under 120 pixels",
    "flat-image": "almost one colour: an empty or placeholder picture",
    "odd-aspect": "more than three times as long as wide: a banner or a strip",
    "drawing-or-text-card": "nearly grey or of very few colours: may be a drawing, a scan or a text card",
    "image-on-the-web": "the photo is a web address: not fetched, not checked",
    "near-duplicate-photo-across-splits": "almost the same photo is in another split: the test set leaks",
    "near-duplicate-photo-within-split": "almost the same photo belongs to another recipe of the split",
    "near-duplicate-text-across-splits": "almost the same text is in another split: the test set leaks",
    "near-duplicate-text-within-split": "almost the same text is in another recipe of the split",
    "duplicate-id": "the id was seen before: not read",
    "blank-title": "there is no title: not read",
    "no-ingredients": "there is no ingredient: not read",
    "no-steps": "there is no instruction",
    "heading-as-ingredient": "the ingredient line is a heading",
    "long-ingredient-line": "the ingredient line has more than 200 characters",
    "ingredient-without-words": "the ingredient line has no word: numbers or signs only",
    "sentence-as-ingredient": "the ingredient line holds whole sentences",
    "instruction-as-ingredient": "the ingredient line reads like an instruction",
    "template-step": "the same long step is in many recipes: template text",
    "not-english": "the steps are in another language",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of problem."""

    kind: str
    count: int
    examples: tuple[Example, ...]

    @property
    def explanation(self) -> str:
        return KINDS.get(self.kind, "the reader could not use it")


class Findings:
    """Counts problems and keeps the first `limit` examples of each kind."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[Example]] = {}

    def add(self, kind: str, example: Example) -> None:
        self.add_counted(kind, 1, [example])

    def add_counted(self, kind: str, count: int, examples: list[Example]) -> None:
        """Take over what somebody else counted."""
        self._counts[kind] = self._counts.get(kind, 0) + count
        kept = self._examples.setdefault(kind, [])
        kept.extend(examples[: self._limit - len(kept)])

    def problems(self) -> tuple[Problem, ...]:
        """In the order of KINDS; the reader's own reasons last, by name."""
        order = {kind: place for place, kind in enumerate(KINDS)}
        kinds = sorted(self._counts, key=lambda kind: (order.get(kind, len(order)), kind))
        return tuple(Problem(kind, self._counts[kind], tuple(self._examples[kind])) for kind in kinds)


def kind_of(reason: str) -> str:
    """A reader's reason as a kind.

    >>> kind_of("not JSON"), kind_of("no title")
    ('not-json', 'blank-title')
    """
    kind = re.sub(r"[^a-z0-9]+", "-", reason.lower()).strip("-")
    return "blank-title" if kind == "no-title" else kind


def short(text: str, length: int = 70) -> str:
    """The start of a text on one line."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
