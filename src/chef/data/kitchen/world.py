"""The foods of the generated kitchen, read from `ingredients.tsv`.

Each food has one canonical token, the surface forms cooks write for it, the grams of its household
measures (rough kitchen figures of our own, good enough for a made-up world), and how it looks on a plate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

RGB = tuple[int, int, int]

# What counts as chicken, beef, pork, fish and apple in the substitution experiments.
SWAP_FAMILIES: dict[str, tuple[str, ...]] = {
    "chicken": (
        "chicken",
        "chicken_breasts",
        "chicken_thighs",
        "chicken_drumsticks",
        "chicken_wings",
        "ground_chicken",
    ),
    "beef": ("beef", "ground_beef", "beef_steak", "stewing_beef", "beef_brisket"),
    "pork": ("pork", "pork_chops", "pork_tenderloin", "pork_shoulder", "ground_pork", "pork_belly"),
    "fish": (
        "salmon",
        "cod",
        "haddock",
        "tuna_steaks",
        "canned_tuna",
        "trout",
        "halibut",
        "sea_bass",
        "tilapia",
        "mackerel",
        "white_fish",
    ),
    "apple": ("apple", "green_apples"),
}


@dataclass(frozen=True, slots=True)
class Food:
    """One ingredient of the world.

    `measures` maps a unit to the grams of one of it; the unit "_" is one piece of the food itself.
    """

    token: str  # "green_beans"
    kind: str  # "vegetable"
    one: str  # "green bean": before a noun, and for a single piece
    many: str  # "green beans"
    also: tuple[str, ...]  # ("haricots verts", "french beans")
    measures: dict[str, float]  # {"cup": 110.0}
    shape: str  # how the painter cuts it: "stick"
    colour: RGB
    second: RGB  # skin, rim, core or highlight, as the shape has it

    @property
    def forms(self) -> tuple[str, ...]:
        """Every surface form, without repeats."""
        return tuple(dict.fromkeys((self.many, self.one, *self.also)))


def _rgb(text: str) -> RGB:
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def _measures(text: str) -> dict[str, float]:
    pairs = (item.split("=") for item in text.split())
    return {unit: float(grams) for unit, grams in pairs}


def _food(row: str) -> Food:
    token, kind, one, many, also, measures, shape, colour, second = row.split("\t")
    names = tuple(name for name in also.split(",") if name)
    return Food(token, kind, one, many, names, _measures(measures), shape, _rgb(colour), _rgb(second))


@cache
def foods() -> dict[str, Food]:
    """All foods by canonical token.

    >>> foods()["green_beans"].forms
    ('green beans', 'green bean', 'haricots verts', 'french beans')
    """
    table = files(__package__).joinpath("ingredients.tsv").read_text("utf-8").splitlines()
    return {food.token: food for food in map(_food, table[1:])}


@cache
def surface_forms() -> dict[str, str]:
    """Surface form (lower case) -> canonical token. No form belongs to two tokens."""
    out: dict[str, str] = {}
    for food in foods().values():
        for form in food.forms:
            if out.setdefault(form.lower(), food.token) != food.token:
                raise ValueError(f"{form!r} names both {out[form.lower()]} and {food.token}")
    return out


def swap_family(token: str) -> str | None:
    """Which of chicken, beef, pork, fish, apple a token belongs to, if any."""
    return next((name for name, tokens in SWAP_FAMILIES.items() if token in tokens), None)
