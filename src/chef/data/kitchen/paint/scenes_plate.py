"""Scenes on plates and in bowls and trays: mixed, in sections, in a sauce, in a soup."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chef.data.kitchen.dish import Layer
from chef.data.kitchen.paint.canvas import Canvas, Material, lerp
from chef.data.kitchen.paint.compose import (
    crumbs,
    cut_of,
    dollops,
    drizzle,
    heap,
    melt,
    pool,
    put,
    scatter,
    spread_points,
    sprinkle,
)
from chef.data.kitchen.paint.cooking import Colour, blend, material
from chef.data.kitchen.paint.textures import noise, rolled, smoothstep
from chef.data.kitchen.paint.vessels import Room

Places = dict[str, list[Layer]]
_OIL: Colour = (206, 176, 96)
_LEAFY = frozenset(("leaf", "frill", "lobed", "shred"))


def liquid(colour: Colour, gloss: float = 0.8) -> Material:
    """A wet surface of a colour, with lighter clouds."""
    r, g, b = (min(255, c * 1.1 + 6) for c in colour)
    return Material(colour, (r, g, b), gloss=gloss, rough=0.025, jitter=0)


def finish(canvas: Canvas, places: Places, room: Room, reach: float = 0.75) -> None:
    """Glaze, garnish and spoonfuls, in the order a cook adds them."""
    for layer in places.get("glaze", [])[:1]:
        if layer.shape == "glaze":
            drizzle(canvas, replace(material(layer), gloss=0.8), room, 4, reach * 0.8)
    for layer in places.get("syrup", []):
        drizzle(canvas, replace(material(layer), gloss=1.0), room, 5, reach)
    sprinkle(canvas, places.get("top", []) + places.get("dust", []), room, reach)
    dollops(canvas, places.get("dollop", []), (0.05, 0.03), 0.9)


def mound(canvas: Canvas, places: Places, room: Room) -> None:
    """A bed of rice, pasta or leaves with everything else on and among it."""
    wet = places.get("sauce", [])
    tints = places.get("tint", [])
    sauce = blend(wet + tints, _OIL) if wet or tints else None
    coat = min(0.5, 0.12 + sum(layer.grams for layer in wet) / 900) if wet else 0.1 if tints else 0.0
    body = places.get("body", [])
    minced = [layer for layer in body if layer.shape in ("mince", "flake")]
    poured = any(layer.shape in ("liquid", "glaze", "cream") for layer in wet) and not minced
    if poured and sauce is not None:
        pool(canvas, liquid(sauce), room, reach=0.95, rise=0.025)
    bases = places.get("base", [])
    for layer in bases:
        leafy = layer.shape in _LEAFY
        reach = 0.98 if leafy else 0.93
        wetness = 0.0 if leafy or minced else coat  # a meat sauce lies on top, not in the pasta
        heap(canvas, layer, room, reach=reach, tall=0.07 if leafy else 0.13, sauce=sauce, coat=wetness)
    for layer in minced:
        heap(canvas, layer, _lifted(canvas, room), reach=0.66, tall=0.08, sauce=sauce, coat=coat)
    rest = [layer for layer in body if layer not in minced]
    scatter(
        canvas,
        rest,
        room,
        reach=0.8 if bases else 0.9,
        cover=1.0 if bases else 2.0,
        sauce=sauce,
        coat=coat * 0.6,
    )
    finish(canvas, places, room)


def _lifted(canvas: Canvas, room: Room) -> Room:
    """The same room, its floor on top of what lies in the middle."""
    return replace(room, floor=canvas.at(0, 0) - 0.02)


def soup(canvas: Canvas, places: Places, room: Room) -> None:
    """A bowl or a pan of liquid with pieces that stick out of it."""
    body = places.get("body", [])
    colour = blend(places.get("sauce", []) + places.get("tint", []), (222, 190, 130))
    thick = [layer for layer in body if layer.shape in ("mince", "flake")]
    surface = room.level + 0.006 * rolled(noise(canvas.size, 1.8), canvas.rng)
    limit = room.x * 1.28 if room.level > 0.12 else room.x * 1.14
    field = np.where(canvas.radius() < limit, surface, np.float32(-1)).astype(np.float32)
    oil = smoothstep(0.35, 0.5, rolled(noise(canvas.size, 0.9), canvas.rng))
    canvas.pour(field, liquid(colour), 0.8 * oil)
    level = replace(room, floor=room.level - 0.03)
    for layer in thick:
        heap(
            canvas,
            layer,
            replace(room, floor=room.level - 0.015),
            reach=1.05,
            tall=0.04,
            sauce=colour,
            coat=0.2,
        )
    for layer in places.get("base", []):
        heap(canvas, layer, level, reach=0.8, tall=0.05)
    chunky = [layer for layer in body if layer not in thick]
    scatter(canvas, chunky, room, reach=0.96, cover=1.45, sauce=colour, coat=0.16, z=room.level, sink=0.3)
    puree = [layer for layer in places.get("tint", []) if cut_of(layer)]
    for layer in puree[:1]:  # a blended soup shows a little of what it is made of
        for x, y in spread_points(canvas, 4, room, 0.35):
            put(canvas, cut_of(layer) or "crumb", x, y, material(layer), sink=0.25, larger=0.8)
    for layer in places.get("dollop", []):
        if layer.shape == "liquid":
            _swirl(canvas, layer, room)
        else:
            dollops(canvas, [layer], (0.08, -0.06))
    sprinkle(canvas, places.get("top", []), room, 0.7)


def _swirl(canvas: Canvas, layer: Layer, room: Room) -> None:
    """Cream poured in a spiral."""
    r = canvas.radius(0.04, 0.02)
    ys, xs = np.mgrid[-1 : 1 : canvas.size * 1j, -1 : 1 : canvas.size * 1j]
    angle = np.arctan2(ys, xs).astype(np.float32)
    turns = r / (room.x * 0.75) * 2.2 - angle / (2 * np.pi) + canvas.rng.random()
    line = np.abs(turns - np.round(turns))
    inside = (r < room.x * 0.7) & (line < 0.13)
    canvas.pour(
        np.where(inside, canvas.height + 0.006, -1).astype(np.float32), liquid(material(layer).colour, 0.6)
    )


def sections(canvas: Canvas, places: Places, room: Room) -> None:
    """Each food in its own part of the plate; the main pieces large and in front."""
    sides = places.get("side", []) + places.get("base", [])
    tints = places.get("tint", [])
    stew = places.get("body", [])
    if stew:
        _stewed(canvas, places, room, sides)
    else:
        _heroes(canvas, places, room, sides, tints)
    finish(canvas, {key: places.get(key, []) for key in ("glaze", "top", "syrup")}, room, 0.62)
    dollops(canvas, places.get("dollop", []), (0.27, 0.2), 1.0)


def _stewed(canvas: Canvas, places: Places, room: Room, sides: list[Layer]) -> None:
    """A curry beside its rice and bread."""
    turn = canvas.rng.uniform(0, 2 * np.pi)
    dx, dy = 0.5 * room.x * np.cos(turn), 0.5 * room.y * np.sin(turn)
    colour = lerp(blend(places.get("sauce", []) + places.get("tint", []), (196, 132, 60)), (166, 96, 34), 0.3)
    for k, layer in enumerate(sides):
        if layer.shape == "flatbread":
            flatbread(canvas, layer, -dx * 1.3, -dy * 1.3 - 0.1 * k, 0.3)
        else:
            heap(canvas, layer, room, reach=0.62, tall=0.12, at=(-dx * 0.85, -dy * 0.85))
    at, reach = ((dx * 0.7, dy * 0.7), 0.78) if sides else ((0.0, 0.0), 1.0)
    pool(canvas, liquid(colour), room, reach=reach, rise=0.05, at=at)
    scatter(canvas, places["body"], room, reach=reach * 0.8, at=at, cover=1.5, sauce=colour, coat=0.4)


def _heroes(canvas: Canvas, places: Places, room: Room, sides: list[Layer], tints: list[Layer]) -> None:
    """Large pieces in front, the sides in an arc behind them."""
    start = canvas.rng.uniform(0, 2 * np.pi)
    spice = blend(tints, (150, 96, 48)) if tints else None
    for k, layer in enumerate(sides):
        turn = start + 2.6 + 1.35 * (k - (len(sides) - 1) / 2)
        at = (0.58 * room.x * float(np.cos(turn)), 0.58 * room.y * float(np.sin(turn)))
        reach = 0.5 if len(sides) < 3 else 0.42
        heap(canvas, layer, room, reach=reach, tall=0.09, at=at)
    for layer in places.get("sauce", []):
        pool(canvas, liquid(material(layer).colour), room, reach=0.9, rise=0.015)
    back = 0.0 if not sides else 0.3
    middle = (back * room.x * float(np.cos(start - 0.5)), back * room.y * float(np.sin(start - 0.5)))
    for layer in places.get("hero", []):
        _fan(canvas, layer, middle, start, spice)


def _fan(
    canvas: Canvas, layer: Layer, middle: tuple[float, float], turn: float, spice: Colour | None
) -> None:
    """The main pieces in an overlapping row."""
    name = cut_of(layer) or "chunk"
    name = "breast" if name == "chunk" else name
    bulky = name in ("fillet", "chop", "drumstick", "slab", "steak", "breast")
    count = int(np.clip(layer.grams / (170 if bulky else 75), 3, 6 if bulky else 12))
    made = material(layer, spice, 0.15 if spice else 0.0)
    larger = 1.5 if bulky else 1.9
    for k in range(count):
        along = (k - (count - 1) / 2) * (0.19 if bulky else 0.1)
        wobble = canvas.rng.uniform(-0.05, 0.05) + (0 if bulky else 0.12 * (-1) ** k)
        x = middle[0] + along * float(np.cos(turn + 1.2)) - wobble * float(np.sin(turn + 1.2))
        y = middle[1] + along * float(np.sin(turn + 1.2)) + wobble * float(np.cos(turn + 1.2))
        put(canvas, name, x, y, made, larger=larger, flat=1.25, z=min(canvas.at(x, y), 0.16))


def flatbread(canvas: Canvas, layer: Layer, x: float, y: float, radius: float, flat: bool = False) -> None:
    """A tortilla, naan or pita: a thin disc with brown blisters."""
    away = canvas.radius(x, y) / np.float32(radius) + 0.05 * rolled(noise(canvas.size, 1.7), canvas.rng)
    base = 0.0 if flat else 0.02
    height = canvas.at(x, y) + base + 0.02 * np.sqrt(np.clip((1 - away) * 5, 0, 1))
    puff = rolled(noise(canvas.size, 1.35), canvas.rng)
    spots = smoothstep(0.35, 0.6, puff)
    field = np.where(away < 1, height + 0.008 * puff, np.float32(-1)).astype(np.float32)
    canvas.pour(field, replace(material(layer), brown=0.1, gloss=0.1), spots)


def bowl_sectors(canvas: Canvas, places: Places, room: Room) -> None:
    """A bowl whose foods lie side by side like slices of a pie."""
    base = places.get("base", [])
    for layer in base:
        if layer.shape == "cream" or layer.shape == "oat":
            _porridge(canvas, layer, room)
        else:
            heap(canvas, layer, replace(room, floor=room.level - 0.04), reach=1.12, tall=0.07)
    body = sorted(places.get("body", []), key=lambda layer: -layer.grams)
    total = sum(layer.grams for layer in body)
    turn = canvas.rng.uniform(0, 2 * np.pi)
    for layer in body:
        width = 2 * np.pi * (0.4 / len(body) + 0.6 * layer.grams / total)
        middle = turn + width / 2
        reach = 0.3 + 0.26 * width / np.pi
        at = (
            (0.95 - reach) * room.x * float(np.cos(middle)),
            (0.95 - reach) * room.y * float(np.sin(middle)),
        )
        bedroom = replace(room, floor=canvas.at(*at) - 0.02)
        heap(canvas, layer, bedroom, reach=reach, tall=0.05, at=at)
        turn += width
    finish(canvas, places, room, 0.7)


def _porridge(canvas: Canvas, layer: Layer, room: Room) -> None:
    made = replace(material(layer), gloss=0.45, jitter=0.01, rough=0.05)
    lumpy = 0.014
    waves = rolled(noise(canvas.size, 1.45 if layer.shape == "oat" else 1.8), canvas.rng)
    field = np.where(canvas.radius() < room.x * 1.3, room.level + lumpy * waves, np.float32(-1))
    canvas.pour(field.astype(np.float32), made, 0.5 + 0.5 * waves)


def tray(canvas: Canvas, places: Places, room: Room) -> None:
    """An oven dish: pieces in sauce under cheese or crumbs that leave gaps."""
    wet = places.get("sauce", [])
    tints = places.get("tint", [])
    colour = lerp(blend(wet + tints, (214, 168, 96)), (208, 136, 62), 0.3) if wet or tints else None
    if wet and colour is not None:
        pool(canvas, liquid(colour, 0.5), room, reach=1.05, rise=0.04)
    coat = 0.3 if wet else 0.12 if tints else 0.0
    for layer in places.get("base", []):
        heap(canvas, layer, room, reach=1.04, tall=0.07, sauce=colour, coat=coat)
    body = places.get("body", [])
    for layer in body:
        if layer.shape in ("mince", "flake"):
            heap(canvas, layer, room, reach=1.04, tall=0.1, sauce=colour, coat=coat)
    chunky = [layer for layer in body if layer.shape not in ("mince", "flake")]
    covered = bool(places.get("melt") or places.get("crumbs"))
    scatter(canvas, chunky, room, reach=0.97, cover=1.5, sauce=colour, coat=coat, z=room.level - 0.01)
    for layer in places.get("melt", []):
        melt(canvas, layer, room, 0.34, 0.95)
    loose = sorted(places.get("crumbs", []), key=lambda layer: -layer.grams)
    for layer in loose:
        tan = (
            replace(layer, colour=(206, 158, 94), second=(230, 192, 132))
            if layer.shape == "powder"
            else layer
        )
        crumbs(
            canvas,
            tan,
            room,
            0.5 if layer.shape == "powder" else 0.22,
            "oat" if layer.shape == "oat" else "crumb",
        )
    finish(canvas, places, room, 0.85 if covered else 0.9)
