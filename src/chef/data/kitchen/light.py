"""The canvas on which a plate is painted, the table and vessel under the food, and the light at the end."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from chef.data.kitchen.shapes import SHAPES, Field, axes, draw_piece, noise, rolled
from chef.data.kitchen.tables import read_text

Colour = tuple[float, float, float]
PAINT: dict[str, Any] = json.loads(read_text("paint.json"))
_CHAR = np.array((70, 37, 14), np.float32)


@dataclass(frozen=True, slots=True)
class Material:
    """How a food answers the light: its two colours, and what cooking did to its surface."""

    colour: Colour
    second: Colour
    gloss: float = 0.3
    brown: float = 0.0  # patches of browning
    char: float = 0.0  # grill marks
    jitter: float = 0.07  # how much pieces differ from one another


def lerp(first: Sequence[float], second: Sequence[float], share: float) -> Colour:
    """A colour between two."""
    r, g, b = (a + (c - a) * share for a, c in zip(first, second, strict=True))
    return r, g, b


class Canvas:
    """The picture before the light is switched on: heights, pieces, and shares of the second colour."""

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        self.size, self.rng = size, rng
        self.height: Field = np.zeros((size, size), np.float32)
        self.mix: Field = np.zeros((size, size), np.float32)
        self.piece = np.zeros((size, size), np.uint16)
        self.materials = [Material((255, 255, 255), (255, 255, 255))]  # of the pieces; the first is the table

    def at(self, x: float, y: float) -> float:
        """The height of what lies at a point."""
        row, column = (min(max(int((v + 1) * self.size / 2), 0), self.size - 1) for v in (y, x))
        return float(self.height[row, column])

    def stamp(self, name: str, x: float, y: float, material: Material, larger: float = 1.0) -> None:
        """Lay one piece centred at (x, y), pressed a little into what is there."""
        height, mix = draw_piece(name, self.size / 2, self.rng, larger)
        base = self.at(x, y) - 0.12 * SHAPES[name].thickness * larger
        n = len(height)
        left, top = int((x + 1) * self.size / 2) - n // 2, int((y + 1) * self.size / 2) - n // 2
        x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + n, self.size), min(top + n, self.size)
        if x0 < x1 and y0 < y1:
            inside = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
            where = (slice(y0, y1), slice(x0, x1))
            self.pour(height[inside] + base, material, mix[inside], where)

    def pour(
        self, height: Field, material: Material, mix: Field | float = 0.0, where: tuple[slice, ...] = ()
    ) -> None:
        """Lay a field of heights; it wins where it is higher than what is there."""
        wins = height > self.height[where]
        np.copyto(self.height[where], height, where=wins)
        np.copyto(self.mix[where], mix, where=wins)
        np.copyto(self.piece[where], np.uint16(len(self.materials)), where=wins)
        self.materials.append(material)


@cache
def table(number: int, size: int) -> Field:
    """The colour of a table, (size, size, 3): wood, checked cloth, or plain."""
    kind, light, dark = PAINT["tables"][number]
    xs, ys = axes(size)
    clouds = noise(size, 1.5)
    if kind == "wood":
        planks = np.abs((ys + 1) * 2.5 - np.round((ys + 1) * 2.5)) < 0.02
        mix = (
            0.4 + 0.2 * np.sin(ys * 38 + clouds * 5 + np.sin(xs * 2 + number)) + 0.15 * clouds + 0.6 * planks
        )
    elif kind == "check":
        mix = 0.42 * ((np.sin(xs * 14) > 0) + 1.0 * (np.sin(ys * 14) > 0)) + 0.05 * clouds
    else:
        mix = 0.4 + 0.35 * clouds + 0.2 * noise(size, 0.4)
    return np.asarray(light + np.subtract(dark, light) * np.clip(mix, 0, 1)[..., None], np.float32)


@cache
def _vessel(name: str, size: int) -> Field:
    """The height of a vessel; far below the table outside of it."""
    xs, ys = axes(size)
    distances, heights = zip(*PAINT["vessels"][name]["profile"], strict=True)
    away = np.hypot(xs, ys)
    if distances[0] < 0:  # with corners: the distance to the edge, negative inside
        away = np.hypot(np.maximum(np.abs(xs) - 0.82, 0), np.maximum(np.abs(ys) - 0.65, 0)) - 0.1
    height = np.where(away > distances[-1], -1, np.interp(away, distances, heights))
    if name == "pan":
        along, across = xs * 0.78 + ys * 0.62, ys * 0.78 - xs * 0.62
        height = np.where((np.abs(across) < 0.065) & (along > 0.79), 0.14, height)
    return height.astype(np.float32)


def lay_vessel(canvas: Canvas, name: str, glaze: Sequence[float]) -> None:
    """Put a vessel on the table."""
    colour = lerp(PAINT["vessels"][name].get("colour", glaze), glaze, 0)
    wood = name == "board"
    material = Material(colour, lerp(colour, (90, 56, 32), 0.4), gloss=0.12 if wood else 0.55, jitter=0)
    grain = 0.5 + 0.5 * np.sin(axes(canvas.size)[1] * 50 + noise(canvas.size, 1.6) * 5) if wood else 0.0
    canvas.pour(_vessel(name, canvas.size), material, grain)


def lit(canvas: Canvas, background: Field, rng: np.random.Generator) -> Image.Image:
    """The picture in the light of one photo, as large as the canvas."""
    angle, warmth, exposure = rng.uniform(3.3, 5.2), rng.uniform(-0.6, 1.0), rng.uniform(0.95, 1.1)
    rows = [(*m.colour, *m.second, m.gloss, m.brown, m.char, m.jitter) for m in canvas.materials]
    palette, ids = np.array(rows, np.float32), canvas.piece
    # Every piece is a little lighter or darker than the next, and its first colour a little different.
    jitter = palette[:, 9:] * canvas.rng.standard_normal((len(rows), 4), np.float32)
    palette[:, :6] *= 1 + 0.6 * jitter[:, 3:]
    palette[:, :3] *= 1 + 0.35 * jitter[:, :3]
    clouds = rolled(noise(canvas.size, 1.5), canvas.rng)
    colour = np.take(palette[:, 3:6] - palette[:, :3], ids, axis=0)
    colour *= canvas.mix[..., None]
    colour += np.take(palette[:, :3], ids, axis=0)
    dark = np.take(palette[:, 7], ids) * np.clip(0.35 + 0.9 * clouds, 0, 1)
    if palette[:, 8].any():  # grill marks
        xs, ys = axes(canvas.size)
        dark += np.take(palette[:, 8], ids) * np.clip(2 * np.sin(xs * 46 + ys * 35) - 0.7, 0, 0.9)
    colour += (_CHAR - colour) * np.minimum(dark, 0.85)[..., None]
    np.copyto(colour, background, where=(ids == 0)[..., None])
    brightness, shine = _brightness(canvas.height, angle, np.take(palette[:, 6], ids))
    brightness *= 1 + 0.05 * (clouds + rolled(noise(canvas.size, 0.4), canvas.rng)) * (ids > 1)
    colour *= brightness[..., None]
    colour += 255 * shine[..., None]
    colour *= np.array((1 + 0.035 * warmth, 1, 1 - 0.06 * warmth), np.float32) * exposure
    colour /= 1 + np.maximum(colour - 200, 0) / 420  # a soft shoulder keeps white plates from burning out
    return Image.fromarray(np.clip(colour, 0, 255).astype(np.uint8))


def _brightness(height: Field, angle: float, gloss: Field) -> tuple[Field, Field]:
    """How bright each pixel is, and how much it shines."""
    gx, gy = np.zeros_like(height), np.zeros_like(height)
    gx[:, 1:-1] = np.clip((height[:, 2:] - height[:, :-2]) * (0.21 * len(height)), -2.2, 2.2)
    gy[1:-1] = np.clip((height[2:] - height[:-2]) * (0.21 * len(height)), -2.2, 2.2)
    lx, ly, lz = 0.62 * math.cos(angle), 0.62 * math.sin(angle), 0.78
    slope, length = gx * lx + gy * ly, np.sqrt(1 + gx * gx + gy * gy)
    # The highlight is where the surface faces halfway between the light and a camera straight above.
    half = (lz + 1 - slope) / (length * math.hypot(lx, ly, lz + 1))
    shine = gloss * np.clip(half, 0, 1) ** 40 * 0.55
    dim = _shadow(height, lx, ly)
    return (0.42 + 0.75 * np.clip((lz - slope) / length, 0, 1)) * dim, shine * dim


def _shadow(height: Field, lx: float, ly: float) -> Field:
    """Cast shadows and the darkness in gaps, computed coarsely because both are soft."""
    size = len(height) // 4
    small = _resized(height, size)
    cast = np.zeros_like(small)
    for step in range(1, 8):
        dx, dy = (round(light * step * size / 80) for light in (lx, ly))
        np.maximum(cast, np.roll(small, (-dy, -dx), axis=(0, 1)) - small - 0.021 * step, out=cast)
    blurred = _resized(_resized(np.clip(cast / 0.05, 0, 1), max(size // 3, 2)), size)
    gaps = np.clip(_resized(_resized(small, max(size // 8, 2)), size) - small, 0, 0.12)
    return np.clip(_resized(1 - 0.42 * blurred - 1.8 * gaps, len(height)), 0.3, 1.05)


def _resized(values: Field, size: int) -> Field:
    method = Image.Resampling.BOX if size < len(values) else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(values).resize((size, size), method))
