"""Examines a collection of recipes and reports what is wrong with it, before anybody trains on it.

>>> report = examine("my-recipes/")
>>> for problem in report.problems:
...     print(problem.count, problem.kind, problem.examples)
"""

import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chef.data.doctor.duplicates import Groups, Repeats, close_pairs
from chef.data.doctor.photo_checks import looks
from chef.data.doctor.text_checks import Templates, Texts, foreign_language, odd_line
from chef.files import rows
from chef.progress import Progress
from chef.readers import read
from chef.readers.base import Skipped, is_web
from chef.recipe import Recipe
from chef.text.tokens import tokenise

# A recipe's id; or two of them; or an id and what is wrong there.
Example = str | tuple[str, str]

# Every kind with the words a person reads.
KINDS = {row[0]: row[1] for row in rows("chef.data.doctor", "kinds.tsv")}


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
        """Add a count made elsewhere, with its examples."""
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


@dataclass(frozen=True, slots=True)
class Report:
    """What `examine` found."""

    recipes: int
    with_image: int
    splits: dict[str, int]  # recipes per split; "" for recipes of no split
    problems: tuple[Problem, ...]


def examine(source: str | Path, *, limit: int = 5, progress: Progress | None = None) -> Report:
    """Read all recipes of a source and look at their texts and photos.

    `limit` is the number of examples kept of each kind. Raises ChefError where nothing can be read.
    """
    skipped = Skipped()
    examination = Examination(limit, progress or Progress(), on_the_web=is_web(str(source)))
    examination.read(read(source, skipped))
    if not examination.ids:
        raise skipped.nothing_from(source)
    return examination.report(skipped)


class Examination:
    """One run over a collection: all texts, then all photos, then what only shows in the whole."""

    def __init__(self, limit: int, progress: Progress, on_the_web: bool) -> None:
        self.ids: list[str] = []
        self._with_image = 0
        self._on_the_web = on_the_web
        self._progress = progress
        self._limit = limit
        self._findings = Findings(limit)
        self._splits: dict[str, int] = {}  # split to its number, in order of appearance
        self._split_of = array("q")
        self._photos: list[str] = []
        self._photo_owner = array("q")
        self._texts = Texts()
        self._templates = Templates()

    def read(self, recipes: Iterable[Recipe]) -> None:
        """Check the text of each recipe and keep what is needed to compare them."""
        self._progress.stage("reading recipes")
        for position, recipe in enumerate(recipes):
            self.ids.append(recipe.id)
            self._split_of.append(self._splits.setdefault(recipe.split or "", len(self._splits)))
            self._with_image += bool(recipe.images)
            for reference in recipe.images:
                # No network unless the user named a web address as the source.
                if is_web(reference) and not self._on_the_web:
                    self._findings.add("image-on-the-web", recipe.id)
                else:
                    self._photos.append(reference)
                    self._photo_owner.append(position)
            if not any(step.text.strip() for step in recipe.steps):
                self._findings.add("no-steps", recipe.id)
            if not recipe.images:
                self._findings.add("no-image", recipe.id)
            lines = [item.line for item in recipe.ingredients]
            for line in lines:
                if odd := odd_line(line, lines):
                    self._findings.add(odd, (recipe.id, short(line)))
            steps = [(step.text, tokenise(step.text)) for step in recipe.steps]
            words = [word for _, step in steps for word in step]
            if language := foreign_language(words):
                self._findings.add("not-english", (recipe.id, language))
            self._texts.add(recipe.title, recipe.ingredients, words)
            self._templates.add(position, steps)
            self._progress.advance()

    def report(self, skipped: Skipped) -> Report:
        """Look at the photos, compare all with all, and add what the reader counted."""
        splits = np.array(self._split_of, np.int64)
        self._repeated("photo", self._look_at_photos(splits))
        self._progress.stage("comparing texts")
        count, steps = self._templates.templates(len(self.ids))
        if count:
            examples = [(self.ids[n], short(text)) for n, text in steps[: self._limit]]
            self._findings.add_counted("template-step", count, [*examples])
        self._repeated("text", self._texts.repeats(splits, [tokenise(text) for _, text in steps]))
        for tally in (skipped, skipped.notes):
            for reason, count in tally.counts.items():
                self._findings.add_counted(kind_of(reason), count, [*map(short, tally.examples[reason])])
        return Report(
            recipes=len(self.ids),
            with_image=self._with_image,
            splits=dict(zip(self._splits, np.bincount(splits).tolist(), strict=True)),
            problems=self._findings.problems(),
        )

    def _look_at_photos(self, splits: NDArray[np.int64]) -> Repeats:
        self._progress.stage("looking at photos", len(self._photos))
        owners, hashes = array("q"), array("Q")
        for number, look in enumerate(looks(self._photos)):
            owner = self._photo_owner[number]
            if look.fault:
                self._findings.add("unreadable-image", (self.ids[owner], short(look.fault)))
            for kind in look.problems:
                self._findings.add(kind, self.ids[owner])
            if look.hash is not None:
                owners.append(owner)
                hashes.append(look.hash)
            self._progress.advance()
        repeats = Repeats.none(len(self.ids))
        groups = Groups(np.array(hashes, np.uint64), np.array(owners, np.int64))
        repeats.update(groups, close_pairs(groups.keys), splits)
        return repeats

    def _repeated(self, what: str, repeats: Repeats) -> None:
        for where, earlier in (("across-splits", repeats.across), ("within-split", repeats.within)):
            for recipe in np.flatnonzero(earlier >= 0).tolist():
                pair = (self.ids[int(earlier[recipe])], self.ids[recipe])
                self._findings.add(f"near-duplicate-{what}-{where}", pair)
