"""The data files of the kitchen: foods (`ingredients.tsv`) and dish families (`families.json`).

A food has one canonical token, the surface forms that cooks write for it, the grams of its household
measures (rough figures of our own) and how it looks on a plate. A dish family says which foods fill its
slots, which sentences describe how it is made, and what it is called. Slots and sentences are one line each:

    role   pool       count  grams    place  look        verb/verb role+role with role in pan
    main   chunks     1      500-900  body   simmered    brown main in pot
    veg    stew_veg   1-3    80-250   body   simmered    ? simmer =stew

A pool lists tokens and other pools, with `*N` for their weight; `@herb` is the cuisine's own pool. Grams of
`.` are the usual amount for that kind of food. The look `METHOD` follows the cooking method drawn for the
recipe. A sentence that starts with `?` is left out half of the time, and any sentence whose foods are absent;
after `with?` they may be. `=stew` is the plain word "the stew"; `PREPARE` is a verb that suits the food.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

RGB = tuple[int, int, int]


def read_text(name: str) -> str:
    """The text of a data file of this package."""
    return files(__package__).joinpath(name).read_text("utf-8")


_DATA: dict[str, Any] = json.loads(read_text("families.json"))
CUISINES: dict[str, dict[str, str]] = _DATA["cuisines"]
POOLS: dict[str, str] = _DATA["pools"]
USUAL_GRAMS: dict[str, tuple[float, float]] = _DATA["usual_grams"]  # of a token or of a kind of food
# What counts as chicken, beef, pork, fish and apple in the substitution experiments.
SWAP_FAMILIES: dict[str, list[str]] = _DATA["swap_families"]


@dataclass(frozen=True, slots=True)
class Food:
    """One ingredient. `measures` maps a unit to its grams; the unit "_" is one piece of the food itself."""

    token: str  # "green_beans"
    kind: str  # "vegetable"
    one: str  # "green bean": before a noun, and for a single piece
    many: str  # "green beans"
    also: tuple[str, ...]  # ("haricots verts", "french beans")
    measures: dict[str, float]  # {"cup": 110.0}
    shape: str  # how it is cut, a row of shapes.tsv: "stick"
    colour: RGB
    second: RGB  # skin, rim, core or highlight, depending on the shape

    @property
    def forms(self) -> tuple[str, ...]:
        """Every surface form, without repeats."""
        return tuple(dict.fromkeys((self.many, self.one, *self.also)))


@cache
def foods() -> dict[str, Food]:
    """All foods by canonical token.

    >>> foods()["green_beans"].forms
    ('green beans', 'green bean', 'haricots verts', 'french beans')
    """
    out = {}
    for row in read_text("ingredients.tsv").splitlines()[1:]:
        token, kind, one, many, also, measures, shape, *colours = row.split("\t")
        grams = {unit: float(value) for unit, value in (item.split("=") for item in measures.split())}
        (r, g, b), (r2, g2, b2) = map(bytes.fromhex, colours)
        names = tuple(name for name in also.split(",") if name)
        out[token] = Food(token, kind, one, many, names, grams, shape, (r, g, b), (r2, g2, b2))
    return out


def swap_family(token: str) -> str | None:
    """Which of chicken, beef, pork, fish, apple a token belongs to, if any."""
    return next((name for name, tokens in SWAP_FAMILIES.items() if token in tokens), None)


def draw(pool: str, rng: Random, cuisine: str) -> str:
    """One token from a pool."""
    while pool not in foods():
        line = CUISINES[cuisine][pool[1:]] if pool.startswith("@") else POOLS[pool]
        entries = [entry.partition("*") for entry in line.split()]
        weights = [int(weight or 1) for _, _, weight in entries]
        pool = rng.choices([name for name, _, _ in entries], weights)[0]
    return pool


@dataclass(frozen=True, slots=True)
class Slot:
    """The foods of one role: how many, how much, and where they lie on the plate."""

    role: str
    pool: str
    least: int
    most: int
    grams: tuple[float, float] | None  # of each food, for about four people
    place: str  # a key of chef.data.kitchen.painter.PLACES, or tint, or hidden
    look: str  # raw, boiled, simmered, fried, baked, grilled or METHOD

    @classmethod
    def read(cls, line: str) -> Slot:
        role, pool, count, grams, place, look = line.split()
        least, _, most = count.partition("-")
        low, _, high = grams.partition("-")
        between = (float(low), float(high)) if high else None
        return cls(role, pool, int(least), int(most or least), between, place, look)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One instruction sentence before it has words."""

    verbs: list[str]
    what: list[str]
    extra: list[str]  # the roles after "with"
    pan: str | None
    optional: bool
    needs_extra: bool

    @classmethod
    def read(cls, line: str) -> Sentence:
        verbs, *words = line.removeprefix("? ").split()
        parts: dict[str, list[str]] = {"": [], "with": [], "in": []}
        key = ""
        for word in words:
            if word.rstrip("?") in parts:
                key = word.rstrip("?")
            else:
                parts[key] += word.split("+")
        pan = parts["in"][0] if parts["in"] else None
        return cls(verbs.split("/"), parts[""], parts["with"], pan, line.startswith("?"), "with" in words)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of dish."""

    name: str
    weight: float
    main_is_heaviest: float  # how often the role `main` is made the heaviest; else the draw decides
    vessels: list[str]
    cuisines: list[str]  # empty: any
    methods: list[str]
    titles: list[str]
    slots: list[Slot]
    steps: list[Sentence]


FAMILIES: dict[str, Family] = {}
for _row in _DATA["families"]:
    _parts = {"slots": [*map(Slot.read, _row["slots"])], "steps": [*map(Sentence.read, _row["steps"])]}
    FAMILIES[_row["name"]] = Family(**(_row | _parts))
