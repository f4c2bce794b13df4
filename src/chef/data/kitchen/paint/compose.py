"""Placing food: even scatters, beds, pools, sprinkles. The scenes are built from these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chef.data.kitchen.dish import Layer
from chef.data.kitchen.paint.canvas import Canvas, Material, lerp
from chef.data.kitchen.paint.carpets import BEDS, bed
from chef.data.kitchen.paint.cooking import Colour, material
from chef.data.kitchen.paint.shapes import CUTS, SIZES, sprite
from chef.data.kitchen.paint.textures import Field, axes, blurred, noise, rolled, smoothstep
from chef.data.kitchen.paint.vessels import Room

Point = tuple[float, float]
_GOLDEN_ANGLE = 2.399963
# Foods that are stirred in, not seen as pieces.
UNSEEN = frozenset(("hidden", "tint", "liquid", "powder", "glaze", "syrup", "dust", "cream"))
_CUT_OF = {"strand": "stroke", "strand_flat": "stroke_flat"}


def cut_of(layer: Layer) -> str | None:
    """The sprite a food is stamped with; None where it has no pieces."""
    name = _CUT_OF.get(layer.shape, layer.shape)
    return name if name in CUTS and (name not in UNSEEN) else None


def spread_points(
    canvas: Canvas, count: int, room: Room, reach: float = 1.0, at: Point = (0.0, 0.0)
) -> list[Point]:
    """Points spread evenly (a sunflower, or rows in a rectangle), shuffled and shaken a little."""
    k = np.arange(count) + 0.5
    if room.square:
        x = (k * 0.754877 + canvas.rng.random()) % 1 * 2 - 1
        y = (k * 0.569840 + canvas.rng.random()) % 1 * 2 - 1
        x, y = x * 0.94, y * 0.92
    else:
        r = np.sqrt(k / count) * 0.95
        turn = k * _GOLDEN_ANGLE + canvas.rng.uniform(0, 6.3)
        x, y = r * np.cos(turn), r * np.sin(turn)
    x = at[0] + x * room.x * reach + canvas.rng.normal(0, 0.02, count)
    y = at[1] + y * room.y * reach + canvas.rng.normal(0, 0.02, count)
    order = canvas.rng.permutation(count)
    return [(float(x[i]), float(y[i])) for i in order]


def pieces(layer: Layer, total: float, area: float, cover: float = 1.5, most: int = 70) -> int:
    """How many pieces show the layer's share of the mass on this area."""
    name = cut_of(layer)
    if name is None:
        return 0
    if name == "egg":
        return max(1, round(layer.grams / 50))
    radius, _ = SIZES[name]
    count = cover * area * (layer.grams / max(total, 1)) / (2.2 * radius * radius)
    return int(np.clip(round(count), 3, most))


def scatter(
    canvas: Canvas,
    layers: Sequence[Layer],
    room: Room,
    *,
    reach: float = 1.0,
    at: Point = (0.0, 0.0),
    cover: float = 1.5,
    sauce: Colour | None = None,
    coat: float = 0.0,
    z: float | None = None,
    sink: float = 0.0,
    larger: float = 1.0,
) -> None:
    """Mix the pieces of several foods over a place; `sink` pushes them below the surface."""
    total = sum(layer.grams for layer in layers)
    area = 3.2 * room.x * room.y * reach * reach
    wanted = [
        (layer, material(layer, sauce, coat))
        for layer in layers
        for _ in range(pieces(layer, total, area, cover))
    ]
    points = spread_points(canvas, len(wanted), room, reach, at)
    # Large pieces first: small ones would vanish under them.
    drawn = sorted(
        zip(wanted, points, strict=True), key=lambda item: -SIZES[cut_of(item[0][0]) or "crumb"][0]
    )
    for (layer, made), (x, y) in drawn:
        name = cut_of(layer)
        if name is not None:
            put(canvas, name, x, y, made, z=z, sink=sink, larger=larger)


