"""What cooking does to colours: a layer and its sauce become a material."""

from __future__ import annotations

from collections.abc import Sequence

from chef.data.kitchen.dish import Layer
from chef.data.kitchen.paint.canvas import Material, lerp
from chef.data.kitchen.world import foods

_GOLDEN = (190, 122, 48)
_REDUCED = (112, 46, 20)  # what long simmering does to a sauce
_PALE = (244, 238, 222)
_GREENS = frozenset(("vegetable", "leafy", "herb", "fruit", "berry", "legume", "root", "allium"))
Colour = tuple[float, float, float]

# look: towards which colour, how far, gloss, browning, char
_LOOKS: dict[str, tuple[tuple[int, int, int], float, float, float, float]] = {
    "raw": (_PALE, 0.0, 0.35, 0.0, 0.0),
    "boiled": (_PALE, 0.12, 0.45, 0.0, 0.0),
    "simmered": ((120, 70, 36), 0.1, 0.6, 0.08, 0.0),
    "fried": (_GOLDEN, 0.2, 0.5, 0.42, 0.0),
    "baked": (_GOLDEN, 0.16, 0.25, 0.34, 0.0),
    "grilled": ((120, 76, 44), 0.1, 0.35, 0.18, 0.95),
}


def material(layer: Layer, sauce: Colour | None = None, coat: float = 0.0) -> Material:
    """The layer as cooked, with a coat of sauce where there is one."""
    towards, share, gloss, brown, char = _LOOKS[layer.look]
    if foods()[layer.token].kind in _GREENS and layer.look != "grilled":
        share, brown = share * 0.4, brown * 0.35  # vegetables keep their colour
    first, second = lerp(layer.colour, towards, share), lerp(layer.second, towards, share)
    if sauce is not None and coat:
        first, second = lerp(first, sauce, coat), lerp(second, sauce, coat)
        gloss += 0.3 * coat
    return Material(first, second, gloss=gloss, brown=brown, char=char)


def blend(layers: Sequence[Layer], fallback: Colour) -> Colour:
    """The colour of a sauce or a soup: its liquids by mass, tinted by spices and pastes."""
    liquids = [layer for layer in layers if layer.place == "sauce"]
    tints = [layer for layer in layers if layer.place == "tint" and layer.shape != "hidden"]
    total = sum(layer.grams for layer in liquids)
    colour = fallback
    if total:
        shades = [
            lerp(layer.colour, _REDUCED, 0.28 if layer.look == "simmered" else 0.0) for layer in liquids
        ]
        weighed = list(zip(shades, liquids, strict=True))
        red, green, blue = (sum(shade[c] * layer.grams for shade, layer in weighed) / total for c in range(3))
        colour = (red, green, blue)
    for layer in tints:
        # A spoon of turmeric colours more than a spoon of potato: pastes and spices count tenfold.
        strength = 12.0 if layer.shape == "tint" else 1.6
        colour = lerp(colour, layer.colour, min(0.85, strength * layer.grams / (total + 500)))
    return colour
