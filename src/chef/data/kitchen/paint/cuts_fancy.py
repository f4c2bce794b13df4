"""Cuts with a shape of their own: leaves, florets, shellfish, seeds, spoonfuls."""

from __future__ import annotations

import numpy as np

from chef.data.kitchen.paint.shapes import OUTSIDE, Grid, bumps, cut, dome, rim, slab
from chef.data.kitchen.paint.textures import Field, smoothstep

Made = tuple[Field, Field]


@cut("floret", 0.11, 0.085)
def floret(g: Grid) -> Made:
    head = bumps(Grid(g.u - 0.22, g.v, g.rng), 26, 0.56, 0.2)
    stem = np.maximum(np.abs(g.u + 0.58) / 0.4, np.abs(g.v) / (0.17 - 0.08 * g.u))
    trunk = dome(stem) * 0.5
    grain = np.sin(g.u * 43) * np.sin(g.v * 41)
    return np.maximum(head, trunk) + 0.05 * grain * (head > 0), np.where(head > trunk, 0.25 * grain, 0.95)


@cut("sprout", 0.075, 0.06)
def sprout(g: Grid) -> Made:
    r = g.oval(0.92, 2.0, 0.04)
    leaves = np.clip(np.sin(r * 14 + np.abs(g.v) * 6 + g.u * 3), -1, 1)
    return dome(r) + 0.05 * leaves * (r < 0.9), 0.45 + 0.45 * leaves


@cut("leaf", 0.125, 0.03)
def leaf(g: Grid) -> Made:
    width = 0.52 * np.sqrt(np.clip(1 - g.u**2, 0.001, 1)) * (1 - 0.3 * g.u)
    r = np.abs(g.v) / (width * (1 + 0.06 * np.sin(g.u * 19)))
    veins = np.exp(-np.abs(g.v) * 40) + 0.5 * np.clip(np.sin((g.u - np.abs(g.v)) * 17) * 3 - 2, 0, 1)
    curl = 0.55 + 0.25 * np.sin(g.u * 3 + 1) + 0.3 * np.abs(g.v)
    return np.where((r < 1) & (np.abs(g.u) < 1), curl - 0.12 * veins, OUTSIDE), 0.8 * veins


@cut("leaf_small", 0.055, 0.022)
def leaf_small(g: Grid) -> Made:
    return leaf(g)


@cut("lobed", 0.11, 0.026)
def lobed(g: Grid) -> Made:
    width = 0.12 + 0.3 * np.abs(np.sin(g.u * 4.2 + 0.6)) * smoothstep(-1.0, 0.4, g.u)
    r = np.abs(g.v) / width
    veins = np.exp(-np.abs(g.v) * 30)
    return np.where(
        (r < 1) & (np.abs(g.u) < 0.98), 0.5 + 0.4 * np.sin(g.u * 4) * g.v - 0.1 * veins, OUTSIDE
    ), 0.7 * veins


@cut("frill", 0.15, 0.06)
def frill(g: Grid) -> Made:
    r = g.r / (0.82 * g.wobble(0.3, 9))
    ruffle = np.sin(g.angle * 13 + g.rng.uniform(0, 6)) * r
    vein = np.exp(-np.abs(g.v) * 16) * (g.u < 0.3)
    return np.where(r < 1, 0.35 + 0.4 * r * r + 0.3 * ruffle, OUTSIDE), 0.75 * vein + 0.5 * smoothstep(
        0.75, 0.1, r
    )


@cut("herb", 0.022, 0.012)
def herb(g: Grid) -> Made:
    r = g.r / (0.65 + 0.35 * np.cos(g.angle * 3))
    return np.where(r < 1, 0.6, OUTSIDE) + 0.3 * g.u * (r < 1), np.full_like(r, 0.4) + 0.4 * g.v


