"""Cuts of fruit, berries and tomatoes."""

from __future__ import annotations

import numpy as np

from chef.data.kitchen.paint.shapes import Grid, bumps, cut, dome, rim, slab
from chef.data.kitchen.paint.textures import Field, smoothstep

Made = tuple[Field, Field]


@cut("wheel", 0.105, 0.026)
def wheel(g: Grid) -> Made:
    r = g.oval(0.98)
    spokes = np.abs(np.sin(g.angle * 4.5)) * r
    flesh = (r < 0.78) & (spokes > 0.09)
    return slab(r, 0.12) - 0.1 * ((r < 0.8) & ~flesh), np.where(r > 0.9, 0.0, np.where(flesh, 0.15, 1.0))


@cut("crescent", 0.11, 0.05)
def crescent(g: Grid) -> Made:
    outer = np.sqrt(g.u**2 + (g.v + 0.25) ** 2)
    r = np.maximum(outer / 0.95, (0.62 - np.sqrt(g.u**2 + (g.v + 0.62) ** 2)) / 0.35 + 1)
    return slab(r, 0.35), rim(outer, 0.84)


@cut("apple", 0.115, 0.045)
def apple(g: Grid) -> Made:
    outer = np.sqrt(g.u**2 + (g.v + 0.42) ** 2) / 1.0
    r = np.maximum(outer, 1 - (g.v + 0.42) / 0.2)
    core = np.exp(-((g.u / 0.22) ** 2) - ((g.v + 0.3) / 0.1) ** 2)
    return slab(r, 0.18) - 0.25 * core * (r < 1), rim(outer, 0.87)


@cut("wedge_red", 0.1, 0.06)
def tomato_wedge(g: Grid) -> Made:
    outer = np.sqrt(g.u**2 + (g.v + 0.42) ** 2)
    r = np.maximum(outer, 1 - (g.v + 0.42) / 0.24)
    pulp = np.exp(-((np.abs(g.u) - 0.36) ** 2) / 0.04 - (g.v - 0.0) ** 2 / 0.05)
    return slab(r, 0.4) - 0.15 * pulp * (r < 1), 0.95 * pulp + 0.2 * smoothstep(0.9, 0.5, outer)


@cut("halfball", 0.058, 0.045)
def half_ball(g: Grid) -> Made:
    r = g.oval(0.93, 2.0, 0.03)
    seeds = np.clip(np.cos(g.angle * 3) * 1.8 - 0.3, 0, 1) * smoothstep(0.25, 0.1, np.abs(r - 0.45))
    return slab(r, 0.3), 0.75 * seeds + 0.18 * (r < 0.8)


@cut("berry", 0.046, 0.045)
def berry(g: Grid) -> Made:
    r = g.oval(0.97)
    crown = smoothstep(0.3, 0.2, np.sqrt((g.u - 0.25) ** 2 + (g.v - 0.2) ** 2))
    return dome(r) - 0.12 * crown * (r < 1), 0.35 * smoothstep(0.6, 1.0, r) - 0.1 * crown + 0.2


@cut("berry_small", 0.024, 0.02)
def berry_small(g: Grid) -> Made:
    return dome(g.oval(0.8)), 0.6 * smoothstep(0.5, 0.0, g.r)


@cut("strawberry", 0.075, 0.05)
def strawberry(g: Grid) -> Made:
    width = 0.72 * np.sqrt(np.clip(1 - ((g.u + 0.15) / 0.95) ** 2, 0.001, 1)) * (1 - 0.42 * g.u)
    r = np.maximum(np.abs(g.v) / width, np.abs(g.u + 0.1) / 0.9)
    core = np.exp(-((g.u + 0.2) ** 2) / 0.14 - g.v**2 / 0.02)
    seeds = np.clip(np.sin(g.u * 20) * np.sin(g.v * 20) * 4 - 2.8, 0, 1) * (r > 0.5)
    return slab(r, 0.5), np.maximum(core, 0.7 * seeds)


@cut("raspberry", 0.05, 0.06)
def raspberry(g: Grid) -> Made:
    drupes = bumps(g, 22, 0.74, 0.24)
    return drupes, 0.5 * smoothstep(0.5, 1.0, drupes)


@cut("kiwi", 0.09, 0.026)
def kiwi(g: Grid) -> Made:
    r = g.oval(0.93)
    seeds = smoothstep(0.55, 0.9, np.cos(g.angle * 15)) * smoothstep(0.1, 0.04, np.abs(r - 0.4))
    rays = 0.25 + 0.25 * np.sin(g.angle * 22)
    return slab(r, 0.14) - 0.05 * seeds, np.where(r < 0.24, 1.0, rays * (r < 0.85)) - 1.6 * seeds


@cut("fig", 0.07, 0.04)
def fig(g: Grid) -> Made:
    r = g.oval(0.92, 2.0, 0.05)
    return slab(r, 0.25), rim(r, 0.84) + 0.35 * np.clip(np.sin(g.u * 26) * np.sin(g.v * 26), 0, 1)


@cut("pineapple", 0.085, 0.05)
def pineapple(g: Grid) -> Made:
    r = np.maximum(g.r, 1 - (g.u + 0.55) / 0.3)
    r = np.maximum(r, np.abs(g.v) / (0.35 + 0.45 * (g.u + 0.5)).clip(0.1, 2))
    return slab(r, 0.25), 0.5 + 0.5 * np.sin(g.v * 16) * (r < 0.9)


@cut("raisin", 0.028, 0.022)
def raisin(g: Grid) -> Made:
    r = g.oval(0.68, 2.0, 0.15)
    return dome(r) * (0.85 + 0.15 * np.sin(g.u * 13)), 0.4 + 0.4 * np.sin(g.u * 13)
