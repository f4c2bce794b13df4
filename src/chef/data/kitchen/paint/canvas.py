"""The canvas: for every pixel a height, the piece it belongs to, and where in the piece it lies.

Food is stamped and poured with a depth test; `shade` lights the whole at the end. Lengths are in half
canvas widths (the canvas spans -1 to 1), heights too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chef.data.kitchen.paint.textures import Field, axes
from chef.data.kitchen.world import RGB

TABLE, VESSEL = 0, 1


@dataclass(frozen=True, slots=True)
class Material:
    """How a food answers the light: its two colours, and what cooking did to its surface."""

    colour: tuple[float, float, float]
    second: tuple[float, float, float]
    gloss: float = 0.3
    brown: float = 0.0  # patches of browning
    char: float = 0.0  # grill stripes
    rough: float = 0.08  # fine grain
    jitter: float = 0.07  # how much pieces differ from one another


@dataclass(frozen=True, slots=True)
class Sprite:
    """One piece of food: its height (minus infinity outside) and the share of the second colour."""

    height: Field
    mix: Field


class Canvas:
    """The picture before the light is switched on."""

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        self.size = size
        self.scale = size / 2
        self.rng = rng
        self.height: Field = np.zeros((size, size), np.float32)
        self.piece: NDArray[np.uint16] = np.zeros((size, size), np.uint16)
        self.mix: Field = np.zeros((size, size), np.float32)
        self.palette: list[tuple[float, ...]] = []
        self.table: Field | None = None  # colour of the table, (size, size, 3)
        self.wood: Field | None = None  # colour of a wooden board, where the vessel is one
        for _ in (TABLE, VESSEL):
            self.add(Material((255, 255, 255), (255, 255, 255), rough=0, jitter=0))

    def add(self, material: Material) -> int:
        """A new piece of a material, a little lighter or darker than the last."""
        j = material.jitter
        light = 1 + j * self.rng.standard_normal() * 0.6
        tint = 1 + j * 0.35 * self.rng.standard_normal(3)
        first = [c * light * t for c, t in zip(material.colour, tint, strict=True)]
        second = [c * light for c in material.second]
        self.palette.append((*first, *second, material.gloss, material.brown, material.char, material.rough))
        return len(self.palette) - 1

    def replace(self, piece: int, material: Material) -> None:
        """Give an existing piece (the vessel) its material."""
        self.palette[piece] = (*material.colour, *material.second, material.gloss, 0.0, 0.0, material.rough)

    def at(self, x: float, y: float) -> float:
        """The height of what lies at a point."""
        last = self.size - 1
        px = min(max(int((x + 1) * self.scale), 0), last)
        py = min(max(int((y + 1) * self.scale), 0), last)
        return float(self.height[py, px])

    def stamp(self, sprite: Sprite, x: float, y: float, material: Material, z: float | None = None) -> None:
        """Lay one piece centred at (x, y); without `z` it rests on what is there already."""
        base = self.at(x, y) if z is None else z
        n = sprite.height.shape[0]
        left = int((x + 1) * self.scale) - n // 2
        top = int((y + 1) * self.scale) - n // 2
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + n, self.size), min(top + n, self.size)
        if x0 >= x1 or y0 >= y1:
            return
        inside = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        self._lay(
            (slice(y0, y1), slice(x0, x1)),
            sprite.height[inside] + np.float32(base),
            sprite.mix[inside],
            material,
        )

    def pour(self, height: Field, material: Material, mix: Field | float = 0.0) -> None:
        """Lay a field as large as the canvas; it wins where it is higher than what is there."""
        self._lay((slice(None), slice(None)), height, mix, material)

    def _lay(self, where: tuple[slice, slice], height: Field, mix: Field | float, material: Material) -> None:
        target = self.height[where]
        wins = height > target
        np.copyto(target, height, where=wins)
        np.copyto(self.piece[where], np.uint16(self.add(material)), where=wins)
        np.copyto(self.mix[where], mix, where=wins)

    def radius(self, x: float = 0.0, y: float = 0.0) -> Field:
        """Distance of every pixel from a point."""
        xs, ys = axes(self.size)
        return np.sqrt((xs - np.float32(x)) ** 2 + (ys - np.float32(y)) ** 2)


def lerp(
    first: RGB | tuple[float, ...], second: RGB | tuple[float, ...], share: float
) -> tuple[float, float, float]:
    """A colour between two."""
    r, g, b = (a + (c - a) * share for a, c in zip(first, second, strict=True))
    return r, g, b