@cut("sprig", 0.06, 0.012)
def sprig(g: Grid) -> Made:
    spine = np.abs(g.v + 0.15 * np.sin(g.u * 3)) / 0.07
    needles = np.abs(np.sin((g.u - np.abs(g.v)) * 11)) / 0.45
    r = np.minimum(spine, np.where(np.abs(g.v) < 0.36 * (1 - np.abs(g.u)), needles, 9))
    return np.where(np.abs(g.u) < 0.96, dome(r), OUTSIDE), smoothstep(0.9, 0.1, spine)


@cut("shred", 0.07, 0.016)
def shred(g: Grid) -> Made:
    bend = g.v + g.rng.uniform(-0.35, 0.35) * (g.u**2 - 0.4)
    r = np.maximum(np.abs(g.u) ** 6, (bend / 0.13) ** 2) ** 0.5
    return dome(r), 0.9 * smoothstep(-0.4, 0.9, g.u * g.rng.choice((-1, 1)))


@cut("shred_small", 0.03, 0.01)
def shred_small(g: Grid) -> Made:
    return shred(g)


@cut("ball", 0.105, 0.1)
def ball(g: Grid) -> Made:
    r = g.oval(0.97, 2.0, 0.04)
    lumps = np.sin(g.u * 17 + 2 * np.sin(g.v * 9)) * np.sin(g.v * 15)
    return dome(r) + 0.035 * lumps * (r < 0.92), 0.35 + 0.35 * lumps


@cut("pea", 0.03, 0.028)
def pea(g: Grid) -> Made:
    return dome(g.oval(0.95)), 0.6 * smoothstep(0.8, 0.1, g.r)


@cut("kernel", 0.03, 0.024)
def kernel(g: Grid) -> Made:
    r = g.oval(0.75 + 0.0 * g.rng.random(), 3.0) / (1 - 0.18 * g.u)
    return slab(r, 0.6), smoothstep(0.2, -0.9, g.u)


@cut("bean", 0.045, 0.03)
def bean(g: Grid) -> Made:
    v = g.v - 0.28 * g.u**2 + 0.12
    r = np.sqrt(g.u**2 + (v / 0.52) ** 2)
    return dome(r), 0.5 * smoothstep(0.7, 0.1, r)


@cut("potato", 0.1, 0.065)
def potato(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.66, 0.85), 2.4, 0.08)
    return slab(r, 0.5), smoothstep(0.95, 0.55, r) * 0.9


@cut("mushroom", 0.085, 0.03)
def mushroom(g: Grid) -> Made:
    cap = np.maximum(np.sqrt(g.u**2 + ((g.v + 0.05) / 0.85) ** 2), (g.v - 0.12) / 0.25 + 0.5) / 0.92
    stem = np.maximum(np.abs(g.u) / (0.2 + 0.06 * g.v), np.abs(g.v - 0.42) / 0.5)
    r = np.minimum(cap, stem)
    gills = np.exp(-((g.v - 0.1) ** 2) / 0.006) * (np.abs(g.u) > 0.2) * (np.abs(g.u) < 0.75)
    return slab(r, 0.25), np.maximum(rim(cap, 0.86) * (g.v < 0.15), gills)


@cut("shrimp", 0.085, 0.05)
def shrimp(g: Grid) -> Made:
    theta = np.arctan2(g.v, g.u)
    band = np.abs(g.r - 0.64) / (0.34 - 0.1 * np.abs(theta) / 3)
    stripes = np.clip(np.sin(theta * 8) * 1.5, 0, 1)
    tail = theta > 2.2
    body = np.where((theta > -2.2) & (theta < 2.9), dome(band), OUTSIDE)
    return body + 0.06 * stripes * (band < 0.9), np.where(tail, -0.3, 0.85 * stripes)


@cut("mussel", 0.09, 0.05)
def mussel(g: Grid) -> Made:
    width = 0.5 * np.sqrt(np.clip(1 - g.u**2, 0.001, 1)) * (1 + 0.35 * g.u)
    r = np.maximum(np.abs(g.v) / width, np.abs(g.u))
    meat = np.sqrt(((g.u - 0.15) / 0.55) ** 2 + (g.v / 0.28) ** 2)
    return np.maximum(slab(r, 0.3) * 0.5, np.where(r < 1, dome(meat), OUTSIDE)), smoothstep(1.0, 0.8, meat)


