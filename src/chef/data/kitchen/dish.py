"""A dish of the generated kitchen: the recipe, and the truth about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chef.data.kitchen.world import RGB
from chef.recipe import Recipe

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True, slots=True)
class Layer:
    """One food as the painter sees it."""

    token: str
    place: str  # base, body, side, sauce, crust, top, ...: where it lies
    shape: str
    look: str  # raw, boiled, simmered, fried, baked or grilled
    grams: float
    colour: RGB
    second: RGB


@dataclass(frozen=True, slots=True)
class Pick:
    """One food chosen for a slot of the family, before it has words."""

    role: str
    token: str
    grams: float  # aimed at; the written line rounds it
    place: str
    look: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything random about what is cooked; words and picture follow from it and the seed."""

    seed: int
    index: int
    family: str
    cuisine: str
    method: str | None
    vessel: str
    hero: bool  # the `main` role must weigh most
    picks: tuple[Pick, ...]


@dataclass(frozen=True, slots=True)
class Dish:
    """A recipe with its ground truth.

    `tokens` has one canonical token per ingredient line, `actions` one verb lemma per sentence of the
    steps, `grams` what each line weighs, `main` the heaviest ingredient without water.
    """

    recipe: Recipe
    main: str
    grams: dict[str, float]
    tokens: tuple[str, ...]
    actions: tuple[str, ...]
    layers: tuple[Layer, ...]
    scene: str
    plan: Plan

    def paint(self, size: int = 256, view: int = 0) -> Image.Image:
        """The plate as a square RGB picture; another `view` is another photo of the same dish."""
        from chef.data.kitchen.painter import paint

        return paint(self, size, view)