def put(
    canvas: Canvas,
    name: str,
    x: float,
    y: float,
    made: Material,
    *,
    z: float | None = None,
    sink: float = 0.0,
    larger: float = 1.0,
    flat: float = 1.0,
) -> None:
    """Stamp one piece; it settles a little into what lies beneath."""
    piece = sprite(name, canvas.scale, canvas.rng, larger, flat)
    thickness = SIZES[name][1] * larger * flat
    if name == "egg":
        sink = 0.0  # it is poured on, not stirred in
    base = (canvas.at(x, y) if z is None else z) - thickness * (0.12 + sink)
    canvas.stamp(piece, x, y, made, base)


def mound(
    canvas: Canvas, room: Room, reach: float, tall: float, at: Point = (0.0, 0.0), ragged: float = 0.06
) -> Field:
    """A heap with an uneven edge, as a height field; far below the table outside of it."""
    xs, ys = axes(canvas.size)
    away = np.sqrt(((xs - at[0]) / (room.x * reach)) ** 2 + ((ys - at[1]) / (room.y * reach)) ** 2)
    if room.square:
        away = np.maximum(np.abs(xs - at[0]) / (room.x * reach), np.abs(ys - at[1]) / (room.y * reach))
    away = away + ragged * rolled(noise(canvas.size, 1.5), canvas.rng)
    rise = np.sqrt(np.clip(1 - away * away, 0, 1))
    height = room.floor + tall * rise
    return np.where(away < 1, height, np.float32(-1)).astype(np.float32)


def heap(
    canvas: Canvas,
    layer: Layer,
    room: Room,
    *,
    reach: float = 0.9,
    tall: float = 0.09,
    at: Point = (0.0, 0.0),
    sauce: Colour | None = None,
    coat: float = 0.0,
) -> None:
    """A heap of one food: a bed of grains, strands or shreds, or simply many of its pieces."""
    made = material(layer, sauce, coat)
    if layer.shape in BEDS:
        height, mix = bed(layer.shape, canvas.size)
        dy, dx = (int(v) for v in canvas.rng.integers(0, canvas.size // 2, 2))
        field = mound(canvas, room, reach, tall, at) + np.roll(height, (dy, dx), (0, 1))
        canvas.pour(field, replace(made, jitter=0.02), np.roll(mix, (dy, dx), (0, 1)))
        if layer.shape.startswith("strand"):
            for x, y in spread_points(canvas, 26, room, reach * 0.78, at):
                put(canvas, _CUT_OF[layer.shape], x, y, made, larger=0.8)
    elif layer.shape in ("cream", "liquid"):
        pool(canvas, made, room, reach=reach, rise=tall * 0.6, at=at)
    else:
        scatter(canvas, [layer], room, reach=reach, at=at, cover=2.4, sauce=sauce, coat=coat)


def pool(
    canvas: Canvas,
    made: Material,
    room: Room,
    *,
    reach: float = 1.0,
    rise: float = 0.02,
    at: Point = (0.0, 0.0),
) -> None:
    """A liquid that keeps an even surface with a soft edge."""
    field = mound(canvas, room, reach, 1.0, at, ragged=0.05)
    flat = np.where(field > 0, room.floor + np.minimum((field - room.floor) * 0.25, rise), np.float32(-1))
    ripple = 0.006 * rolled(noise(canvas.size, 1.8), canvas.rng)
    canvas.pour(
        (flat + ripple).astype(np.float32), made, 0.5 + 0.5 * rolled(noise(canvas.size, 1.4), canvas.rng)
    )


def patches(
    canvas: Canvas, made: Material, room: Room, share: float, lift: float = 0.012, reach: float = 1.0
) -> None:
    """A cover that leaves gaps: melted cheese, a sprinkle of sugar. `share` of the ground is covered."""
    inside = mound(canvas, room, reach, 0.0, ragged=0.04) > -0.5
    field = rolled(noise(canvas.size, 1.35), canvas.rng)
    edge = np.quantile(field, 1 - share)
    rise = smoothstep(float(edge) - 0.08, float(edge) + 0.3, field)
    wide = canvas.height + np.float32(lift) * rise
    canvas.pour(np.where(inside & (rise > 0.08), wide, np.float32(-1)).astype(np.float32), made, rise)


def melt(canvas: Canvas, layer: Layer, room: Room, share: float, reach: float = 1.0) -> None:
    """Cheese that ran together: smooth golden pools, browned in places, with gaps between them."""
    golden = lerp(layer.colour, (246, 196, 98), 0.42)
    made = Material(golden, lerp(golden, (255, 246, 220), 0.55), gloss=0.5, brown=0.42, jitter=0.03)
    smooth = blurred(canvas.height, 12)
    area = 3.4 * room.x * room.y * reach * reach
    for x, y in spread_points(canvas, int(share * area / 0.009), room, reach):
        row, column = (int(np.clip((v + 1) * canvas.scale, 0, canvas.size - 1)) for v in (y, x))
        larger = float(canvas.rng.choice((0.6, 0.9, 1.3)))
        put(
            canvas, "blob", x, y, made, z=float(smooth[row, column]) + 0.008, larger=larger, flat=0.8 / larger
        )


def crumbs(
    canvas: Canvas, layer: Layer, room: Room, share: float, shape: str = "crumb", reach: float = 1.0
) -> None:
    """A crumbly cover that leaves gaps through which the filling shows."""
    inside = mound(canvas, room, reach, 0.0, ragged=0.04) > -0.5
    field = rolled(noise(canvas.size, 1.4), canvas.rng)
    shown = inside & (field > np.quantile(field, 1 - share))
    height, mix = bed(shape, canvas.size)
    ground = 0.5 * (canvas.height + blurred(canvas.height, 12)) + np.float32(0.02)
    canvas.pour(np.where(shown, ground + height, np.float32(-1)).astype(np.float32), material(layer), mix)


def drizzle(canvas: Canvas, made: Material, room: Room, lines: int = 5, reach: float = 0.8) -> None:
    """Thin zigzag threads of sauce or syrup."""
    xs, ys = axes(canvas.size)
    angle = canvas.rng.uniform(0, np.pi)
    along = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle))
    across = ys * np.float32(np.cos(angle)) - xs * np.float32(np.sin(angle))
    path = np.sin(along * canvas.rng.uniform(9, 14) + canvas.rng.uniform(0, 6)) * 0.07
    spacing = 2 * room.y * reach / lines
    nearest = np.abs((across - path) / spacing - np.round((across - path) / spacing)) * spacing
    inside = np.sqrt((xs / (room.x * reach)) ** 2 + (ys / (room.y * reach)) ** 2) < 1
    width = np.float32(0.016)
    rise = np.sqrt(np.clip(1 - (nearest / width) ** 2, 0, 1)) * np.float32(0.012)
    canvas.pour(np.where(inside & (rise > 0), canvas.height + rise, np.float32(-1)).astype(np.float32), made)


