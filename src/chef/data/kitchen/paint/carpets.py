"""Beds of small pieces (rice, mince, pasta ...), laid once as a tile and poured as a whole."""

from __future__ import annotations

from functools import cache

import numpy as np

from chef.data.kitchen.paint import cuts_fancy, cuts_fruit, cuts_plain  # noqa: F401  (registers the cuts)
from chef.data.kitchen.paint.shapes import SIZES, sprite
from chef.data.kitchen.paint.textures import Field, generator

# Food shape -> the cut the bed is made of, and how often the pieces cover the ground.
BEDS: dict[str, tuple[str, float]] = {
    "grain": ("grain", 2.6),
    "grain_small": ("grain_small", 2.6),
    "oat": ("oat", 2.4),
    "mince": ("mince", 2.6),
    "crumb": ("crumb", 2.6),
    "strand": ("stroke", 20.0),
    "strand_flat": ("stroke_flat", 14.0),
    "tube": ("tube", 3.0),
    "spiral": ("spiral", 3.0),
    "elbow": ("elbow", 3.2),
    "gnocco": ("gnocco", 2.2),
    "shred": ("shred", 5.0),
    "flake": ("flake", 3.0),
}


@cache
def bed(shape: str, size: int) -> tuple[Field, Field]:
    """Height and mix of a bed as large as the canvas; it wraps, so it may be rolled anywhere."""
    cut, cover = BEDS[shape]
    tile = size // 2
    rng = generator("bed", shape)
    radius, thickness = SIZES[cut]
    pixels = radius * size / 2
    count = int(cover * tile * tile / (pixels * pixels * 2))
    height = np.full((tile, tile), -1.0, np.float32)
    mix = np.zeros((tile, tile), np.float32)
    for z in np.linspace(0, 2.2 * thickness, count):
        piece = sprite(cut, size / 2, rng)
        _wrapped(height, mix, piece.height + np.float32(z), piece.mix, rng)
    height -= np.float32(np.median(height))
    np.clip(height, -0.9 * thickness, None, out=height)
    reps = -(-size // tile)
    return np.tile(height, (reps, reps))[:size, :size], np.tile(mix, (reps, reps))[:size, :size]


def _wrapped(height: Field, mix: Field, piece: Field, piece_mix: Field, rng: np.random.Generator) -> None:
    """Lay one piece at a random place of a tile whose edges meet."""
    tile, n = height.shape[0], piece.shape[0]
    top, left = rng.integers(0, tile, 2)
    rows = (np.arange(n) + top) % tile
    columns = (np.arange(n) + left) % tile
    where = np.ix_(rows, columns)
    under = height[where]
    wins = piece > under
    height[where] = np.where(wins, piece, under)
    # Each piece keeps a shade of its own, so that single grains can be told apart.
    shade = 0.5 * piece_mix + 0.5 * np.float32(rng.random())
    mix[where] = np.where(wins, shade, mix[where])
