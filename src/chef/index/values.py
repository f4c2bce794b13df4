"""What a collection returns: plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from chef.recipe import Recipe
from chef.teacher.actions import SURE
from chef.text.tokens import readable


@dataclass(frozen=True, slots=True)
class Value:
    """A value of plain fields."""

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Added:
    """The counts of what `Index.add` did."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(self.added + other.added, self.updated + other.updated, self.unchanged + other.unchanged)


@dataclass(frozen=True, slots=True)
class Entry:
    """One recipe of a collection, with what the model says about it."""

    id: str
    recipe: Recipe  # its ingredients parsed: names, grams, canonical tokens
    main_ingredient: str | None  # None: no line names a food
    main_confidence: float | None  # None: stored by an older version, which read it off the tree
    actions: list[str]  # the action words of its sentences in order, each once
    tokens: list[str]  # canonical ingredients in the order of the list, each once
    has_image: bool

    def to_json(self) -> dict[str, Any]:
        """The recipe's own fields, then `main_ingredient`, `main_confidence` and `actions`."""
        told = {"main_ingredient": self.main_ingredient, "main_confidence": self.main_confidence}
        return {**self.recipe.to_json(), **told, "actions": self.actions}


@dataclass(frozen=True, slots=True)
class Hit(Value):
    """One result of a search; `why` gives the reasons in short sentences."""

    id: str
    title: str
    score: float  # higher is better
    main_ingredient: str | None
    main_confidence: float | None
    actions: list[str]
    ingredients: list[str]  # canonical tokens
    why: list[str]
    has_image: bool
    missing: list[str]  # from the pantry, if one was given
    not_understood: list[str]  # lines in which no food was recognised, where a filter asks for groups

    @property
    def mainly(self) -> str:
        """The main ingredient in plain words; nothing where a cook might well say something else."""
        return readable(self.main_ingredient or "") if (self.main_confidence or 0.0) >= SURE else ""


@dataclass(frozen=True, slots=True)
class AskedFor(Value):
    """What the words of a query ask for."""

    text: str  # what remains
    without: list[str]
    diet: str | None

    def __bool__(self) -> bool:
        return bool(self.without or self.diet)


@dataclass(frozen=True, slots=True)
class Info(Value):
    """A collection in figures."""

    recipes: int
    with_image: int
    model: str  # its name or folder
    dimension: int
    bytes: int | None  # on disk; None where the collection is not on this machine
    version: int


@dataclass(frozen=True, slots=True)
class Point(Value):
    """A recipe on the map of a collection; x and y lie in 0..1."""

    id: str
    x: float
    y: float
    title: str
    main_ingredient: str | None
    main_confidence: float | None
