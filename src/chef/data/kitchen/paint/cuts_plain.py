"""Cuts of meat, fish, vegetables and doughs: blocks, slices, rods and rings."""

from __future__ import annotations

import numpy as np

from chef.data.kitchen.paint.shapes import OUTSIDE, Grid, cut, dome, rim, slab
from chef.data.kitchen.paint.textures import Field, smoothstep

Made = tuple[Field, Field]


@cut("chunk", 0.105, 0.075)
def chunk(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.68, 0.9), 2.7, 0.16)
    fibre = np.sin(g.u * 11 + np.sin(g.v * 4) * 1.5)
    return slab(r, 0.55) + 0.05 * fibre * (r < 0.9), 0.35 + 0.35 * fibre * (r < 0.85) - 0.35 * rim(r, 0.6)


@cut("cube", 0.085, 0.075)
def cube(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.8, 1.0), 6.0, 0.05)
    tilt = 1 + 0.16 * g.u * g.rng.choice((-1, 1)) + 0.12 * g.v
    return np.where(r < 1, slab(r, 0.24) * tilt, OUTSIDE), 0.5 * smoothstep(0.9, 0.2, r) + 0.2 * np.sin(
        g.u * 7
    )


@cut("fillet", 0.19, 0.055)
def fillet(g: Grid) -> Made:
    taper = 0.47 + 0.09 * g.u
    r = (np.abs(g.u) ** 2.8 + np.abs(g.v / taper) ** 2.4) ** (1 / 2.6) / g.wobble(0.05)
    flakes = np.clip(np.sin((g.u + np.abs(g.v) * 0.8) * 21) * 2 - 1.1, 0, 1)
    return slab(r, 0.6) - 0.06 * flakes * (r < 0.8), 0.75 * flakes * (r < 0.92) + 0.25 * rim(r, 0.8)


@cut("steak", 0.17, 0.05)
def steak(g: Grid) -> Made:
    """A steak with a line of fat along one side."""
    r = g.oval(0.62, 2.5, 0.12)
    return slab(r, 0.35), rim(r, 0.84) * (g.v > 0.05) + 0.1 * np.sin(g.u * 13 + np.sin(g.v * 7) * 2)


@cut("breast", 0.18, 0.07)
def breast(g: Grid) -> Made:
    """A whole fillet of chicken: broad at one end, pointed at the other."""
    width = (0.52 + 0.2 * g.u) * np.sqrt(np.clip(1 - g.u**2, 0.001, 1)) * 1.15
    r = np.maximum(np.abs(g.v + 0.06 * np.sin(g.u * 3)) / width, np.abs(g.u))
    fibre = np.sin(g.u * 9 + g.v * 5)
    return slab(r, 0.75) + 0.02 * fibre * (r < 0.9), 0.4 + 0.25 * fibre - 0.4 * rim(r, 0.7)


@cut("slab", 0.15, 0.055)
def layered_slab(g: Grid) -> Made:
    r = g.oval(0.5, 5.0, 0.05)
    return slab(r, 0.3), 0.5 + 0.5 * np.sin(g.v * 15 + np.sin(g.u * 3)) - 0.6 * rim(r)


@cut("medallion", 0.105, 0.05)
def medallion(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.88, 1.0), 2.2, 0.06)
    return slab(r, 0.3), smoothstep(0.95, 0.3, r) * 0.7 + 0.15 * np.sin(g.u * 9)


@cut("chop", 0.2, 0.055)
def chop(g: Grid) -> Made:
    body = np.sqrt((g.u + 0.22) ** 2 / 0.56 + (g.v + 0.12 * g.u) ** 2 / 0.36) / g.wobble(0.08)
    bone = np.maximum(np.abs(g.u - 0.62) / 0.36, np.abs(g.v - 0.05) / 0.13)
    r = np.minimum(body, bone)
    return slab(r, 0.35), np.maximum(rim(body, 0.84) * (g.v > -0.1), (bone < body) * 1.0)


@cut("drumstick", 0.17, 0.08)
def drumstick(g: Grid) -> Made:
    meat = np.sqrt((g.u + 0.3) ** 2 / 0.46 + g.v**2 / (0.26 - 0.13 * g.u).clip(0.05, 1)) / g.wobble(0.04)
    bone = np.maximum(np.abs(g.u - 0.6) / 0.36, np.abs(g.v) / 0.1)
    knob = np.sqrt((g.u - 0.9) ** 2 + (np.abs(g.v) - 0.08) ** 2) / 0.13
    stick = np.minimum(bone, knob)
    return np.maximum(dome(meat), dome(stick) * 0.45), (stick < 1) * (meat > 1) * 1.0


