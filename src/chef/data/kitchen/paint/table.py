"""Tables: wood, cloth, marble and slate, made once per size and shifted for every photo."""

from __future__ import annotations

from functools import cache

import numpy as np

from chef.data.kitchen.paint.textures import Field, axes, generator, noise, smoothstep
from chef.data.kitchen.world import RGB

TABLES: tuple[tuple[str, RGB, RGB], ...] = (
    ("wood", (172, 126, 82), (128, 86, 50)),
    ("wood", (118, 82, 56), (78, 50, 32)),
    ("wood", (208, 180, 146), (172, 140, 104)),
    ("wood", (226, 222, 214), (196, 190, 178)),
    ("cloth", (236, 230, 218), (216, 206, 190)),
    ("cloth", (118, 142, 158), (96, 118, 134)),
    ("check", (240, 236, 228), (188, 74, 70)),
    ("check", (238, 238, 232), (104, 134, 160)),
    ("stripe", (232, 226, 210), (150, 160, 140)),
    ("marble", (238, 237, 235), (168, 168, 172)),
    ("marble", (92, 104, 98), (150, 160, 154)),
    ("slate", (74, 78, 82), (58, 62, 66)),
    ("slate", (196, 184, 168), (180, 168, 152)),
)


@cache
def table(number: int, size: int) -> Field:
    """The colour of table `number`, (size, size, 3)."""
    kind, light, dark = TABLES[number % len(TABLES)]
    share = {
        "wood": _wood,
        "cloth": _cloth,
        "check": _check,
        "stripe": _stripe,
        "marble": _marble,
        "slate": _slate,
    }
    mix = np.clip(share[kind](size, number), 0, 1)[..., None]
    first, second = np.array(light, np.float32), np.array(dark, np.float32)
    return np.asarray(first + (second - first) * mix, dtype=np.float32)


def wood_grain(size: int, number: int, planks: int) -> Field:
    """Share of the dark colour in wood: long fibres, and a dark line between planks."""
    xs, ys = axes(size)
    warp = noise(size, 1.6, f"wood{number}")
    fibres = np.sin(ys * 38 + warp * 5 + np.sin(xs * 2 + number) * 1.2)
    streaks = noise(size, 0.9, f"streak{number}")
    # Stretching the noise along the plank makes streaks of it.
    streaks = np.repeat(streaks[:, :: max(1, size // 24)], size // 24 + 1, axis=1)[:, :size]
    plank = np.floor((ys + 1) * planks / 2)
    shade = generator("plank", number).random(planks + 1).astype(np.float32)
    out = 0.38 + 0.16 * fibres + 0.28 * streaks + 0.3 * (shade[plank.astype(int).clip(0, planks)] - 0.5)
    gap = np.abs((ys + 1) * planks / 2 - np.round((ys + 1) * planks / 2)) * 2 / planks
    return np.asarray(out + 0.9 * smoothstep(0.012, 0.002, gap), np.float32)


def _wood(size: int, number: int) -> Field:
    return wood_grain(size, number, 5)


def _weave(size: int) -> Field:
    xs, ys = axes(size)
    return 0.25 + 0.16 * np.sin(xs * 260) * np.sin(ys * 260) + 0.25 * noise(size, 1.3, "cloth")


def _cloth(size: int, number: int) -> Field:
    return _weave(size)


def _check(size: int, number: int) -> Field:
    xs, ys = axes(size)
    across = (np.sin(xs * 15) > 0) * 0.42
    down = (np.sin(ys * 15) > 0) * 0.42
    return np.asarray(across + down + 0.25 * (_weave(size) - 0.25), np.float32)


def _stripe(size: int, number: int) -> Field:
    xs, _ = axes(size)
    return smoothstep(0.82, 0.9, np.sin(xs * 22)) * 0.8 + 0.4 * (_weave(size) - 0.2)


def _marble(size: int, number: int) -> Field:
    veins = np.exp(-np.abs(noise(size, 1.7, f"marble{number}")) * 26)
    strength = 0.5 + 0.5 * noise(size, 1.5, f"veins{number}")
    return np.asarray(0.85 * veins * strength + 0.18 * noise(size, 1.6, "cloud"), np.float32)


def _slate(size: int, number: int) -> Field:
    return 0.4 + 0.5 * noise(size, 1.1, f"slate{number}")
