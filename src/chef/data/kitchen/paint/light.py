"""Lighting: from heights and materials to a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from chef.data.kitchen.paint.canvas import TABLE, VESSEL, Canvas
from chef.data.kitchen.paint.textures import Field, axes, blurred, noise, rolled

_BROWN = np.array((112, 60, 22), np.float32)


@dataclass(frozen=True, slots=True)
class Light:
    """Where the light comes from and how the camera sees it; one per photo."""

    angle: float  # on the table, in radians
    warmth: float  # -1 cool .. 1 warm
    exposure: float

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Light:
        return cls(float(rng.uniform(3.3, 5.2)), float(rng.uniform(-0.6, 1.0)), float(rng.uniform(0.95, 1.1)))


def shade(canvas: Canvas, light: Light) -> Image.Image:
    """The lit picture, as large as the canvas."""
    colour, grain, gloss = _albedo(canvas)
    brightness, shine = _brightness(canvas, light, gloss)
    brightness *= grain
    colour *= brightness[..., None]
    colour += (shine * np.float32(255))[..., None]
    np.clip(colour, 0, _FILM - 1, out=colour)
    levels = colour.astype(np.uint16)
    out = np.empty(levels.shape, np.uint8)
    for channel, gain in enumerate((1 + 0.035 * light.warmth, 1.0, 1 - 0.06 * light.warmth)):
        np.take(_film(light.exposure * gain), levels[..., channel], out=out[..., channel])
    return Image.fromarray(out)


_FILM = 640


def _film(gain: float) -> NDArray[np.uint8]:
    """Brightness to pixel value: a soft shoulder keeps white plates from burning out."""
    value = np.arange(_FILM) * gain
    return np.asarray(np.clip(value / (1 + np.maximum(value - 200, 0) / 420), 0, 255), np.uint8)


def _albedo(canvas: Canvas) -> tuple[Field, Field, Field]:
    """Colour (size, size, 3), fine grain and gloss (size, size) before light."""
    palette = np.array(canvas.palette, np.float32)
    ids = canvas.piece
    colour: Field = np.take(np.ascontiguousarray(palette[:, 3:6] - palette[:, 0:3]), ids, axis=0)
    colour *= canvas.mix[..., None]
    colour += np.take(np.ascontiguousarray(palette[:, 0:3]), ids, axis=0)
    grain = rolled(noise(canvas.size, 0.4), canvas.rng)
    clouds = rolled(noise(canvas.size, 1.5), canvas.rng)
    fine = 1 + np.take(palette[:, 9], ids) * np.float32(0.6) * (grain + clouds)
    dark = np.take(palette[:, 7], ids) * np.clip(0.35 + 0.9 * clouds, 0, 1)
    if palette[:, 8].any():
        dark += np.take(palette[:, 8], ids) * _stripes(canvas)
    if dark.any():
        colour += (_BROWN * 0.62 - colour) * np.minimum(dark, 0.85)[..., None]
    if canvas.wood is not None:
        np.copyto(colour, canvas.wood, where=(ids == VESSEL)[..., None])
    if canvas.table is not None:
        np.copyto(colour, canvas.table, where=(ids == TABLE)[..., None])
    return colour, fine, np.take(palette[:, 6], ids)


def _stripes(canvas: Canvas) -> Field:
    """Grill marks: dark parallel lines, broken up a little."""
    xs, ys = axes(canvas.size)
    angle = canvas.rng.uniform(0.3, 1.2)
    wave = np.sin((xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle))) * np.float32(58))
    return np.clip((wave - 0.35) * 2.2, 0, 1) * np.float32(0.9)


def _brightness(canvas: Canvas, light: Light, gloss: Field) -> tuple[Field, Field]:
    """How bright each pixel is, and how much it shines."""
    height = canvas.height * np.float32(canvas.scale)
    gx = np.zeros_like(height)
    gy = np.zeros_like(height)
    gx[:, 1:-1] = (height[:, 2:] - height[:, :-2]) * np.float32(0.42)
    gy[1:-1] = (height[2:] - height[:-2]) * np.float32(0.42)
    np.clip(gx, -2.2, 2.2, out=gx)
    np.clip(gy, -2.2, 2.2, out=gy)
    lx, ly, lz = 0.62 * np.cos(light.angle), 0.62 * np.sin(light.angle), 0.78
    length = np.sqrt(1 + gx * gx + gy * gy)
    facing = (np.float32(lz) - gx * np.float32(lx) - gy * np.float32(ly)) / length
    # The half vector between light and a camera straight above.
    hx, hy, hz = np.array((lx, ly, lz + 1)) / np.linalg.norm((lx, ly, lz + 1))
    half = (np.float32(hz) - gx * np.float32(hx) - gy * np.float32(hy)) / length
    shine = gloss * np.clip(half, 0, 1) ** 40 * np.float32(0.55)
    dim = _shadow(canvas.height, lx, ly)
    brightness = (np.float32(0.42) + np.float32(0.75) * np.clip(facing, 0, 1)) * dim
    return brightness, shine * dim


def _shadow(height: Field, lx: float, ly: float) -> Field:
    """Cast shadows and the darkness in gaps, worked out coarsely because both are soft."""
    size = height.shape[0]
    small_size = size // 4
    small = np.asarray(Image.fromarray(height).resize((small_size, small_size), Image.Resampling.BOX))
    cast = np.zeros_like(small)
    reach = small_size / 128
    for step in range(1, 8):
        dx, dy = round(lx * step * 1.6 * reach), round(ly * step * 1.6 * reach)
        moved = np.roll(small, (-dy, -dx), axis=(0, 1))
        np.maximum(cast, moved - small - np.float32(0.021 * step), out=cast)
    gaps = np.clip(blurred(small, 8) - small, 0, 0.12)
    dim = 1 - 0.42 * blurred(np.clip(cast / 0.05, 0, 1), 3) - 1.8 * gaps
    soft = Image.fromarray(dim.astype(np.float32)).resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(np.clip(np.asarray(soft), 0.3, 1.05), np.float32)
