"""Scenes of hand food: burgers, sandwiches, tacos, toasts, wraps, skewers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chef.data.kitchen.dish import Layer
from chef.data.kitchen.paint.canvas import Canvas, Material, lerp
from chef.data.kitchen.paint.compose import cut_of, dollops, put, scatter, spread_points, sprinkle
from chef.data.kitchen.paint.cooking import blend, material
from chef.data.kitchen.paint.scenes_dough import baked, heap_on
from chef.data.kitchen.paint.scenes_items import garnish, ring_of
from chef.data.kitchen.paint.scenes_plate import Places, finish, flatbread
from chef.data.kitchen.paint.textures import axes, noise, rolled, smoothstep
from chef.data.kitchen.paint.vessels import Room

Point = tuple[float, float]


def burger(canvas: Canvas, places: Places, room: Room) -> None:
    """A burger seen from the front edge: every layer peeks out below the one above."""
    _stack(canvas, places, room, round_bun=True)


def sandwich(canvas: Canvas, places: Places, room: Room) -> None:
    """A stack of square slices with the filling peeking out."""
    _stack(canvas, places, room, round_bun=False)


def _stack(canvas: Canvas, places: Places, room: Room, round_bun: bool) -> None:
    bread = places["crust"][0]
    bun = replace(baked(bread, 0.25), gloss=0.35)
    spots = [(-0.34, 0.06), (0.36, 0.0)]
    for x, y in spots:
        _bread(canvas, x, y + 0.26, bun, round_bun, 0.06, cut=True)
        lift = 0.19
        fillings = sorted(places.get("body", []), key=lambda layer: layer.shape == "square")
        for layer in fillings:
            _filling(canvas, layer, x, y + lift)
            lift -= 0.06
        for layer in places.get("glaze", [])[:1]:
            put(canvas, "blob", x, y + lift + 0.16, replace(material(layer), gloss=0.8), larger=1.6)
        _bread(canvas, x, y - 0.12, bun, round_bun, 0.17, cut=False)
        if round_bun:
            seeds = Material((246, 234, 200), (250, 244, 224), gloss=0.2)
            for px, py in spread_points(canvas, 22, Room(0.17, 0.14, 0, 0), 1.0, (x, y - 0.14)):
                put(canvas, "seed", px, py, seeds)


def _bread(
    canvas: Canvas, x: float, y: float, made: Material, round_bun: bool, tall: float, cut: bool
) -> None:
    xs, ys = axes(canvas.size)
    u, v = (xs - np.float32(x)) / 0.28, (ys - np.float32(y)) / 0.26
    r = np.sqrt(u * u + v * v) if round_bun else (np.abs(u) ** 5 + np.abs(v) ** 5) ** 0.2
    r = r + 0.02 * rolled(noise(canvas.size, 1.7), canvas.rng)
    rise = np.sqrt(np.clip(1 - r * r, 0, 1)) if round_bun and not cut else np.sqrt(np.clip((1 - r) * 6, 0, 1))
    base = 0.06 if cut else 0.2
    field = np.where(r < 1, base + tall * rise, np.float32(-1)).astype(np.float32)
    crust = smoothstep(0.95, 0.8, r.astype(np.float32))
    canvas.pour(
        field,
        made,
        0.9 * crust if not round_bun or cut else 0.35 * smoothstep(0.9, 0.1, r.astype(np.float32)),
    )


def _filling(canvas: Canvas, layer: Layer, x: float, y: float) -> None:
    """One layer of a stack: a patty, a leaf, slices, a square of cheese."""
    made = material(layer)
    name = cut_of(layer)
    if layer.shape == "patty":
        thick = layer.token in ("salmon", "cod", "halloumi", "tempeh")
        put(canvas, "patty", x, y, made, larger=1.75, flat=0.75)
        if thick or cut_of(layer) is None:
            put(canvas, "fillet", x, y, made, larger=1.3)
    elif layer.shape == "square":
        put(canvas, "square", x, y - 0.02, replace(made, gloss=0.4, jitter=0.01), larger=1.65)
    elif name in ("frill", "leaf", "lobed"):
        for dx in np.linspace(-0.22, 0.22, 5 if name == "frill" else 9):
            put(canvas, name, x + float(dx), y + 0.06, made, larger=0.95 if name == "frill" else 0.8)
    elif name is not None:
        shape = "round" if name in ("wedge_red", "cucumber") else name
        made = replace(made, second=lerp(made.colour, (255, 255, 255), 0.25)) if name == "wedge_red" else made
        for dx in np.linspace(-0.18, 0.18, 4):
            put(canvas, shape, x + float(dx), y + 0.08, made, larger=1.15)


def tacos(canvas: Canvas, places: Places, room: Room) -> None:
    """Three open tortillas, each with a heap of filling."""
    start = canvas.rng.uniform(0, 6.3)
    tortilla = places["crust"][0]
    filling = places.get("body", [])
    tints = places.get("tint", [])
    spice = blend(tints, (150, 90, 44)) if tints else None
    for k in range(3):
        x = float(0.4 * np.cos(start + 2.094 * k))
        y = float(0.37 * np.sin(start + 2.094 * k))
        flatbread(canvas, tortilla, x, y, 0.37)
        inner = Room(0.26, 0.26, canvas.at(x, y), canvas.at(x, y))
        minced = [layer for layer in filling if layer.shape in ("mince", "flake")]
        for layer in minced:
            heap_on(canvas, layer, x, y, 0.24, 0.07)
        loose = [layer for layer in filling if layer not in minced]
        scatter(
            canvas,
            loose,
            inner,
            reach=0.95,
            at=(x, y),
            cover=2.0,
            larger=0.82,
            sauce=spice,
            coat=0.12 if spice else 0,
        )
        spot = Room(0.24, 0.24, 0, 0)
        for layer in places.get("top", []):
            garnish(canvas, layer, x, y, spot)
        if k == 0:
            dollops(canvas, places.get("dollop", []), (x, y), 0.55)


def toasts(canvas: Canvas, places: Places, room: Room) -> None:
    """Slices of toast, spread and topped."""
    bread = places["crust"][0]
    made = replace(baked(bread, 0.25), gloss=0.1)
    long = bread.token == "baguette"
    spots = [(-0.5, -0.3), (0.02, -0.32), (0.53, -0.29), (-0.5, 0.31), (0.03, 0.3), (0.52, 0.33)]
    if not long:
        spots = [(-0.37, -0.02), (0.38, 0.02)]
    wide, high = (0.22, 0.28) if long else (0.33, 0.4)
    xs, ys = axes(canvas.size)
    for x, y in spots:
        u, v = (xs - np.float32(x)) / wide, (ys - np.float32(y)) / high
        r = (np.abs(u) ** 3.2 + np.abs(v) ** 3.2) ** (1 / 3.2)
        r = (r + 0.02 * rolled(noise(canvas.size, 1.6), canvas.rng)).astype(np.float32)
        canvas.pour(
            np.where(r < 1, room.floor + 0.05, np.float32(-1)).astype(np.float32),
            made,
            smoothstep(0.98, 0.85, r),
        )
        for layer in places.get("sauce", []):
            spread = replace(material(layer), gloss=0.35, jitter=0.01)
            waves = rolled(noise(canvas.size, 1.6), canvas.rng)
            canvas.pour(
                np.where(r < 0.86, room.floor + 0.062 + 0.012 * waves, np.float32(-1)).astype(np.float32),
                spread,
            )
        inner = Room(wide * 0.8, high * 0.8, 0, 0)
        scatter(
            canvas,
            places.get("body", []),
            inner,
            reach=1.0,
            at=(x, y),
            cover=1.5,
            larger=0.7 if long else 0.85,
        )
        for layer in places.get("top", []):
            garnish(canvas, layer, x, y, inner)


def wraps(canvas: Canvas, places: Places, room: Room) -> None:
    """Rolled wraps cut in half: the filling shows at the open end."""
    wrap = places["crust"][0]
    made = replace(material(wrap), gloss=0.15, brown=0.25, jitter=0.03)
    filling = places.get("body", [])
    xs, ys = axes(canvas.size)
    for k in range(3):
        y = -0.34 + 0.33 * k
        sign = 1 if k % 2 else -1
        u, v = (xs * sign + 0.12) / 0.5, (ys - np.float32(y)) / 0.15
        r = np.maximum(np.abs(u) ** 6, v * v)
        blisters = rolled(noise(canvas.size, 1.4), canvas.rng)
        field = np.where(
            r < 1, room.floor + 0.16 * np.sqrt(np.clip(1 - v * v, 0, 1)) + 0.004 * blisters, np.float32(-1)
        )
        canvas.pour(field.astype(np.float32), made, smoothstep(0.3, 0.6, blisters))
        mouth = Room(0.13, 0.12, 0, 0)
        minced = [layer for layer in filling if layer.shape in ("mince", "flake", "cream")]
        for layer in minced:
            heap_on(canvas, layer, 0.36 * sign, y, 0.12, 0.03)
        loose = [layer for layer in filling if layer not in minced]
        scatter(canvas, loose, mouth, reach=1.0, at=(0.4 * sign, y), cover=2.2, larger=0.72)
    sprinkle(canvas, places.get("top", []), room, 0.9)


def stuffed(canvas: Canvas, places: Places, room: Room) -> None:
    """Halved peppers with a filling heaped in them."""
    shell = places["crust"][0]
    skin = replace(material(shell), gloss=0.6)
    square = room.square
    spots = (
        [(-0.53, -0.28), (0.02, -0.3), (0.54, -0.28), (-0.52, 0.28), (0.0, 0.27), (0.52, 0.28)]
        if square
        else ring_of(canvas, 4, 0.36)
    )
    for x, y in spots:
        r = canvas.radius(x, y) / 0.26
        wall = np.interp(r, (0, 0.8, 0.95, 1.0), (0.06, 0.1, 0.17, 0.12)).astype(np.float32)
        canvas.pour(
            np.where(r < 1, wall + room.floor - 0.03, np.float32(-1)).astype(np.float32),
            skin,
            smoothstep(0.9, 0.8, r),
        )
        for layer in sorted(places.get("body", []), key=lambda layer: layer.shape == "mince"):
            heap_on(canvas, layer, x, y, 0.22 if layer.shape != "mince" else 0.2, 0.08)
        for layer in places.get("top", []):
            garnish(canvas, layer, x, y, Room(0.18, 0.18, 0, 0))


def skewers(canvas: Canvas, places: Places, room: Room) -> None:
    """Long sticks with the foods in turns."""
    for layer in places.get("side", []):
        heap_on(canvas, layer, 0.0, -0.36, 0.36, 0.06)
    body = places.get("body", [])
    total = sum(layer.grams for layer in body)
    stick = Material((206, 172, 120), (176, 138, 88), gloss=0.1)
    xs, ys = axes(canvas.size)
    tints = places.get("tint", [])
    spice = blend(tints, (150, 90, 44)) if tints else None
    lines = (-0.38, 0.0, 0.38) if not places.get("side") else (-0.02, 0.24, 0.5)
    larger = 1.4 if not places.get("side") else 1.15
    for y in lines:
        slope = float(canvas.rng.normal(0, 0.06))
        rod = (np.abs(ys - np.float32(y) - slope * xs) < 0.014) & (np.abs(xs) < 0.82)
        canvas.pour(np.where(rod, room.floor + 0.06, np.float32(-1)).astype(np.float32), stick, 0.3)
        for k, x in enumerate(np.linspace(-0.58, 0.58, 9)):
            layer = _turn(body, total, k, canvas)
            name = cut_of(layer) or "cube"
            name = (
                "chunk"
                if name in ("fillet", "shredded", "drumstick")
                else "cube"
                if name in ("pepper", "ring")
                else name
            )
            made = material(layer, spice, 0.15 if spice else 0)
            put(canvas, name, float(x), y + slope * float(x), made, z=room.floor + 0.05, larger=larger)
    finish(canvas, {key: places.get(key, []) for key in ("glaze", "top")}, room, 0.8)


def _turn(body: list[Layer], total: float, k: int, canvas: Canvas) -> Layer:
    """Main food on every other place, the others between."""
    main = max(body, key=lambda layer: layer.grams)
    others = [layer for layer in body if layer is not main]
    return main if k % 2 == 0 or not others else others[(k // 2) % len(others)]
