"""Points of both modalities on a plane, each photo joined to its recipe (the paper's t-SNE figures)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

SIDE, EDGE = 400, 14  # pixels; free space around the points
FEW = 150  # pairs that have room for large dots
Points = Sequence[Sequence[float]]
Box = tuple[float, float, float]  # the lower corner and the larger of width and height


def scatter(title: str, names: Sequence[str], images: Points, recipes: Points, box: Box | None = None) -> str:
    """An SVG: images[i] and recipes[i] are the two points of names[i]. `box`: the plane to show of it.

    >>> scatter("T+T+L", ["soup"], [[0, 0]], [[1, 2]])
    """
    left, bottom, size = box or bounds(images, recipes)
    scale = (SIDE - 2 * EDGE) / (size or 1.0)

    def place(point: Sequence[float]) -> tuple[str, str]:
        return f"{EDGE + (point[0] - left) * scale:.1f}", f"{SIDE - EDGE - (point[1] - bottom) * scale:.1f}"

    radius = 3.0 if len(names) <= FEW else 2.2
    pairs = []
    for name, image, recipe in zip(names, images, recipes, strict=True):
        (x1, y1), (x2, y2) = place(image), place(recipe)
        pairs.append(
            f'<g><title>{escape(name)}</title><path d="M{x1} {y1}L{x2} {y2}"/>'
            f'<circle class="i" cx="{x1}" cy="{y1}" r="{radius}"/><circle class="r" cx="{x2}" cy="{y2}" '
            f'r="{radius}"/></g>'
        )
    label = escape(f"{title}: {len(names)} pairs of photo and recipe")
    return (
        f'<div class="scatter"><h4>{escape(title)}</h4>'
        f'<svg viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{label}">{"".join(pairs)}</svg></div>'
    )


def legend() -> str:
    return '<p class="legend"><i class="i"></i> photo <i class="r"></i> recipe</p>'


def bounds(*groups: Points) -> Box:
    """The square that holds all points."""
    points = [point for group in groups for point in group]
    left, bottom = min(point[0] for point in points), min(point[1] for point in points)
    right, top = max(point[0] for point in points), max(point[1] for point in points)
    return left, bottom, max(right - left, top - bottom)
