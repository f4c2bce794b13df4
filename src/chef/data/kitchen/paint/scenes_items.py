"""Scenes of single items: sushi, dumplings, cookies, muffins, pancakes, a glass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chef.data.kitchen.dish import Layer
from chef.data.kitchen.paint.canvas import Canvas, Material, Sprite, lerp
from chef.data.kitchen.paint.compose import cut_of, dollops, put, scatter, spread_points, sprinkle
from chef.data.kitchen.paint.cooking import blend, material
from chef.data.kitchen.paint.scenes_dough import baked, heap_on
from chef.data.kitchen.paint.scenes_plate import Places, liquid
from chef.data.kitchen.paint.textures import axes, noise, rolled, smoothstep
from chef.data.kitchen.paint.vessels import Room

Point = tuple[float, float]


def ring_of(canvas: Canvas, count: int, radius: float) -> list[Point]:
    """One in the middle and the others around it, or all around."""
    middle = [(0.0, 0.0)] if count > 5 else []
    outer = count - len(middle)
    start = canvas.rng.uniform(0, 6.3)
    around = [
        (radius * np.cos(start + 6.2832 * k / outer), radius * np.sin(start + 6.2832 * k / outer))
        for k in range(outer)
    ]
    shaken = [
        (float(x + canvas.rng.normal(0, 0.012)), float(y + canvas.rng.normal(0, 0.012)))
        for x, y in middle + around
    ]
    return shaken


def _round_item(
    canvas: Canvas, x: float, y: float, radius: float, tall: float, made: Material, bumpy: float = 0.3
) -> None:
    """A domed round thing: a cookie, a bun, a dumpling."""
    n = int(2.2 * radius * canvas.scale)
    left, top = int((x + 1) * canvas.scale) - n // 2, int((y + 1) * canvas.scale) - n // 2
    line = (np.arange(n, dtype=np.float32) - n / 2) / (radius * canvas.scale)
    tile = rolled(noise(canvas.size, 1.5), canvas.rng)[:n, :n]
    r = np.sqrt(line[None, :] ** 2 + line[:, None] ** 2) + 0.05 * tile
    height = np.where(
        r < 1, tall * np.sqrt(np.clip(1 - r * r, 0, 1)) ** 0.8 * (1 + bumpy * 0.3 * tile), np.float32(-9)
    )
    piece = Sprite(height.astype(np.float32), np.clip(0.5 + 0.5 * tile, 0, 1))
    canvas.stamp(
        piece,
        (left + n // 2) / canvas.scale - 1,
        (top + n // 2) / canvas.scale - 1,
        made,
        canvas.at(x, y) - 0.01,
    )


def _studs(canvas: Canvas, layers: Sequence[Layer], x: float, y: float, radius: float, each: int) -> None:
    """Bits that stick out of a baked thing, as many as their share of the mass."""
    total = sum(layer.grams for layer in layers)
    for layer in layers:
        name = cut_of(layer)
        if name is None:
            continue
        larger = 0.62 if name in ("apple", "crescent", "wheel", "cube", "coin", "floret", "potato") else 0.95
        for _ in range(max(2, round(each * layer.grams / total))):
            turn, away = canvas.rng.uniform(0, 6.3), radius * np.sqrt(canvas.rng.random()) * 0.8
            px, py = x + float(away * np.cos(turn)), y + float(away * np.sin(turn))
            put(canvas, name, px, py, material(layer), sink=0.4, larger=larger)


def cookies(canvas: Canvas, places: Places, room: Room) -> None:
    made = replace(baked(places["crust"][0], 0.3), jitter=0.05)
    for x, y in ring_of(canvas, int(canvas.rng.integers(6, 8)), 0.46):
        _round_item(canvas, x, y, 0.225, 0.06, made, 0.8)
        _studs(canvas, places.get("body", []), x, y, 0.2, 10)


def muffins(canvas: Canvas, places: Places, room: Room) -> None:
    made = replace(baked(places["crust"][0], 0.35), jitter=0.04)
    paper = Material((236, 226, 208), (200, 180, 150), gloss=0.05, jitter=0.02)
    for x, y in ring_of(canvas, int(canvas.rng.integers(4, 6)), 0.38):
        _paper(canvas, x, y, paper)
        _round_item(canvas, x, y, 0.235, 0.17, made, 0.5)
        _studs(canvas, places.get("body", []), x, y, 0.2, 10)
        for layer in places.get("top", []):
            garnish(canvas, layer, x, y, Room(0.18, 0.18, 0, 0))


def _paper(canvas: Canvas, x: float, y: float, made: Material) -> None:
    xs, ys = axes(canvas.size)
    angle = np.arctan2(ys - np.float32(y), xs - np.float32(x))
    r = canvas.radius(x, y) / (0.255 + 0.008 * np.sin(angle * 30))
    ridges = 0.5 + 0.5 * np.sin(angle * 30)
    canvas.pour(np.where(r < 1, 0.1 + 0.012 * ridges, np.float32(-1)).astype(np.float32), made, ridges)


def patties(canvas: Canvas, places: Places, room: Room) -> None:
    """Cakes and fritters: crisp outside, the food showing through."""
    for layer in places.get("side", []):
        scatter(canvas, [layer], room, reach=0.4, at=(-0.22, -0.2), cover=2.2)
    main = places["crust"][0]
    crisp = (186, 124, 58)
    made = Material(lerp(main.colour, crisp, 0.5), lerp(main.second, crisp, 0.2), gloss=0.35, brown=0.5)
    for x, y in ring_of(canvas, int(np.clip(main.grams / 95, 4, 6)), 0.33):
        put(canvas, "patty", x, y, made, larger=1.4)
        name = cut_of(main)
        for _ in range(4 if name else 0):
            dx, dy = canvas.rng.uniform(-0.12, 0.12, 2)
            put(canvas, name or "crumb", x + float(dx), y + float(dy), material(main), sink=0.55, larger=0.45)
    _dips(canvas, places, (0.6, -0.55))
    sprinkle(canvas, places.get("top", []), room, 0.8)


def _dips(canvas: Canvas, places: Places, at: Point) -> None:
    """A small bowl of dipping sauce at the edge."""
    dips = places.get("dip", [])
    if not dips:
        return
    r = canvas.radius(*at)
    wall = np.interp(r, (0, 0.13, 0.155, 0.175, 0.19), (0.06, 0.08, 0.17, 0.17, 0.05)).astype(np.float32)
    wall[r > 0.19] = -1
    canvas.pour(wall, Material((240, 238, 232), (240, 238, 232), gloss=0.6, rough=0.02, jitter=0))
    colour = material(dips[0]).colour
    canvas.pour(np.where(r < 0.15, 0.13, np.float32(-1)).astype(np.float32), liquid(colour, 0.9))


def dumplings(canvas: Canvas, places: Places, room: Room) -> None:
    """Pleated half moons; one is cut open and shows its filling."""
    wrapper = places["crust"][0]
    filling = places.get("body", [])
    inside = material(filling[0]).colour if filling else (200, 160, 120)
    made = replace(material(wrapper), gloss=0.5, jitter=0.03)
    # Thin dough lets the filling shine through.
    made = replace(made, second=lerp(made.second, inside, 0.4))
    spots = ring_of(canvas, 7, 0.45)
    for x, y in spots[1:]:
        _dumpling(canvas, x, y, made)
    for layer in filling:
        if layer.shape in ("mince", "flake"):
            heap_on(canvas, layer, spots[0][0], spots[0][1], 0.19, 0.07)
    pieces = [layer for layer in filling if layer.shape not in ("mince", "flake")]
    scatter(canvas, pieces, Room(0.18, 0.18, 0, 0), at=spots[0], cover=1.6, larger=0.7)
    _dips(canvas, places, (0.68, -0.66))
    sprinkle(canvas, places.get("top", []), room, 0.85)


def _dumpling(canvas: Canvas, x: float, y: float, made: Material) -> None:
    turn = np.arctan2(y, x) + 1.57 + canvas.rng.normal(0, 0.2)
    xs, ys = axes(canvas.size)
    u = (
        (xs - np.float32(x)) * np.float32(np.cos(turn)) + (ys - np.float32(y)) * np.float32(np.sin(turn))
    ) / 0.235
    v = (
        (ys - np.float32(y)) * np.float32(np.cos(turn)) - (xs - np.float32(x)) * np.float32(np.sin(turn))
    ) / 0.235
    r = np.sqrt(u * u + (v + 0.3) ** 2)
    body = (r < 1) & (v > -0.42)
    belly = np.sqrt(np.clip(1 - (u / 0.92) ** 2 - ((v - 0.02) / 0.5) ** 2, 0, 1))
    pleats = 0.5 + 0.5 * np.sin(np.arctan2(v + 0.3, u) * 15)
    rim = smoothstep(0.7, 0.85, r)
    field = np.where(body, 0.06 + 0.09 * belly + 0.03 * rim * pleats, np.float32(-1))
    canvas.pour(field.astype(np.float32), made, np.clip(belly * 0.9 + 0.2 * pleats * rim, 0, 1))


def sushi(canvas: Canvas, places: Places, room: Room) -> None:
    """Rows of rolls: seaweed, rice, and a core of fish and vegetables."""
    nori = Material((26, 36, 30), (44, 56, 46), gloss=0.3, jitter=0.03)
    cores = places.get("body", [])
    rice = places["base"][0]
    columns, rows = (4, 2) if canvas.rng.random() < 0.5 else (3, 3)
    for row in range(rows):
        for column in range(columns):
            x = (column - (columns - 1) / 2) * 0.38 + canvas.rng.normal(0, 0.008)
            y = (row - (rows - 1) / 2) * 0.4 + canvas.rng.normal(0, 0.008)
            _roll(canvas, x, y, nori, rice, cores)
    _dips(canvas, places, (0.74, -0.72))
    sprinkle(canvas, places.get("top", []), room, 0.9)


def _roll(canvas: Canvas, x: float, y: float, nori: Material, rice: Layer, cores: list[Layer]) -> None:
    r = canvas.radius(x, y)
    canvas.pour(np.where(r < 0.175, 0.17, np.float32(-1)).astype(np.float32), nori, 0.3)
    canvas.height[r < 0.158] = 0.13
    heap_on(canvas, rice, x, y, 0.16, 0.035)
    total = sum(layer.grams for layer in cores)
    start = canvas.rng.uniform(0, 6.3)
    for k, layer in enumerate(cores):
        away = 0.0 if len(cores) == 1 else 0.04
        turn = start + 6.2832 * k / len(cores)
        core = replace(material(layer), jitter=0.03)
        larger = 0.7 + 0.55 * layer.grams / total
        put(
            canvas,
            "cube",
            x + away * float(np.cos(turn)),
            y + away * float(np.sin(turn)),
            core,
            z=0.165,
            larger=larger,
            flat=0.6,
        )


def garnish(canvas: Canvas, layer: Layer, x: float, y: float, spot: Room) -> None:
    name = cut_of(layer)
    if name is None:
        return
    count = 1 if layer.shape == "wheel" else int(np.clip(layer.grams / 4, 5, 14))
    for px, py in spread_points(canvas, count, spot, 0.9, (x, y)):
        put(canvas, name, px, py, material(layer), larger=0.75)


def pancakes(canvas: Canvas, places: Places, room: Room) -> None:
    """A leaning stack with fruit on top and around it."""
    made = Material((214, 150, 78), (240, 200, 130), gloss=0.2, brown=0.35, jitter=0.05)
    lean = canvas.rng.uniform(0, 6.3)
    tall = 5
    for k in range(tall):
        x, y = 0.035 * k * float(np.cos(lean)), 0.035 * k * float(np.sin(lean)) - 0.012 * k
        r = (canvas.radius(x, y) / 0.46 + 0.03 * rolled(noise(canvas.size, 1.8), canvas.rng)).astype(
            np.float32
        )
        top = room.floor + 0.05 * (k + 1)
        field = np.where(r < 1, top - 0.04 + 0.04 * np.sqrt(np.clip((1 - r) * 9, 0, 1)), np.float32(-1))
        canvas.pour(field.astype(np.float32), made, smoothstep(0.8, 0.95, r))
    stack = Room(0.42, 0.42, 0, 0)
    for layer in places.get("syrup", []):
        spot = liquid(material(layer).colour, 1.0)
        put(canvas, "blob", x, y, spot, larger=2.6, flat=0.5)
    scatter(canvas, places.get("body", []), stack, reach=0.62, at=(x, y), cover=1.3)
    scatter(canvas, places.get("body", []), Room(0.6, 0.6, 0, 0), reach=1.0, cover=0.3)
    dollops(canvas, places.get("dollop", []), (x, y), 0.75)


def glass(canvas: Canvas, places: Places, room: Room) -> None:
    """A glass of smoothie from above, its fruit lying around it."""
    parts = places.get("sauce", [])
    colour = blend(parts, (230, 200, 200))
    fruits = [layer for layer in parts if cut_of(layer)]
    if fruits:
        colour = lerp(colour, fruits[0].second if fruits[0].shape == "apple" else fruits[0].colour, 0.3)
    waves = rolled(noise(canvas.size, 1.7), canvas.rng)
    field = np.where(canvas.radius() < 0.385, room.level + 0.008 * waves, np.float32(-1))
    canvas.pour(field.astype(np.float32), liquid(colour, 0.5), 0.5 + 0.5 * waves)
    straw = Material((236, 110, 96), (250, 246, 240), gloss=0.4, jitter=0)
    xs, ys = axes(canvas.size)
    along, across = xs * 0.8 - ys * 0.6, ys * 0.8 + xs * 0.6
    rod = (np.abs(across + 0.1) < 0.035) & (along > 0.05) & (along < 0.72)
    rise = np.sqrt(np.clip(1 - ((across + 0.1) / 0.035) ** 2, 0, 1))
    canvas.pour(
        np.where(rod, 0.46 + 0.03 * rise, np.float32(-1)).astype(np.float32),
        straw,
        0.5 + 0.5 * np.sign(np.sin(along * 50)),
    )
    sprinkle(canvas, places.get("top", []) + places.get("dust", []), Room(0.3, 0.3, 0, 0), 0.8)
    _around(canvas, fruits)


def _around(canvas: Canvas, fruits: list[Layer]) -> None:
    """Fruit on the table around the glass, as many pieces as it has of each."""
    total = sum(layer.grams for layer in fruits)
    turn = canvas.rng.uniform(0, 6.3)
    for layer in fruits:
        count = max(3, round(26 * layer.grams / total))
        for k in range(count):
            away = canvas.rng.uniform(0.56, 0.84)
            angle = turn + k * 0.2
            put(
                canvas,
                cut_of(layer) or "berry",
                float(away * np.cos(angle)),
                float(away * np.sin(angle)),
                material(layer),
            )
        turn += count * 0.2 + 0.15
