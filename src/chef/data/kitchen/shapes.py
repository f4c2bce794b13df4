"""Pieces of food as small height fields, drawn from the rows of `shapes.tsv`, and beds made of many pieces.

A row names an outline (the distance from the middle as a share of the edge: below 1 inside) and a pattern
(where the food's second colour shows). An `edge` of 1 makes a dome, less a flat top with a rounded edge.
`bed` is how often the pieces of a bed cover the ground; 0 where the food does not lie as a bed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chef.data.kitchen.tables import read_text

Field = NDArray[Any]
Piece = tuple[Field, Field]  # its height (far below the table outside) and the share of the second colour
_VARIANTS = 7


def generator(*key: object) -> np.random.Generator:
    """A random stream that depends on the words of its key alone, in every process."""
    return np.random.default_rng(crc32("/".join(map(str, key)).encode()))


def smoothstep(low: float, high: float, values: Field) -> Field:
    """0 below `low`, 1 above `high`, a soft rise between them (either order)."""
    t = np.clip((values - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


@cache
def axes(size: int) -> tuple[Field, Field]:
    """x and y of every pixel in [-1, 1], as a row and a column."""
    line = ((np.arange(size, dtype=np.float32) + 0.5) / size * 2 - 1).astype(np.float32)
    return line[None, :], line[:, None]


@cache
def noise(size: int, roughness: float) -> Field:
    """Noise in about [-1, 1] that tiles; low roughness is fine grain, high is broad clouds.

    Filtering white noise in the frequency domain makes the tile wrap without a seam.
    """
    spectrum = np.fft.rfft2(generator("noise", size, roughness).standard_normal((size, size)))
    frequency = np.hypot(np.fft.rfftfreq(size)[None, :], np.fft.fftfreq(size)[:, None]) * size
    frequency[0, 0] = np.inf
    field = np.fft.irfft2(spectrum / frequency**roughness, s=(size, size))
    return np.asarray(np.clip(field / (2 * field.std()), -1, 1), np.float32)


def rolled(field: Field, rng: np.random.Generator) -> Field:
    """The tile shifted to a random position, so that no two plates show the same grain."""
    dy, dx = rng.integers(0, field.shape[0], 2)
    return np.roll(field, (int(dy), int(dx)), axis=(0, 1))


@dataclass(frozen=True, slots=True)
class Shape:
    """How one cut of food looks from above; lengths are in half canvas widths."""

    outline: str
    pattern: str
    radius: float
    thickness: float
    aspect: float
    power: float
    wobble: float
    edge: float
    bed: float


SHAPES: dict[str, Shape] = {}
for _row in read_text("shapes.tsv").splitlines()[1:]:
    _name, _outline, _pattern, *_numbers = _row.split("\t")
    SHAPES[_name] = Shape(_outline, _pattern, *map(float, _numbers))


def _bumps(u: Field, v: Field, shape: Shape) -> Field:
    nearest = np.full(np.broadcast_shapes(u.shape, v.shape), 9.0, np.float32)
    for k in range(11):
        away, turn = (1 - shape.aspect) * np.sqrt((k + 0.5) / 11), k * 2.399963
        x, y = away * np.cos(turn), away * np.sin(turn)
        np.minimum(nearest, np.hypot(u - x, v - y) / shape.aspect, out=nearest)
    return nearest


def _drumstick(u: Field, v: Field, shape: Shape) -> Field:
    meat = np.sqrt((u + 0.3) ** 2 / 0.46 + v * v / (shape.aspect - 0.13 * u).clip(0.05, 1))
    bone = np.maximum(np.abs(u - 0.6) / 0.36, np.abs(v) / 0.11)
    return np.where(bone < meat, bone, meat)


def _leaf(u: Field, v: Field, shape: Shape) -> Field:
    width = shape.aspect * np.sqrt(np.clip(1 - u * u, 1e-4, 1)) * (0.85 - 0.35 * u)
    return np.where(np.abs(u) < 1, np.abs(v) / width, 9.0)


def _band(u: Field, v: Field, shape: Shape, below: float, radius: float) -> Field:
    """A part of a ring around a point below the middle."""
    band = np.abs(np.hypot(u, v + below) - radius) / shape.aspect
    return np.where((v > -0.4) & (np.hypot(u, v) < 1), band, 9.0)


_OUTLINES: dict[str, Callable[[Field, Field, Shape], Field]] = {
    "oval": lambda u, v, s: (np.abs(u) ** s.power + np.abs(v / s.aspect) ** s.power) ** (1 / s.power),
    "leaf": _leaf,
    "arc": lambda u, v, s: _band(u, v, s, 0.35, 0.98 - s.aspect),
    "strand": lambda u, v, s: _band(u, v, s, 0.8, 0.95),
    "bumps": _bumps,
    "drumstick": _drumstick,
    "ring": lambda u, v, s: np.abs(np.hypot(u, v) - 0.75) / s.aspect,
}
_PATTERNS: dict[str, Callable[[Field, Field, Field], Field]] = {
    "core": lambda u, v, r: 0.7 * smoothstep(0.9, 0.2, r),
    "rim": lambda u, v, r: smoothstep(0.8, 0.92, r),
    "fibre": lambda u, v, r: 0.45 + 0.4 * np.sin(u * 11 + np.sin(v * 6) * 1.5),
    "flakes": lambda u, v, r: np.clip(np.sin((u + np.abs(v) * 0.8) * 21) * 2 - 1.1, 0, 1),
    "stripes": lambda u, v, r: 0.5 + 0.5 * np.sin(v * 20 + np.sin(u * 4)),
    "spokes": lambda u, v, r: np.maximum(smoothstep(0.8, 0.9, r), 0.8 * (np.cos(np.arctan2(v, u) * 8) > 0.9)),
    "seeds": lambda u, v, r: (r > 0.86) + 0.5 * (np.cos(np.arctan2(v, u) * 9) > 0.6) * (r < 0.5),
    "dots": lambda u, v, r: 0.9 * (np.sin(u * 17) * np.sin(v * 17) > 0.55),
    "vein": lambda u, v, r: np.exp(-np.abs(v) * 14) + 0.25 * np.sin(u * 9 + np.abs(v) * 12),
    "bone": lambda u, v, r: smoothstep(0.4, 0.5, u),
    "cap": lambda u, v, r: smoothstep(-0.15, 0.1, v),
    "skin": lambda u, v, r: smoothstep(0.8, 0.88, np.hypot(u, v + 0.35)),
}


@cache
def _variant(name: str, pixels: int, scale: float, variant: int) -> Piece:
    shape, rng = SHAPES[name], generator("piece", name, variant)
    turn = rng.uniform(0, 2 * np.pi)
    x, y = (line * np.float32(1.04) for line in axes(pixels))
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    r = _OUTLINES[shape.outline](u, v, shape)
    if shape.wobble:  # an uneven outline
        angle = np.arctan2(v, u)
        for wave in range(2, 7):
            strength = shape.wobble / wave * rng.uniform(0.4, 1.6)
            r = r * (1 + strength * np.sin(wave * angle + rng.uniform(0, 6.3)))
    top = 1 - r * r if shape.edge >= 1 else (1 - r) / shape.edge
    height = np.where(r < 1, np.sqrt(np.clip(top, 0, 1)) * shape.thickness * scale, -9)
    mix = np.broadcast_to(_PATTERNS[shape.pattern](u, v, r), height.shape)
    return height.astype(np.float32), np.clip(mix, 0, 1).astype(np.float32)


def draw_piece(name: str, scale: float, rng: np.random.Generator, larger: float = 1.0) -> Piece:
    """A piece of a shape on a canvas of `scale` pixels per half width, mirrored at random."""
    # One draw decides size, variant and mirroring; few sizes, so that the cache serves nearly every piece.
    drawn = int(rng.integers(3 * 4 * _VARIANTS))
    pixels = max(3, int(2 * SHAPES[name].radius * larger * scale * (0.88, 1.0, 1.12)[drawn % 3]) | 1)
    height, mix = _variant(name, pixels, larger, drawn // 12)
    flip = (slice(None, None, (1, -1)[drawn // 3 % 2]), slice(None, None, (1, -1)[drawn // 6 % 2]))
    return height[flip], mix[flip]


@cache
def bed(name: str, size: int) -> Piece:
    """A bed as large as the canvas; it wraps, so it may be rolled anywhere."""
    shape, tile = SHAPES[name], size // 2
    rng = generator("bed", name)
    height = np.full((tile, tile), -1.0, np.float32)
    mix = np.zeros((tile, tile), np.float32)
    count = int(shape.bed * tile * tile / ((shape.radius * size / 2) ** 2 * 2))
    for z in np.linspace(0, 2.2 * shape.thickness, count, dtype=np.float32):
        raised, shade = draw_piece(name, size / 2, rng)
        steps = np.arange(len(raised))
        where = np.ix_((steps + rng.integers(tile)) % tile, (steps + rng.integers(tile)) % tile)
        wins = raised + z > height[where]
        height[where] = np.where(wins, raised + z, height[where])
        # Each piece keeps a shade of its own, so that single grains can be told apart.
        mix[where] = np.where(wins, 0.5 * shade + 0.5 * rng.random(), mix[where])
    height = np.clip(height - np.median(height), -0.9 * shape.thickness, None).astype(np.float32)
    return np.tile(height, (3, 3))[:size, :size], np.tile(mix, (3, 3))[:size, :size]
