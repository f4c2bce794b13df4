"""The cuts of food: for each shape a small height field and where its second colour shows.

A cut is a function of a `Grid` (coordinates from -1 to 1 and a random stream) that returns height (at
most about 1, negative outside) and mix. `sprite` keeps a few variants of each, ready to stamp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from chef.data.kitchen.paint.canvas import Sprite
from chef.data.kitchen.paint.textures import Field, generator, smoothstep

OUTSIDE = np.float32(-9.0)
Cut = Callable[["Grid"], tuple[Field, Field]]


@dataclass(frozen=True, slots=True)
class Grid:
    """Coordinates of one sprite, already turned by a random angle."""

    u: Field
    v: Field
    rng: np.random.Generator

    @property
    def r(self) -> Field:
        return np.sqrt(self.u**2 + self.v**2)

    @property
    def angle(self) -> Field:
        return np.arctan2(self.v, self.u)

    def wobble(self, amount: float, waves: int = 5) -> Field:
        """An uneven outline: about 1, a little different in each direction."""
        theta = self.angle
        out = np.ones_like(theta)
        for wave in range(2, waves + 2):
            out += (
                amount / wave * self.rng.uniform(0.4, 1.6) * np.sin(wave * theta + self.rng.uniform(0, 6.3))
            )
        return out

    def oval(self, aspect: float = 1.0, power: float = 2.0, wobble: float = 0.0) -> Field:
        """Distance from the middle as a share of the outline: 1 on the edge. Higher power, squarer."""
        r: Field = (np.abs(self.u) ** power + np.abs(self.v / aspect) ** power) ** (1 / power)
        return r / self.wobble(wobble) if wobble else r


def dome(r: Field) -> Field:
    """A rounded top; negative outside r = 1."""
    return np.where(r < 1, np.sqrt(np.clip(1 - r * r, 0, 1)), OUTSIDE)


def slab(r: Field, edge: float = 0.3) -> Field:
    """A flat top with rounded edges."""
    return np.where(r < 1, np.sqrt(np.clip((1 - r) / edge, 0, 1)), OUTSIDE)


def rim(r: Field, start: float = 0.85) -> Field:
    """1 near the outline, 0 inside."""
    return smoothstep(start, start + 0.1, r)


def bumps(g: Grid, count: int, spread: float, size: float) -> Field:
    """Many small domes side by side: florets, berries."""
    out = np.full(g.u.shape, OUTSIDE)
    out = np.broadcast_to(out, np.broadcast_shapes(g.u.shape, g.v.shape)).copy()
    for k in range(count):
        away = spread * np.sqrt((k + 0.5) / count)
        turn = k * 2.39996
        r = np.sqrt((g.u - away * np.cos(turn)) ** 2 + (g.v - away * np.sin(turn)) ** 2) / size
        out = np.maximum(out, dome(r) * size + 0.55 * (1 - away))
    return out


CUTS: dict[str, Cut] = {}
SIZES: dict[str, tuple[float, float]] = {}  # radius and thickness, in half canvas widths


def cut(name: str, radius: float, thickness: float) -> Callable[[Cut], Cut]:
    """Register a cut under a shape name."""

    def register(function: Cut) -> Cut:
        CUTS[name] = function
        SIZES[name] = (radius, thickness)
        return function

    return register


VARIANTS = 7


@cache
def _variant(shape: str, pixels: int, thickness: int, variant: int) -> Sprite:
    rng = generator("cut", shape, variant)
    turn = rng.uniform(0, 2 * np.pi)
    line = ((np.arange(pixels, dtype=np.float32) + 0.5) / pixels * 2 - 1) * np.float32(1.04)
    x, y = line[None, :], line[:, None]
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    with np.errstate(invalid="ignore"):
        height, mix = CUTS[shape](Grid(x * cos + y * sin, y * cos - x * sin, rng))
    tall = np.where(height >= 0, height * np.float32(thickness / 1e4), OUTSIDE)
    return Sprite(tall.astype(np.float32), np.clip(np.broadcast_to(mix, tall.shape), 0, 1).astype(np.float32))


def sprite(
    shape: str, scale: float, rng: np.random.Generator, larger: float = 1.0, flat: float = 1.0
) -> Sprite:
    """A piece of a shape on a canvas of `scale` pixels per half width, mirrored at random."""
    radius, thickness = SIZES[shape]
    # Few distinct sizes, so that the cache serves nearly every piece.
    pixels = max(3, int(2 * radius * larger * scale * rng.choice((0.88, 1.0, 1.12))) | 1)
    out = _variant(shape, pixels, int(thickness * larger * flat * 1e4), int(rng.integers(VARIANTS)))
    flips = int(rng.integers(8))
    height, mix = out.height, out.mix
    if flips & 1:
        height, mix = height[::-1], mix[::-1]
    if flips & 2:
        height, mix = height[:, ::-1], mix[:, ::-1]
    if flips & 4:
        height, mix = height.T, mix.T
    return Sprite(height, mix)
