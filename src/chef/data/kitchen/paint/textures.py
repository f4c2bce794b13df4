"""Noise that tiles, made once per size."""

from __future__ import annotations

from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Field = NDArray[np.floating[Any]]


def generator(*key: object) -> np.random.Generator:
    """A random stream that depends on the words of its key alone, in every process."""
    return np.random.default_rng(crc32("/".join(map(str, key)).encode()))


@cache
def noise(size: int, roughness: float, name: str = "") -> Field:
    """Periodic noise in about [-1, 1]; low roughness is fine grain, high is broad clouds.

    Filtering white noise in the frequency domain makes the tile wrap without a seam.
    """
    rng = generator("noise", size, roughness, name)
    spectrum = np.fft.rfft2(rng.standard_normal((size, size)))
    fy = np.fft.fftfreq(size)[:, None] * size
    fx = np.fft.rfftfreq(size)[None, :] * size
    frequency = np.sqrt(fx * fx + fy * fy)
    frequency[0, 0] = np.inf
    field = np.fft.irfft2(spectrum / frequency**roughness, s=(size, size))
    return np.asarray(np.clip(field / (2 * field.std()), -1, 1), np.float32)


def rolled(field: Field, rng: np.random.Generator) -> Field:
    """The tile shifted to a random place, so that no two plates show the same grain."""
    dy, dx = rng.integers(0, field.shape[0], 2)
    return np.roll(field, (int(dy), int(dx)), axis=(0, 1))


@cache
def axes(size: int) -> tuple[Field, Field]:
    """x and y of every pixel in [-1, 1], as a row and a column."""
    line = ((np.arange(size, dtype=np.float32) + 0.5) / size * 2 - 1).astype(np.float32)
    return line[None, :], line[:, None]


def smoothstep(low: float, high: float, values: Field) -> Field:
    """0 below `low`, 1 above `high`, a soft rise between them (either order)."""
    t = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), dtype=np.float32)


def blurred(field: Field, times: int) -> Field:
    """A cheap wide blur: down by `times` and smoothly up again."""
    size = field.shape[0]
    small = Image.fromarray(field).resize((max(2, size // times),) * 2, Image.Resampling.BILINEAR)
    return np.asarray(small.resize((size, size), Image.Resampling.BICUBIC))