@cut("egg", 0.14, 0.035)
def egg(g: Grid) -> Made:
    white = g.r / (0.86 * g.wobble(0.12))
    yolk = np.sqrt((g.u - 0.06) ** 2 + (g.v + 0.04) ** 2) / 0.4
    return np.maximum(
        slab(white, 0.4) * 0.45, np.where(yolk < 1, 0.45 + dome(yolk) * 0.8, OUTSIDE)
    ), smoothstep(1.02, 0.92, yolk)


@cut("nut", 0.042, 0.022)
def nut(g: Grid) -> Made:
    width = 0.5 * np.sqrt(np.clip(1 - g.u**2, 0.001, 1)) * (1 + 0.4 * g.u)
    r = np.abs(g.v) / width
    return np.where(np.abs(g.u) < 0.99, dome(r), OUTSIDE), 0.4 + 0.4 * np.sin(g.v * 22)


@cut("walnut", 0.055, 0.045)
def walnut(g: Grid) -> Made:
    r = g.oval(0.8, 2.2, 0.16)
    wrinkle = np.sin(g.u * 14 + 3 * np.sin(g.v * 8)) * (np.abs(g.v) > 0.08)
    return np.where(r < 1, dome(r) * 0.85 + 0.14 * wrinkle, OUTSIDE), 0.5 + 0.5 * wrinkle


@cut("chip", 0.036, 0.032)
def chip(g: Grid) -> Made:
    r = g.oval(0.9, 2.6, 0.06)
    return dome(r), 0.7 * smoothstep(0.6, 0.0, g.r)


@cut("seed", 0.017, 0.01)
def seed(g: Grid) -> Made:
    return dome(g.oval(0.55)), 0.5 * smoothstep(0.6, 0.0, g.r)


@cut("seed_small", 0.011, 0.008)
def seed_small(g: Grid) -> Made:
    return dome(g.oval(0.85)), 0.3 * g.u


@cut("flake_small", 0.016, 0.008)
def flake_small(g: Grid) -> Made:
    return slab(g.oval(0.7, 2.0, 0.3), 0.5), 0.5 + 0.5 * g.u


@cut("crumb", 0.02, 0.014)
def crumb(g: Grid) -> Made:
    return dome(g.oval(g.rng.uniform(0.6, 1), 2.0, 0.3)), np.full_like(g.u + g.v, g.rng.random())


@cut("crumble", 0.045, 0.04)
def crumble(g: Grid) -> Made:
    r = g.oval(g.rng.uniform(0.65, 0.95), 3.2, 0.22)
    return slab(r, 0.55), smoothstep(0.75, 1.0, np.sin(g.u * 9 + 2 * np.sin(g.v * 5)))


@cut("blob", 0.085, 0.025)
def melted(g: Grid) -> Made:
    r = g.r / (0.85 * g.wobble(0.22))
    return slab(r, 0.6), 0.5 * smoothstep(0.8, 0.1, r)


@cut("cream", 0.15, 0.07)
def dollop(g: Grid) -> Made:
    r = g.r / (0.88 * g.wobble(0.1))
    swirl = np.sin(r * 13 - g.angle * 1.0)
    return np.where(r < 1, dome(r) ** 0.7 + 0.06 * swirl * (r < 0.85), OUTSIDE), 0.5 + 0.4 * swirl


@cut("oat", 0.026, 0.012)
def oat(g: Grid) -> Made:
    r = g.oval(0.78, 2.0, 0.12)
    return slab(r, 0.5) - 0.3 * np.exp(-(g.v**2) / 0.01) * (r < 0.8), np.full_like(r, g.rng.random())


@cut("grain", 0.027, 0.011)
def grain(g: Grid) -> Made:
    return dome(g.oval(0.36)), np.full_like(g.u + g.v, g.rng.random())


@cut("grain_small", 0.015, 0.011)
def grain_small(g: Grid) -> Made:
    return dome(g.oval(0.9)), np.full_like(g.u + g.v, g.rng.random())