def sprinkle(canvas: Canvas, layers: Sequence[Layer], room: Room, reach: float = 0.8) -> None:
    """What is scattered last: herbs, seeds, nuts, cheese, a wheel of lemon, sugar dust."""
    for layer in layers:
        name = cut_of(layer)
        if layer.shape == "dust" or (layer.place == "dust" and name is None):
            patches(
                canvas, Material((252, 250, 246), (252, 250, 246), gloss=0, jitter=0), room, 0.3, 0.002, reach
            )
        if name is None:
            continue
        radius, _ = SIZES[name]
        # Amounts of garnish are small; the eye counts pieces, so they grow with the mass.
        count = int(np.clip(layer.grams * 0.0016 / (radius * radius), 3, 60))
        if layer.shape == "wheel":
            count = int(np.clip(layer.grams / 35, 2, 4))
        for x, y in spread_points(canvas, count, room, reach):
            put(canvas, name, x, y, material(layer))


def dollops(canvas: Canvas, layers: Sequence[Layer], at: Point, larger: float = 1.0) -> None:
    """A spoonful of cream, yogurt or sauce beside or on the food."""
    for k, layer in enumerate(layers):
        made = replace(material(layer), gloss=0.5, jitter=0.01)
        put(
            canvas,
            "cream",
            at[0] + 0.12 * k,
            at[1] - 0.1 * k,
            made,
            larger=larger * (0.8 + layer.grams / 500),
        )
