"""The painter: a dish becomes a photo of a plate seen from above.

Food is laid on the canvas with a depth test, one place of the plate after the other (`PLACES`), and lit at
the end. Lengths and heights are in half canvas widths: the canvas spans -1 to 1. Tables, vessels and what
cooking does to colours are in `paint.json`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from chef.data.kitchen.light import PAINT, Canvas, Colour, Material, lay_vessel, lerp, lit, table
from chef.data.kitchen.shapes import SHAPES, Field, axes, bed, generator, noise, rolled, smoothstep

if TYPE_CHECKING:
    from chef.data.kitchen.sample import Dish, Layer

_ENLARGED = 1.75  # drawn this much larger than asked for, then brought down to size
_BELOW = np.float32(-1)
_GOLDEN = (190, 122, 48)
_PALE = (244, 238, 222)


@dataclass(frozen=True, slots=True)
class Area:
    """Where food may lie: an ellipse on a floor, or a rectangle where `square` says so."""

    x: float
    y: float
    floor: float
    level: float  # how high a liquid stands
    square: bool = False
    at: tuple[float, float] = (0.0, 0.0)

    def scaled(self, reach: float) -> Area:
        return replace(self, x=self.x * reach, y=self.y * reach)


def _cooked(layer: Layer, sauce: Colour | None = None) -> Material:
    """The layer as cooked, with a coat of sauce where there is one."""
    towards, share, gloss, brown, char = PAINT["looks"][layer.look]
    if layer.food.kind not in PAINT["browning_kinds"] and not char:
        share, brown = share * 0.4, brown * 0.35  # vegetables keep their colour
    first, second = lerp(layer.food.colour, towards, share), lerp(layer.food.second, towards, share)
    if sauce is not None:
        first, second, gloss = lerp(first, sauce, 0.25), lerp(second, sauce, 0.25), gloss + 0.1
    return Material(first, second, gloss, brown, char)


def _liquid(colour: Colour) -> Material:
    return Material(colour, lerp(colour, (255, 250, 240), 0.15), gloss=0.8, jitter=0)


@dataclass(slots=True)
class Scene:
    """A plate being filled."""

    canvas: Canvas
    area: Area
    layers: dict[str, list[Layer]]  # place -> foods
    sauce: Colour | None

    def scatter(self, layers: Sequence[Layer], area: Area, cover: float) -> None:
        """Mix the pieces of several foods over an area, each by its share of the mass."""
        room = cover * 3.2 * area.x * area.y / max(sum(layer.grams for layer in layers), 1)
        pieces: list[tuple[str, Material]] = []
        # Small pieces would vanish under large ones; the main ingredient lies on top of everything.
        for layer in sorted(
            layers, key=lambda layer: (layer.role == "main", -SHAPES[layer.food.shape].radius)
        ):
            count = min(max(round(room * layer.grams / (2.2 * SHAPES[layer.food.shape].radius ** 2)), 3), 60)
            pieces += [(layer.food.shape, _cooked(layer, self.sauce))] * count
        for (shape, material), (x, y) in zip(pieces, self.spread(len(pieces), area), strict=True):
            self.canvas.stamp(shape, x, y, material)

    def spread(self, count: int, area: Area) -> list[list[float]]:
        """Points spread evenly (a sunflower, or a lattice in a rectangle), shuffled and shaken a little."""
        rng, k = self.canvas.rng, np.arange(count) + 0.5
        if area.square:
            x, y = ((k * step + rng.random()) % 1 * 1.88 - 0.94 for step in (0.754877, 0.569840))
        else:
            r, turn = np.sqrt(k / max(count, 1)) * 0.95, k * 2.399963 + rng.uniform(0, 6.3)
            x, y = r * np.cos(turn), r * np.sin(turn)
        points = np.stack((x * area.x, y * area.y), axis=1) + area.at + rng.normal(0, 0.02, (count, 2))
        return [[float(x), float(y)] for x, y in points[rng.permutation(count)]]

    def mound(self, area: Area, tall: float, ragged: float = 0.06) -> Field:
        """A heap with an uneven edge, as a height field; far below the table outside of it."""
        xs, ys = axes(self.canvas.size)
        x, y = (xs - area.at[0]) / area.x, (ys - area.at[1]) / area.y
        away = np.maximum(np.abs(x), np.abs(y)) if area.square else np.sqrt(x * x + y * y)
        away += ragged * self.clouds(1.5)
        height = area.floor + tall * np.sqrt(np.clip(1 - away * away, 0, 1))
        return np.where(away < 1, height, _BELOW)

    def pool(self, material: Material, area: Area, rise: float) -> None:
        """A liquid with an even surface and a soft edge."""
        heap, clouds = self.mound(area, 1.0, 0.05), self.clouds(1.4)
        flat = area.floor + np.minimum((heap - area.floor) * 0.25, rise) + 0.006 * clouds
        self.canvas.pour(np.where(heap > 0, flat, _BELOW), material, 0.5 + 0.5 * clouds)

    def heap(self, layer: Layer, area: Area, tall: float) -> None:
        """A heap of one food: a bed of grains or strands, many of its pieces, or a pool."""
        material = _cooked(layer, self.sauce)
        shape = SHAPES.get(layer.food.shape)
        if shape is None or layer.food.shape == "cream":
            self.pool(material, area, tall * 0.6)
        elif shape.bed:
            shift = tuple(int(v) for v in self.canvas.rng.integers(0, self.canvas.size // 2, 2))
            height, mix = (np.roll(part, shift, (0, 1)) for part in bed(layer.food.shape, self.canvas.size))
            self.canvas.pour(height + self.mound(area, tall), replace(material, jitter=0.02), mix)
        else:
            self.scatter([layer], area, 2.4)

    def clouds(self, roughness: float) -> Field:
        """Noise as large as the canvas, never twice the same."""
        return rolled(noise(self.canvas.size, roughness), self.canvas.rng)


def _broth(scene: Scene, layers: list[Layer]) -> None:
    """Liquid up to the level of the vessel; what comes later sticks out of it."""
    area = scene.area
    scene.pool(_liquid(scene.sauce or _PALE), replace(area.scaled(1.22), floor=area.level - 0.02), 0.02)
    scene.area = replace(area, floor=area.level)


def _crust(scene: Scene, layers: list[Layer]) -> None:
    """A disc of dough with a raised rim, or of cake."""
    floor, clouds = scene.area.floor, scene.clouds(1.2)
    disc = scene.mound(scene.area.scaled(1.06), 1.0, 0.03)
    inside = np.clip((disc - floor) * 2.2, 0, 1)  # 0 on the edge, 1 in the middle
    for layer in layers:
        cake = layer.food.shape == "powder"
        tall = 0.16 * smoothstep(0, 0.5, inside) if cake else 0.09 - 0.055 * smoothstep(0.75, 1, inside)
        colour = lerp(layer.food.colour, _GOLDEN, 0.45)
        material = Material(colour, lerp(colour, _PALE, 0.35), 0.15, brown=0.4, jitter=0.03)
        scene.canvas.pour(np.where(disc > 0, floor + tall, _BELOW), material, 0.5 + 0.5 * clouds)
    scene.area = replace(scene.area.scaled(0.86), floor=scene.canvas.at(0, 0))


def _sauce(scene: Scene, layers: list[Layer]) -> None:
    if scene.sauce is not None and "side" not in scene.layers:
        scene.pool(_liquid(scene.sauce), scene.area.scaled(0.98), 0.02)


def _base(scene: Scene, layers: list[Layer]) -> None:
    for layer in layers:
        reach, tall = (0.98, 0.07) if layer.food.kind in ("leafy", "dairy") else (0.95, 0.12)
        scene.heap(layer, scene.area.scaled(reach), tall)
    scene.area = scene.area.scaled(0.8)


def _side(scene: Scene, layers: list[Layer]) -> None:
    """Side dishes in the back half of the plate; the front half is left for the main thing and its sauce."""
    area, sauce = scene.area, scene.sauce
    turn, reach = scene.canvas.rng.uniform(-0.25, 0.25), (0.56, 0.44, 0.36)[len(layers) - 1]
    scene.sauce = None
    for k, layer in enumerate(layers):
        angle = turn - math.pi / 2 + (k - (len(layers) - 1) / 2) * 1.35
        at = (0.55 * area.x * math.cos(angle), 0.55 * area.y * math.sin(angle))
        scene.heap(layer, replace(area.scaled(reach), at=at), 0.08)
    scene.sauce = sauce
    scene.area = replace(area, x=area.x * 0.78, y=area.y * 0.52, at=(0.0, 0.38 * area.y))
    if sauce is not None:
        scene.pool(_liquid(sauce), scene.area.scaled(1.15), 0.03)


def _body(scene: Scene, layers: list[Layer]) -> None:
    """The pieces of the dish, and minced meat as a heap in the middle."""
    minced = [
        layer for layer in layers if layer.food.shape in ("mince", "flake") and "crust" not in scene.layers
    ]
    pieces = [layer for layer in layers if layer.food.shape in SHAPES and layer not in minced]
    for layer in minced:
        floor = scene.canvas.at(*scene.area.at) - 0.02
        scene.heap(layer, replace(scene.area.scaled(0.85), floor=floor), 0.07)
    cover = 0.95 if "base" in scene.layers else 1.25 if {"crust", "broth"} & scene.layers.keys() else 1.9
    share = sum(layer.grams for layer in pieces) / sum(layer.grams for layer in layers)
    scene.scatter(pieces, scene.area, cover * share)


def _hero(scene: Scene, layers: list[Layer]) -> None:
    """The main thing in large pieces, side by side."""
    for layer in layers:
        count = int(np.clip(layer.grams / 200, 2, 4))
        larger = {"chunk": 2.2, "medallion": 1.7, "drumstick": 1.5}.get(layer.food.shape, 1.4)
        for k in range(count):
            x = scene.area.at[0] + scene.area.x * (1.7 * (k + 0.5) / count - 0.85)
            y = scene.area.at[1] + scene.area.y * float(scene.canvas.rng.uniform(-0.25, 0.15))
            scene.canvas.stamp(layer.food.shape, x, y, _cooked(layer), larger=larger)


def _top(scene: Scene, layers: list[Layer]) -> None:
    """What comes last: herbs, seeds, nuts, a slice of lemon, a spoonful of cream. More grams, more pieces."""
    for layer in layers:
        if shape := SHAPES.get(layer.food.shape):
            most = 1 if layer.food.shape == "cream" else 2 if layer.food.shape == "wheel" else 30
            count = int(np.clip(layer.grams * 0.0016 / shape.radius**2, min(3, most), most))
            for x, y in scene.spread(count, scene.area.scaled(0.85)):
                scene.canvas.stamp(layer.food.shape, x, y, _cooked(layer))


# What is painted at each place, in the order in which a cook fills the plate.
PLACES: dict[str, Callable[[Scene, list[Layer]], None]] = {
    "broth": _broth, "crust": _crust, "sauce": _sauce, "base": _base, "side": _side, "body": _body,
    "hero": _hero, "top": _top,
}  # fmt: skip


def paint(dish: Dish, size: int = 256, view: int = 0) -> Image.Image:
    """Draw the plate larger than asked, light it, and bring it down to size.

    The table and the vessel belong to the dish; arrangement, light and camera to the photo (`view`).
    """
    key = (dish.plan.seed, dish.plan.index)
    setting = generator("setting", *key)
    camera = generator("camera", *key, view)
    canvas = Canvas(int(_ENLARGED * size), generator("photo", *key, view))
    background = table(int(setting.integers(len(PAINT["tables"]))), canvas.size)
    lay_vessel(canvas, dish.plan.vessel, PAINT["glazes"][int(setting.integers(len(PAINT["glazes"])))])
    layers: dict[str, list[Layer]] = {}
    for layer in dish.layers:
        layers.setdefault(layer.place, []).append(layer)
    area = Area(*PAINT["vessels"][dish.plan.vessel]["area"])
    scene = Scene(canvas, area, layers, _blended(layers))
    for place, put in PLACES.items():
        if place in layers:
            put(scene, layers[place])
    picture = lit(canvas, background, camera)
    # The camera: a little closer or farther, off the middle, and tilted (which flattens the plate).
    width = camera.uniform(0.9, 1.0) * canvas.size
    height = min(canvas.size, width * camera.uniform(1.0, 1.12))
    left = (canvas.size - width) * camera.uniform(0.3, 0.7)
    top = (canvas.size - height) * camera.uniform(0.3, 0.7)
    return picture.resize((size, size), Image.Resampling.HAMMING, box=(left, top, left + width, top + height))


def _blended(layers: dict[str, list[Layer]]) -> Colour | None:
    """The colour of a sauce or soup: its liquids count by mass, spices and pastes more than that."""
    colour: Colour | None = None
    total = 0.0
    for layer in [*layers.get("broth", []), *layers.get("sauce", [])]:
        total += layer.grams
        shade = lerp(layer.food.colour, (112, 46, 20), 0.25 if layer.look == "simmered" else 0.0)
        colour = lerp(colour or shade, shade, layer.grams / total)
    for layer in layers.get("tint", []):
        if colour is not None and layer.food.shape != "hidden":
            colour = lerp(colour, layer.food.colour, min(0.7, 12 * layer.grams / (total + 500)))
    return colour