@cut("mince", 0.032, 0.028)
def mince(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.6, 0.95), 2.0, 0.35)
    return dome(r), 0.6 * g.rng.random() + 0.3 * dome(r).clip(0, 1)


@cut("patty", 0.16, 0.06)
def patty(g: Grid) -> Made:
    r = g.oval(0.97, 2.1, 0.06)
    crumbs = np.sin(g.u * 23 + np.sin(g.v * 17) * 2) * np.sin(g.v * 21)
    return slab(r, 0.35) + 0.05 * crumbs * (r < 0.9), 0.4 + 0.4 * crumbs


@cut("shredded", 0.13, 0.045)
def shredded(g: Grid) -> Made:
    r = g.oval(0.34, 2.2, 0.22)
    fibre = np.sin(g.v * 34 + np.sin(g.u * 5) * 2)
    return slab(r, 0.5) + 0.14 * fibre * (r < 0.9), 0.5 + 0.5 * fibre


@cut("strip", 0.115, 0.035)
def strip(g: Grid) -> Made:
    v = g.v + 0.12 * np.sin(g.u * 5)
    r = np.maximum(np.abs(g.u), np.abs(v) / 0.22)
    return np.where(r < 1, slab(r, 0.3) * (0.75 + 0.25 * np.sin(g.u * 7)), OUTSIDE), smoothstep(
        0.2, 0.9, np.sin(v * 30)
    )


@cut("ribbon", 0.13, 0.05)
def ribbon(g: Grid) -> Made:
    v = g.v + 0.14 * np.sin(g.u * 4)
    r = np.maximum(np.abs(g.u), np.abs(v) / 0.36) / g.wobble(0.06)
    fold = 0.55 + 0.45 * np.sin(v * 13 + g.u * 3)
    return np.where(r < 1, slab(r, 0.25) * fold, OUTSIDE), 0.7 * smoothstep(
        0.6, 1.0, np.sin(g.u * 16 + v * 3)
    )


@cut("flake", 0.055, 0.018)
def flake(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.45, 0.8), 3.0, 0.3)
    return slab(r, 0.5), 0.5 + 0.5 * np.sin(g.u * 8)


@cut("shard", 0.05, 0.024)
def shard(g: Grid) -> Made:
    r = np.maximum(np.abs(np.sqrt((g.u + 1.2) ** 2 + g.v**2) - 1.3) / 0.3, np.abs(g.v) / 0.75)
    return slab(r, 0.5), smoothstep(0.3, 1.0, np.abs(r))


@cut("round", 0.085, 0.026)
def round_slice(g: Grid) -> Made:
    r = g.oval(0.97, 2.0, 0.03)
    return slab(r, 0.16), rim(r, 0.82)


@cut("coin", 0.066, 0.03)
def coin(g: Grid) -> Made:
    r = g.oval(0.96, 2.0, 0.04)
    spokes = 0.5 + 0.5 * np.sin(g.angle * 9)
    return slab(r, 0.22), smoothstep(0.5, 0.35, r) * 0.9 + 0.2 * spokes * (r < 0.8)


@cut("cucumber", 0.085, 0.026)
def cucumber(g: Grid) -> Made:
    r = g.oval(0.98, 2.0, 0.02)
    seeds = smoothstep(0.75, 1.0, np.cos(g.angle * 9)) * smoothstep(0.16, 0.05, np.abs(r - 0.38))
    return slab(r, 0.14) - 0.12 * seeds, rim(r, 0.83) + 0.22 * seeds


@cut("aubergine", 0.12, 0.035)
def aubergine(g: Grid) -> Made:
    r = g.oval(0.9, 2.0, 0.05)
    seeds = np.clip(np.sin(g.u * 19) * np.sin(g.v * 19) - 0.5, 0, 1)
    return slab(r, 0.2), rim(r, 0.86) + 0.18 * seeds


@cut("ring", 0.062, 0.022)
def ring(g: Grid) -> Made:
    r = g.oval(0.92, 2.0, 0.05)
    band = np.abs(r - 0.78) / 0.2
    return dome(band), smoothstep(0.82, 0.66, r)


@cut("olive", 0.04, 0.03)
def olive(g: Grid) -> Made:
    r = g.oval(0.9)
    band = np.abs(r - 0.66) / 0.34
    return dome(band), smoothstep(0.5, 0.36, r)


@cut("arc", 0.06, 0.032)
def arc(g: Grid) -> Made:
    band = np.abs(np.sqrt(g.u**2 + (g.v + 0.35) ** 2) - 0.85) / 0.2
    return np.where(g.v > -0.35, dome(band), OUTSIDE), smoothstep(0.2, 0.9, band)


