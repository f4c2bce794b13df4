"""The painter: a dish becomes a photo of a plate seen from above.

Food is laid on the plate as flat shapes with a shadow, one place after the other (`PLACES`). Lengths are in
half canvas widths: the canvas spans -1 to 1. Tables, vessels and what cooking does to colours are in
`paint.json`; `shapes.tsv` has the outline of each shape (a curve is drawn as a thick line), its radius, how
wide it is beside its length, and how uneven.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from chef.data.kitchen.tables import read_text

if TYPE_CHECKING:
    from chef.data.kitchen.sample import Dish, Layer

Colour = tuple[float, float, float]

PAINT: dict[str, Any] = json.loads(read_text("paint.json"))
SHAPES = {
    name: (outline, float(radius), float(aspect), float(wobble))
    for name, outline, radius, aspect, wobble in (
        row.split("\t") for row in read_text("shapes.tsv").splitlines()[1:]
    )
}
_ENLARGED = 2  # drawn this much larger than asked for, then brought down to size
_GOLDEN, _DARK = (190, 122, 48), (40, 24, 14)
_TURN = 2.399963  # the golden angle, of a sunflower's seeds


def _mix(first: Sequence[float], second: Sequence[float], share: float) -> Colour:
    """A colour between two."""
    r, g, b = (a + (c - a) * share for a, c in zip(first, second, strict=True))
    return r, g, b


def _cooked(layer: Layer) -> tuple[Colour, Colour]:
    """The two colours of a food as cooked; vegetables keep theirs."""
    towards, share = PAINT["looks"][layer.look]
    share *= 1.0 if layer.food.kind in PAINT["browning_kinds"] else 0.4
    return _mix(layer.food.colour, towards, share), _mix(layer.food.second, towards, share)


@dataclass(frozen=True, slots=True)
class Area:
    """Where food may lie: an ellipse, or a rectangle where `square` says so."""

    x: float
    y: float
    square: bool = False
    at: tuple[float, float] = (0.0, 0.0)

    def scaled(self, reach: float) -> Area:
        return replace(self, x=self.x * reach, y=self.y * reach)

    def spread(self, count: int, rng: Random) -> Iterator[tuple[float, float]]:
        """Points spread evenly (a sunflower, or a lattice in a rectangle), shaken a little."""
        start = rng.random()
        for k in range(count):
            if self.square:
                x, y = (((k + 0.5) * step + start) % 1 * 1.88 - 0.94 for step in (0.754877, 0.569840))
            else:
                away, turn = 0.95 * math.sqrt((k + 0.5) / count), (k + start) * _TURN
                x, y = away * math.cos(turn), away * math.sin(turn)
            yield (
                self.at[0] + x * self.x + rng.gauss(0, 0.02),
                self.at[1] + y * self.y + rng.gauss(0, 0.02),
            )


class Plate:
    """A plate being filled."""

    def __init__(self, picture: Image.Image, area: Area, layers: dict[str, list[Layer]], rng: Random) -> None:
        self.draw, self.half, self.rng = ImageDraw.Draw(picture), picture.width / 2, rng
        self.area, self.layers, self.sauce = area, layers, _blended(layers)

    def _pixels(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [((x + 1) * self.half, (y + 1) * self.half) for x, y in points]

    def disc(self, area: Area, colour: Sequence[float]) -> None:
        """A surface of one colour with a darker edge."""
        for reach, shade in ((1.0, 0.2), (0.97, 0.0)):
            x, y = area.x * reach, area.y * reach
            box = self._pixels([(area.at[0] - x, area.at[1] - y), (area.at[0] + x, area.at[1] + y)])
            fill = _rgb(_mix(colour, _DARK, shade))
            if area.square:
                self.draw.rounded_rectangle(box, 0.1 * self.half, fill)
            else:
                self.draw.ellipse(box, fill)

    def piece(self, layer: Layer, x: float, y: float, larger: float = 1.0) -> None:
        """One piece of a food with its shadow: no two are quite alike."""
        outline, radius, aspect, wobble = SHAPES[layer.food.shape]
        rng, turn = self.rng, self.rng.uniform(0, 2 * math.pi)
        radius *= larger * rng.uniform(0.88, 1.12)
        first, second = (_mix(colour, _DARK, rng.uniform(-0.08, 0.1)) for colour in _cooked(layer))
        uneven = [1 + wobble * rng.uniform(-1, 1) for _ in range(16)]

        def points(inner: float, shift: float) -> list[tuple[float, float]]:
            out = []
            for k, factor in enumerate(uneven):
                angle = k * math.pi / 8
                u, v = math.cos(angle), math.sin(angle) ** (3 if outline == "leaf" else 1) * aspect
                if outline == "curve":  # half of a circle
                    u, v = math.cos(angle / 2), math.sin(angle / 2) - 0.5
                u, v = u * radius * inner * factor, v * radius * inner * factor
                turned = (u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn))
                out.append((x + turned[0] + shift, y + turned[1] + shift))
            return self._pixels(out)

        shadow, width = _rgb(_mix(first, _DARK, 0.7)), max(1, round(1.4 * radius * aspect * self.half))
        for fill, inner, shift in ((shadow, 1.0, 0.012), (_rgb(first), 1.0, 0.0), (_rgb(second), 0.5, 0.0)):
            if outline != "curve":
                self.draw.polygon(points(inner, shift), fill)
            else:
                self.draw.line(points(1.0, shift), fill, max(1, round(width * inner)), "curve")

    def scatter(self, layers: Sequence[Layer], area: Area, cover: float, most: int = 60) -> None:
        """Mix the pieces of several foods over an area, each by its share of the mass."""
        room = cover * 1.45 * area.x * area.y / max(sum(layer.grams for layer in layers), 1)
        pieces = []
        # Small pieces would vanish under large ones; the main ingredient lies on top of everything.
        for layer in sorted(layers, key=lambda one: (one.role == "main", -SHAPES[one.food.shape][1])):
            count = round(room * layer.grams / SHAPES[layer.food.shape][1] ** 2)
            pieces += [layer] * min(max(count, 3), most)
        places = list(area.spread(len(pieces), self.rng))
        self.rng.shuffle(places)
        for layer, (x, y) in zip(pieces, places, strict=True):
            self.piece(layer, x, y)

    def heap(self, layer: Layer, area: Area) -> None:
        """Much of one food: many of its pieces, or a pool."""
        self.disc(area.scaled(0.9), _mix(_cooked(layer)[0], _DARK, 0.15))
        if layer.food.shape in SHAPES and layer.food.shape != "cream":
            self.scatter([layer], area, 2.4, most=300)


def _broth(plate: Plate, layers: list[Layer]) -> None:
    plate.disc(plate.area.scaled(1.2), plate.sauce or _GOLDEN)


def _crust(plate: Plate, layers: list[Layer]) -> None:
    for layer in layers:
        plate.disc(plate.area.scaled(1.06), _mix(layer.food.colour, _GOLDEN, 0.45))
    plate.area = plate.area.scaled(0.86)


def _sauce(plate: Plate, layers: list[Layer]) -> None:
    if plate.sauce is not None and "side" not in plate.layers:
        plate.disc(plate.area.scaled(0.98), plate.sauce)


def _base(plate: Plate, layers: list[Layer]) -> None:
    for layer in layers:
        plate.heap(layer, plate.area.scaled(0.95))
    plate.area = plate.area.scaled(0.8)


def _side(plate: Plate, layers: list[Layer]) -> None:
    """Side dishes in the back half of the plate; the front half is left for the main thing and its sauce."""
    area, turn = plate.area, plate.rng.uniform(-0.25, 0.25)
    for k, layer in enumerate(layers):
        angle = turn - math.pi / 2 + (k - (len(layers) - 1) / 2) * 1.35
        at = (0.55 * area.x * math.cos(angle), 0.55 * area.y * math.sin(angle))
        plate.heap(layer, replace(area.scaled((0.56, 0.44, 0.36)[len(layers) - 1]), at=at))
    plate.area = replace(area, x=area.x * 0.78, y=area.y * 0.52, at=(0.0, 0.38 * area.y))
    if plate.sauce is not None:
        plate.disc(plate.area, plate.sauce)


def _body(plate: Plate, layers: list[Layer]) -> None:
    pieces = [layer for layer in layers if layer.food.shape in SHAPES]
    plate.scatter(pieces, plate.area, 0.95 if "base" in plate.layers else 1.6, most=120)


def _hero(plate: Plate, layers: list[Layer]) -> None:
    """The main thing in large pieces, side by side."""
    for layer in layers:
        count = min(max(int(layer.grams / 200), 2), 4)
        for k in range(count):
            x = plate.area.at[0] + plate.area.x * (1.7 * (k + 0.5) / count - 0.85)
            y = plate.area.at[1] + plate.area.y * plate.rng.uniform(-0.25, 0.15)
            plate.piece(layer, x, y, 0.38 / math.sqrt(count) / SHAPES[layer.food.shape][1])


def _top(plate: Plate, layers: list[Layer]) -> None:
    """What comes last: herbs, seeds, nuts, a slice of lemon, a spoonful of cream. More grams, more pieces."""
    for layer in layers:
        if shape := SHAPES.get(layer.food.shape):
            most = {"cream": 1, "wheel": 2}.get(layer.food.shape, 30)
            count = min(max(int(layer.grams * 0.0016 / shape[1] ** 2), min(3, most)), most)
            for x, y in plate.area.scaled(0.85).spread(count, plate.rng):
                plate.piece(layer, x, y)


# What is painted at each place, in the order in which a cook fills the plate.
PLACES: dict[str, Callable[[Plate, list[Layer]], None]] = {
    "broth": _broth, "crust": _crust, "sauce": _sauce, "base": _base, "side": _side, "body": _body,
    "hero": _hero, "top": _top,
}  # fmt: skip


def paint(dish: Dish, size: int = 256, view: int = 0) -> Image.Image:
    """The plate, drawn larger than asked and brought down to size.

    The table and the vessel belong to the dish; arrangement, light and camera to the photo (`view`).
    """
    setting, rng = Random(f"{dish.key}-setting"), Random(f"{dish.key}-photo-{view}")
    width = _ENLARGED * size
    table, glaze = setting.choice(PAINT["tables"]), setting.choice(PAINT["glazes"])
    picture = Image.new("RGB", (width, width), _rgb(table))
    layers: dict[str, list[Layer]] = {}
    for layer in dish.layers:
        layers.setdefault(layer.place, []).append(layer)
    vessel = PAINT["vessels"][dish.vessel]
    plate = Plate(picture, Area(*vessel["area"]), layers, rng)
    colour = vessel.get("colour", glaze)
    plate.disc(plate.area.scaled(1.36 if not plate.area.square else 1.16), colour)
    plate.disc(plate.area.scaled(1.1), _mix(colour, (255, 255, 255), 0.25))
    for place, put in PLACES.items():
        if place in layers:
            put(plate, layers[place])
    # The camera: a little closer or farther, and off the middle; warmer or colder light.
    seen = rng.uniform(0.9, 1.0) * width
    left, top = ((width - seen) * rng.uniform(0.2, 0.8) for _ in range(2))
    warm, light = rng.uniform(-0.04, 0.06), rng.uniform(0.88, 1.05)
    picture = picture.convert("RGB", (light + warm, 0, 0, 0, 0, light, 0, 0, 0, 0, light - warm, 0))
    return picture.resize((size, size), Image.Resampling.BOX, box=(left, top, left + seen, top + seen))


def _rgb(colour: Sequence[float]) -> tuple[int, int, int]:
    r, g, b = (min(max(round(part), 0), 255) for part in colour)
    return r, g, b


def _blended(layers: dict[str, list[Layer]]) -> Colour | None:
    """The colour of a sauce or soup: its liquids count by mass, spices and pastes more than that."""
    colour: Colour | None = None
    total = 0.0
    for layer in [*layers.get("broth", []), *layers.get("sauce", [])]:
        total += layer.grams
        shade = _mix(layer.food.colour, (112, 46, 20), 0.25 if layer.look == "simmered" else 0.0)
        colour = _mix(colour or shade, shade, layer.grams / total)
    for layer in layers.get("tint", []):
        if colour is not None and layer.food.shape != "hidden":
            colour = _mix(colour, layer.food.colour, min(0.7, 12 * layer.grams / (total + 500)))
    return colour
