"""Scenes with a crust: pizza, pies, tarts, cakes, omelettes, loaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chef.data.kitchen.dish import Layer
from chef.data.kitchen.paint.canvas import Canvas, Material
from chef.data.kitchen.paint.compose import (
    cut_of,
    dollops,
    heap,
    melt,
    pool,
    put,
    scatter,
    sprinkle,
)
from chef.data.kitchen.paint.cooking import blend, material
from chef.data.kitchen.paint.scenes_plate import Places, finish, liquid
from chef.data.kitchen.paint.textures import Field, axes, noise, rolled, smoothstep
from chef.data.kitchen.paint.vessels import Room

_CRUMB = ((222, 176, 108), (240, 208, 150))
_COCOA = ((74, 44, 30), (104, 66, 46))


def baked(layer: Layer | None, brown: float = 0.4) -> Material:
    """The look of baked dough, whatever flour it is made of."""
    if layer is not None and layer.shape in ("pastry", "dough", "toast", "bun"):
        first, second = layer.colour, layer.second
    elif layer is not None and layer.token in ("dark_chocolate", "cocoa_powder"):
        first, second = _COCOA
    elif layer is not None and layer.token == "wholemeal_flour":
        first, second = (176, 124, 72), (206, 158, 104)
    else:
        first, second = _CRUMB
    return Material(first, second, gloss=0.18, brown=brown, jitter=0.04, rough=0.1)


def _angle(canvas: Canvas) -> Field:
    xs, ys = axes(canvas.size)
    return np.arctan2(ys + 0 * xs, xs + 0 * ys).astype(np.float32)


def _disc(
    canvas: Canvas, radius: float, floor: float, tall: float, edge: float = 0.06, ragged: float = 0.02
) -> Field:
    """A round slab with rounded sides."""
    away = canvas.radius() + ragged * rolled(noise(canvas.size, 1.8), canvas.rng)
    rise = np.sqrt(np.clip((radius - away) / edge, 0, 1))
    return np.where(away < radius, floor + tall * rise, np.float32(-1)).astype(np.float32)


def _edge(canvas: Canvas, inner: float, outer: float, floor: float, tall: float, crimps: int = 0) -> Field:
    """A raised ring of crust, crimped if asked."""
    r = canvas.radius() + 0.012 * rolled(noise(canvas.size, 1.7), canvas.rng)
    middle, half = (inner + outer) / 2, (outer - inner) / 2
    rise = np.sqrt(np.clip(1 - ((r - middle) / half) ** 2, 0, 1))
    if crimps:
        rise = rise * (0.82 + 0.18 * np.sin(_angle(canvas) * crimps))
    return np.where(np.abs(r - middle) < half, floor + tall * rise, np.float32(-1)).astype(np.float32)


def pizza(canvas: Canvas, places: Places, room: Room) -> None:
    """Dough, sauce, melted cheese, toppings."""
    dough = baked(places["crust"][0], 0.35)
    canvas.pour(_disc(canvas, 0.74, room.floor, 0.03), dough, 0.5)
    canvas.pour(_edge(canvas, 0.61, 0.75, room.floor, 0.085), dough, 0.4 + 0.4 * noise(canvas.size, 1.3))
    inner = Room(0.64, 0.64, room.floor + 0.03, room.floor + 0.03)
    sauce = liquid(blend(places.get("sauce", []), (200, 60, 36)), 0.3)
    pool(canvas, sauce, inner, reach=1.0, rise=0.014)
    for layer in places.get("melt", []):
        melt(canvas, layer, inner, 0.6, 0.95)
    scatter(canvas, places.get("body", []), inner, reach=0.86, cover=0.75)
    sprinkle(canvas, places.get("top", []), inner, 0.85)
    _slices(canvas, 0.76)


def _slices(canvas: Canvas, radius: float) -> None:
    """Cuts through the middle, as grooves."""
    start = canvas.rng.uniform(0, np.pi)
    angle = _angle(canvas)
    for k in range(3):
        away = np.abs(np.sin(angle - np.float32(start + k * np.pi / 3))) * canvas.radius()
        groove = (away < 0.008) & (canvas.radius() < radius)
        canvas.height[groove] -= np.float32(0.03)


def pie(canvas: Canvas, places: Places, room: Room) -> None:
    """A filling under a lattice (sweet) or a lid with a piece cut out (savoury)."""
    body = places.get("body", [])
    sweet = not places.get("sauce")
    colour = blend(places.get("sauce", []), (150, 92, 50))
    if sweet and body:
        colour = tuple(0.72 * c for c in material(body[0]).second)  # type: ignore[assignment]
    inner = Room(0.6, 0.6, room.floor, room.level)
    pool(canvas, liquid(colour, 0.7), inner, reach=1.1, rise=0.05)
    # Under a lid the pieces lie side by side; a lattice may sit on a heap.
    scatter(
        canvas, body, inner, reach=1.0, cover=2.0, sauce=colour, coat=0.18, z=None if sweet else room.level
    )
    crust = baked(places["crust"][0], 0.4)
    canvas.pour(_edge(canvas, 0.6, 0.76, room.level, 0.1, 46), crust, 0.5 + 0.4 * noise(canvas.size, 1.3))
    if sweet:
        _lattice(canvas, crust, 0.64)
    else:
        _lid(canvas, crust, 0.66)
    sprinkle(canvas, places.get("top", []), inner, 0.7)
    dollops(canvas, places.get("dollop", []), (0.0, 0.0), 0.9)


def _lattice(canvas: Canvas, crust: Material, radius: float) -> None:
    """Two sets of strips, woven over and under."""
    xs, ys = axes(canvas.size)
    turn = canvas.rng.uniform(0, np.pi / 2)
    a = xs * np.float32(np.cos(turn)) + ys * np.float32(np.sin(turn))
    b = ys * np.float32(np.cos(turn)) - xs * np.float32(np.sin(turn))
    pitch = 0.26
    inside = canvas.radius() < radius
    for first, second, flip in ((a, b, 0.0), (b, a, np.pi)):
        off = np.abs(first / pitch - np.round(first / pitch)) * pitch
        rise = np.sqrt(np.clip(1 - (off / 0.058) ** 2, 0, 1))
        parity = np.pi * np.round(first / pitch)
        weave = 0.014 * np.cos(np.pi * second / pitch + parity + np.float32(flip))
        field = np.where(inside & (rise > 0), 0.2 + 0.022 * rise + weave, np.float32(-1))
        canvas.pour(field.astype(np.float32), crust, 0.5 + 0.3 * rise)


def _lid(canvas: Canvas, crust: Material, radius: float) -> None:
    """A closed top with vents, and one open wedge that shows the filling."""
    open_at = canvas.rng.uniform(-np.pi, np.pi)
    angle = np.abs(np.angle(np.exp(1j * (_angle(canvas) - open_at)))).astype(np.float32)
    r = canvas.radius()
    closed = (r < radius) & (angle > 0.72)
    waves = rolled(noise(canvas.size, 1.7), canvas.rng)
    vents = smoothstep(0.02, 0.01, np.abs(angle - 1.9)) + smoothstep(0.02, 0.01, np.abs(angle - 2.6))
    dip = 0.03 * vents * (r > 0.15) * (r < 0.36)
    field = np.where(closed, 0.215 + 0.05 * (1 - (r / radius) ** 2) + 0.012 * waves - dip, np.float32(-1))
    canvas.pour(field.astype(np.float32), crust, 0.5 + 0.5 * waves)


def tart(canvas: Canvas, places: Places, room: Room) -> None:
    """An open crust with custard; fruit lies in rings, other things as they fall."""
    crust = baked(places["crust"][0], 0.35)
    canvas.pour(_edge(canvas, 0.62, 0.74, room.floor, 0.13, 60), crust, 0.5)
    wet = places.get("sauce", [])
    inner = Room(0.6, 0.6, room.floor, room.level)
    custard = Material((244, 214, 138), (250, 230, 172), gloss=0.3, brown=0.2, jitter=0)
    if wet:
        custard = replace(custard, colour=blend(wet, (244, 214, 138)))
    pool(canvas, custard, inner, reach=1.08, rise=0.06)
    body = places.get("body", [])
    if len(body) == 1 and not places.get("melt"):
        _rings(canvas, body[0], 0.5)
    else:
        scatter(canvas, body, inner, reach=0.9, cover=1.0, sink=0.3)
    for layer in places.get("melt", []):
        melt(canvas, layer, inner, 0.2)
    sprinkle(canvas, places.get("top", []) + places.get("dust", []), inner, 0.8)


def _rings(canvas: Canvas, layer: Layer, radius: float) -> None:
    """Pieces in circles from the outside in, each overlapping the last."""
    name = cut_of(layer) or "berry"
    made = material(layer)
    step = 0.085 if name in ("apple", "crescent") else 0.1
    for ring in np.arange(radius, 0.02, -0.14 if name in ("apple", "crescent") else -0.1):
        count = max(1, int(2 * np.pi * ring / step))
        for k in range(count):
            turn = 2 * np.pi * k / count
            put(
                canvas,
                name,
                float(ring * np.cos(turn)),
                float(ring * np.sin(turn)),
                made,
                z=0.115 + 0.012 * (k % 2),
            )


def cake(canvas: Canvas, places: Places, room: Room) -> None:
    """A round cake with its fruit on top and one slice pulled out."""
    crumb = baked(places.get("crust", [None])[0], 0.35)
    field = _disc(canvas, 0.64, room.floor, 0.2, edge=0.05, ragged=0.01)
    field += np.where(field > 0, 0.01 * rolled(noise(canvas.size, 1.3), canvas.rng), 0)
    open_at = canvas.rng.uniform(-np.pi, np.pi)
    angle = np.abs(np.angle(np.exp(1j * (_angle(canvas) - open_at))))
    missing = (angle < 0.36) & (canvas.radius() > 0.03)
    field[missing] = -1
    canvas.pour(field, crumb, 0.5 + 0.5 * rolled(noise(canvas.size, 1.1), canvas.rng))
    top = Room(0.58, 0.58, room.floor + 0.2, room.floor + 0.2)
    body = places.get("body", [])
    if body and cut_of(body[0]) in ("apple", "crescent", "wheel", "coin") and canvas.rng.random() < 0.6:
        _cake_rings(canvas, body[0], room.floor + 0.18, open_at)
    else:
        scatter(canvas, body, top, reach=0.9, cover=0.7, sink=0.35, z=room.floor + 0.2)
    plate = missing & (canvas.height > room.floor + 0.19) & (angle < 0.3)
    canvas.height[plate] = room.floor
    canvas.piece[plate] = 1
    sprinkle(canvas, places.get("top", []) + places.get("dust", []), top, 0.75)


def _cake_rings(canvas: Canvas, layer: Layer, level: float, open_at: float) -> None:
    name = cut_of(layer) or "apple"
    made = material(layer)
    for ring, count in ((0.5, 22), (0.32, 14), (0.13, 5)):
        for k in range(count):
            turn = 2 * np.pi * k / count
            if abs(np.angle(np.exp(1j * (turn - open_at)))) > 0.45:
                put(canvas, name, float(ring * np.cos(turn)), float(ring * np.sin(turn)), made, z=level)


def omelette(canvas: Canvas, places: Places, room: Room) -> None:
    """A folded half moon of egg with the filling along its mouth."""
    turn = canvas.rng.uniform(0, 2 * np.pi)
    xs, ys = axes(canvas.size)
    across = ys * np.float32(np.cos(turn)) - xs * np.float32(np.sin(turn))
    along = xs * np.float32(np.cos(turn)) + ys * np.float32(np.sin(turn))
    r = np.sqrt(along**2 + (across + 0.22) ** 2) + 0.02 * rolled(noise(canvas.size, 1.7), canvas.rng)
    egg = Material((244, 204, 92), (250, 224, 140), gloss=0.4, brown=0.4, jitter=0.01)
    waves = rolled(noise(canvas.size, 1.6), canvas.rng)
    lower = np.where((r < 0.55) & (across > -0.3), room.floor + 0.03, np.float32(-1))
    canvas.pour(lower.astype(np.float32), egg, 0.5)
    side = (-0.2 * -float(np.sin(turn)), -0.2 * float(np.cos(turn)))
    filling = Room(0.46, 0.46, room.floor, room.level)
    scatter(canvas, places.get("body", []), filling, reach=0.75, at=side, cover=1.6)
    upper = (r < 0.53) & (across > -0.1)
    field = np.where(
        upper, room.floor + 0.09 + 0.05 * np.sqrt(np.clip((0.53 - r) * 5, 0, 1)) + 0.012 * waves, -1
    )
    canvas.pour(field.astype(np.float32), egg, 0.5 + 0.5 * waves)
    sprinkle(canvas, places.get("top", []), filling, 0.7)


def loaf(canvas: Canvas, places: Places, room: Room) -> None:
    """A long loaf with slashes, and two slices cut from it."""
    flour = places["crust"][0]
    crust = replace(baked(flour, 0.5), colour=(178, 112, 54), second=(222, 168, 100))
    if flour.token == "wholemeal_flour":
        crust = replace(crust, colour=(132, 84, 46), second=(176, 124, 76))
    xs, ys = axes(canvas.size)
    r = np.sqrt(((xs + 0.16) / 0.5) ** 2 + (ys / 0.27) ** 2) + 0.03 * rolled(
        noise(canvas.size, 1.7), canvas.rng
    )
    rise = np.sqrt(np.clip(1 - r * r, 0, 1))
    slashes = smoothstep(0.75, 0.95, np.sin((xs + ys * 0.6) * 17)) * (r < 0.75)
    field = np.where(r < 1, room.floor + 0.3 * rise - 0.03 * slashes, np.float32(-1))
    canvas.pour(field.astype(np.float32), crust, np.clip(slashes + 0.2, 0, 1))
    crumb = Material((240, 222, 184), (206, 150, 90), gloss=0.05, jitter=0.02)
    for k, x in enumerate((0.42, 0.56)):
        _slice(canvas, crumb, x, 0.06 * k, room.floor + 0.05 + 0.03 * k)
    place = Room(0.42, 0.22, room.floor, room.level)
    for layer in places.get("top", []):
        name = cut_of(layer)
        for x, y in zip(canvas.rng.uniform(-0.5, 0.6, 34), canvas.rng.uniform(-0.2, 0.2, 34), strict=True):
            if name and (((x + 0.16) / 0.5) ** 2 + (y / 0.27) ** 2 < 0.8 or x > 0.36):
                put(canvas, name, float(x), float(y), material(layer), sink=0.3, larger=0.9)
    finish(canvas, {}, place)


def _slice(canvas: Canvas, crumb: Material, x: float, y: float, base: float) -> None:
    xs, ys = axes(canvas.size)
    r = (
        np.maximum(np.abs((xs - x) / 0.16), np.abs((ys - y) / 0.26)) ** 3
        + np.sqrt(((xs - x) / 0.3) ** 2 + ((ys - y) / 0.4) ** 2) * 0.3
    )
    holes = smoothstep(0.4, 0.6, rolled(noise(canvas.size, 0.9), canvas.rng))
    field = np.where(r < 1, base + 0.03 - 0.01 * holes * (r < 0.8), np.float32(-1))
    canvas.pour(field.astype(np.float32), crumb, smoothstep(0.75, 0.95, r.astype(np.float32)))


def brownies(canvas: Canvas, places: Places, room: Room) -> None:
    """Dark squares with a crackled top."""
    crumb = replace(baked(places["crust"][0], 0.1), jitter=0.06)
    xs, ys = axes(canvas.size)
    for row in range(3):
        for column in range(3):
            x = (column - 1) * 0.37 + canvas.rng.uniform(-0.02, 0.02)
            y = (row - 1) * 0.33 + canvas.rng.uniform(-0.02, 0.02)
            away = np.maximum(np.abs(xs - np.float32(x)) / 0.165, np.abs(ys - np.float32(y)) / 0.15)
            crackle = np.exp(-np.abs(rolled(noise(canvas.size, 1.4), canvas.rng)) * 14)
            field = np.where(
                away < 1, room.floor + 0.1 * np.sqrt(np.clip((1 - away) * 8, 0, 1)) - 0.012 * crackle, -1
            )
            canvas.pour(field.astype(np.float32), crumb, crackle)
            for layer in places.get("body", []):
                name = cut_of(layer)
                for _ in range(int(np.clip(layer.grams / 22, 2, 6)) if name else 0):
                    dx, dy = canvas.rng.uniform(-0.12, 0.12, 2)
                    put(canvas, name or "chip", x + float(dx), y + float(dy), material(layer), sink=0.4)


def heap_on(canvas: Canvas, layer: Layer, x: float, y: float, radius: float, tall: float = 0.05) -> None:
    """A small heap of one food on top of whatever lies at (x, y)."""
    spot = Room(radius, radius, canvas.at(x, y) - 0.01, canvas.at(x, y))
    heap(canvas, layer, spot, reach=1.0, tall=tall, at=(x, y))