@cut("pepper", 0.1, 0.04)
def pepper(g: Grid) -> Made:
    band = np.maximum(np.abs(np.sqrt(g.u**2 + (g.v + 0.75) ** 2) - 1.02) / 0.23, np.abs(g.u) / 0.92)
    return dome(band), smoothstep(0.35, 1.0, band) * (np.sqrt(g.u**2 + (g.v + 0.75) ** 2) < 0.95)


@cut("stick", 0.135, 0.026)
def stick(g: Grid) -> Made:
    bend = g.v + g.rng.uniform(-0.16, 0.16) * (g.u**2 - 0.3)
    r = np.maximum(np.abs(g.u) ** 6, (bend / 0.095) ** 2) ** 0.5
    return dome(r), smoothstep(0.6, 0.0, np.abs(bend) / 0.095) * 0.6


@cut("spear", 0.17, 0.034)
def spear(g: Grid) -> Made:
    width = 0.085 + 0.035 * smoothstep(0.3, 0.6, g.u) - 0.1 * smoothstep(0.7, 1.0, g.u)
    r = np.maximum(np.abs(g.u) ** 8, (g.v / width) ** 2) ** 0.5
    scales = (g.u > 0.35) * (0.5 + 0.5 * np.sin(g.u * 26 + np.abs(g.v) * 40))
    return dome(r) + 0.1 * scales * (r < 0.8), smoothstep(0.2, -0.9, g.u) * 0.9 + 0.3 * scales


@cut("pod", 0.1, 0.026)
def pod(g: Grid) -> Made:
    width = 0.26 * np.sqrt(np.clip(1 - g.u**2, 0.001, 1))
    r = np.abs(g.v) / width
    bumps = np.clip(np.sin(g.u * 11) * 1.6 - 0.4, 0, 1) * (r < 0.7)
    return np.where(np.abs(g.u) < 0.99, slab(r, 0.5) + 0.35 * bumps, OUTSIDE), 0.5 * bumps + 0.4 * rim(r, 0.8)


@cut("tube", 0.09, 0.04)
def tube(g: Grid) -> Made:
    slant = g.u + 0.25 * g.v
    r = np.maximum(np.abs(slant) ** 10, (g.v / 0.26) ** 2) ** 0.5
    hole = (slant > 0.78) * (np.abs(g.v) < 0.16)
    return dome(r) - 0.4 * hole * (r < 1), 0.4 + 0.35 * np.sin(g.v * 42) - 0.6 * hole


@cut("spiral", 0.095, 0.045)
def spiral(g: Grid) -> Made:
    r = np.maximum(np.abs(g.u) ** 8, (g.v / (0.25 + 0.05 * np.sin(g.u * 16))) ** 2) ** 0.5
    twist = np.sin(g.u * 16 + g.v * 9)
    return dome(r) * (0.75 + 0.25 * twist), 0.5 + 0.5 * twist


@cut("elbow", 0.072, 0.04)
def elbow(g: Grid) -> Made:
    band = np.abs(np.sqrt(g.u**2 + (g.v + 0.3) ** 2) - 0.78) / 0.24
    return np.where(g.v > -0.32, dome(band), OUTSIDE), smoothstep(0.7, 0.1, band) * 0.7


@cut("gnocco", 0.065, 0.05)
def gnocco(g: Grid) -> Made:
    r = g.oval(0.68, 2.2, 0.04)
    ridges = np.sin(g.u * 15)
    return dome(r) + 0.05 * ridges * (r < 0.9), 0.5 + 0.4 * ridges


@cut("square", 0.16, 0.012)
def square(g: Grid) -> Made:
    r = np.maximum(np.abs(g.u), np.abs(g.v)) / 0.95
    return slab(r, 0.12), 0.4 * rim(r, 0.7)


@cut("stroke", 0.3, 0.022)
def stroke(g: Grid) -> Made:
    """A loose strand of pasta."""
    bend = g.rng.uniform(0.5, 1.4)
    band = np.abs(np.sqrt(g.u**2 + (g.v + bend) ** 2) - bend - 0.15) / 0.042
    return np.where(g.r < 0.98, dome(band), OUTSIDE), smoothstep(0.7, 0.0, band)


@cut("stroke_flat", 0.3, 0.02)
def stroke_flat(g: Grid) -> Made:
    bend = g.rng.uniform(0.5, 1.4)
    band = np.abs(np.sqrt(g.u**2 + (g.v + bend) ** 2) - bend - 0.15) / 0.085
    return np.where(g.r < 0.98, slab(band, 0.35), OUTSIDE), smoothstep(0.2, 1.0, band)
