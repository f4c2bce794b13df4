"""Plates, bowls, pans, trays, boards: what the food lies on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from chef.data.kitchen.paint.canvas import VESSEL, Canvas, Material
from chef.data.kitchen.paint.table import wood_grain
from chef.data.kitchen.paint.textures import Field, axes, smoothstep
from chef.data.kitchen.world import RGB

_GLAZES: tuple[RGB, ...] = (
    (244, 242, 238),
    (244, 242, 238),
    (240, 232, 216),
    (206, 220, 226),
    (196, 208, 190),
    (70, 86, 104),
    (84, 82, 80),
    (196, 130, 98),
    (226, 206, 204),
)


@dataclass(frozen=True, slots=True)
class Room:
    """Where food may lie: an ellipse or a rectangle around the middle, on a floor."""

    x: float
    y: float
    floor: float
    level: float  # how high a liquid stands
    square: bool = False


def lay(canvas: Canvas, vessel: str) -> Room:
    """Put a vessel on the table and say where its room for food is."""
    glaze = _GLAZES[int(canvas.rng.integers(len(_GLAZES)))]
    return _VESSELS[vessel](canvas, glaze)


def _round(canvas: Canvas, profile: tuple[tuple[float, float], ...], material: Material) -> None:
    """A turned vessel from its profile: (radius, height) from the middle outwards."""
    height = _turned(profile, canvas.size)
    canvas.replace(VESSEL, material)
    wins = height > canvas.height
    np.copyto(canvas.height, height, where=wins)
    np.copyto(canvas.piece, np.uint16(VESSEL), where=wins)


@cache
def _turned(profile: tuple[tuple[float, float], ...], size: int) -> Field:
    xs, ys = axes(size)
    r = np.sqrt(xs * xs + ys * ys)
    radii, heights = zip(*profile, strict=True)
    height: Field = np.asarray(np.interp(r, radii, heights), np.float32)
    height[r > radii[-1]] = -1
    return height


def _china(colour: RGB, gloss: float = 0.55) -> Material:
    r, g, b = colour
    return Material((r, g, b), (r, g, b), gloss=gloss, rough=0.02)


def _plate(canvas: Canvas, glaze: RGB) -> Room:
    profile = (
        (0.0, 0.03),
        (0.63, 0.03),
        (0.69, 0.06),
        (0.83, 0.085),
        (0.85, 0.09),
        (0.865, 0.08),
        (0.88, 0.04),
    )
    _round(canvas, profile, _china(glaze))
    if canvas.rng.random() < 0.3:  # a painted line near the edge
        line = smoothstep(0.012, 0.004, np.abs(canvas.radius() - np.float32(0.8)))
        canvas.palette[VESSEL] = (*glaze, *(c * 0.55 for c in glaze[::-1]), 0.55, 0.0, 0.0, 0.02)
        np.copyto(canvas.mix, line, where=canvas.piece == VESSEL)
    return Room(0.62, 0.62, 0.03, 0.05)


def _stand(canvas: Canvas, glaze: RGB) -> Room:
    _round(canvas, ((0.0, 0.16), (0.76, 0.16), (0.79, 0.19), (0.81, 0.17), (0.82, 0.08)), _china(glaze))
    return Room(0.56, 0.56, 0.16, 0.18)


def _bowl(canvas: Canvas, glaze: RGB) -> Room:
    profile = (
        (0.0, 0.04), (0.45, 0.05), (0.62, 0.1), (0.76, 0.21), (0.815, 0.26), (0.84, 0.265),
        (0.855, 0.24), (0.87, 0.1),
    )  # fmt: skip
    _round(canvas, profile, _china(glaze))
    return Room(0.63, 0.63, 0.09, 0.16)


def _pie_dish(canvas: Canvas, glaze: RGB) -> Room:
    profile = ((0.0, 0.05), (0.72, 0.06), (0.77, 0.15), (0.83, 0.17), (0.85, 0.165), (0.86, 0.06))
    _round(canvas, profile, _china(glaze))
    return Room(0.66, 0.66, 0.06, 0.12)


def _pan(canvas: Canvas, glaze: RGB) -> Room:
    metal = Material((46, 46, 48), (46, 46, 48), gloss=0.4, rough=0.06)
    xs, ys = axes(canvas.size)
    along, across = xs * 0.78 + ys * 0.62, ys * 0.78 - xs * 0.62
    handle = np.where((np.abs(across) < 0.065) & (along > 0.79), 0.14, -1).astype(np.float32)
    canvas.pour(handle, metal)
    _round(canvas, ((0.0, 0.04), (0.7, 0.04), (0.76, 0.15), (0.79, 0.165), (0.81, 0.15), (0.82, 0.05)), metal)
    return Room(0.65, 0.65, 0.04, 0.1)


def _glass(canvas: Canvas, glaze: RGB) -> Room:
    profile = ((0.0, 0.3), (0.36, 0.3), (0.385, 0.4), (0.41, 0.42), (0.43, 0.4), (0.44, 0.1))
    _round(canvas, profile, Material((222, 230, 230), (222, 230, 230), gloss=0.9, rough=0.01))
    return Room(0.37, 0.37, 0.3, 0.36)


@cache
def _boxed(x: float, y: float, profile: tuple[tuple[float, float], ...], size: int) -> Field:
    """Height over a rounded rectangle, from the distance to its edge (negative inside)."""
    xs, ys = axes(size)
    corner = 0.1
    dx = np.maximum(np.abs(xs) - (x - corner), 0)
    dy = np.maximum(np.abs(ys) - (y - corner), 0)
    away = np.sqrt(dx * dx + dy * dy) - np.float32(corner)
    distances, heights = zip(*profile, strict=True)
    height: Field = np.asarray(np.interp(away, distances, heights), np.float32)
    height[away > distances[-1]] = -1
    return height


def _rectangle(
    canvas: Canvas, x: float, y: float, profile: tuple[tuple[float, float], ...], made: Material
) -> None:
    """A vessel with a rectangular outline; the profile runs from inside to outside of its edge."""
    height = _boxed(x, y, profile, canvas.size)
    canvas.replace(VESSEL, made)
    wins = height > canvas.height
    np.copyto(canvas.height, height, where=wins)
    np.copyto(canvas.piece, np.uint16(VESSEL), where=wins)


def _tray(canvas: Canvas, glaze: RGB) -> Room:
    profile = ((-0.5, 0.04), (-0.1, 0.05), (-0.055, 0.15), (-0.03, 0.165), (-0.008, 0.16), (0.0, 0.05))
    _rectangle(canvas, 0.92, 0.74, profile, _china(glaze))
    return Room(0.8, 0.62, 0.05, 0.11, square=True)


def _board(canvas: Canvas, glaze: RGB) -> Room:
    made = Material((176, 128, 84), (176, 128, 84), gloss=0.12)
    _rectangle(canvas, 0.93, 0.76, ((-0.5, 0.06), (-0.02, 0.06), (0.0, 0.03)), made)
    light, dark = (
        ((186, 138, 92), (140, 94, 58)) if canvas.rng.random() < 0.6 else ((120, 80, 54), (82, 52, 34))
    )
    mix = np.clip(wood_grain(canvas.size, 50 + int(canvas.rng.integers(3)), 2), 0, 1)[..., None]
    first, second = np.array(light, np.float32), np.array(dark, np.float32)
    canvas.wood = first + (second - first) * mix
    return Room(0.7, 0.58, 0.06, 0.07)


_VESSELS = {
    "plate": _plate,
    "bowl": _bowl,
    "pan": _pan,
    "tray": _tray,
    "board": _board,
    "pie_dish": _pie_dish,
    "glass": _glass,
    "stand": _stand,
}
