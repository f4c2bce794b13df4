"""The pictures of the page: where things are; `templates/charts.html` draws them as SVG or HTML."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from types import SimpleNamespace

from markupsafe import Markup

from chef.evaluate.results import DrawnTree
from chef.report.gap import Gap, settle, signed
from chef.report.table import Value
from chef.report.table_formats import draw

WIDTH, HEIGHT = 400, 250  # of a line chart, in pixels
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 16, 34
SIDE, EDGE = 400, 14  # of a scatter plot, and the free space around its points
FEW = 150  # pairs that leave space for large dots
SMALLEST = 0.7  # of its natural size: a tree that would be smaller scrolls, to keep its words readable
HALF = 440  # pixels of half a page: a tree that must be wider gets the whole width

Points = Sequence[Sequence[float]]
Box = tuple[float, float, float]  # the lower corner and the larger of width and height


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    text: str
    spread: str = ""
    kind: str = ""  # the colour: a class of the style sheet


def forest(rows: Sequence[tuple[str, str, Sequence[Gap]]]) -> Markup:
    """One line for each (label, small print, gaps): for each run a dot, and a bar over its interval.

    >>> forest([("T+T+L − S+L+L", "image to recipe", [Gap(1.2, 0.1, 2.3)])])
    """
    ends = [abs(end) for _, _, gaps in rows for gap in gaps for end in (gap.low, gap.high)]
    edge = max(ends, default=0.0) * 1.06 or 1.0

    def at(*values: float) -> list[str]:
        return [f"{50 + 50 * value / edge:.1f}%" for value in values]

    items = []
    for label, small, gaps in rows:
        marks = [
            [*at(gap.low, gap.difference, gap.high), f"{100 * (place + 0.5) / len(gaps):.1f}%"]
            for place, gap in enumerate(gaps)
        ]
        mean = signed(fmean(gap.difference for gap in gaps))
        detail = gaps[0].interval if len(gaps) == 1 else f"mean of {len(gaps)} runs"
        items.append((label, small, settle(gaps), marks, mean, detail))
    return draw("forest", items)


@dataclass(frozen=True)
class Line:
    label: str
    points: Sequence[tuple[int, Value]]  # K and the figure there
    kind: str  # the colour: a class of the style sheet


def lines(title: str, below: str, series: Sequence[Line]) -> Markup:
    """An SVG with one line for each series; bars show one sd over runs, or the interval of one run.

    >>> lines("Image to recipe", "removed", [Line("least important", [(0, Value((49.0,)))], "tree")])
    """
    numbers = sorted({k for line in series for k, _ in line.points})
    ends = [end for line in series for _, value in line.points for end in value.ends]
    air = (max(ends) - min(ends)) * 0.08 or 1.0
    low, high = min(ends) - air, max(ends) + air
    across = (WIDTH - LEFT - RIGHT) / max(len(numbers) - 1, 1)

    def x(k: int) -> str:
        return f"{LEFT + numbers.index(k) * across:.1f}"

    def y(value: float, below: int = 0) -> str:
        return f"{TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM) + below:.1f}"

    box = SimpleNamespace(width=WIDTH, height=HEIGHT, left=LEFT, right=WIDTH - RIGHT)
    return draw("lines", title, below, series, numbers, _ticks(low, high), x, y, box)


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers between the ends."""
    step = next(
        size * 10.0**power
        for power in range(-3, 4)
        for size in (1, 2, 5)
        if (high - low) / (size * 10.0**power) <= 8
    )
    first = int(low // step) + 1
    return [round(number * step, 6) for number in range(first, int(high // step) + 1)]


def scatter(
    title: str, names: Sequence[str], images: Points, recipes: Points, box: Box | None = None
) -> Markup:
    """An SVG: images[i] and recipes[i] are the two points of names[i]. `box`: the plane to show of it.

    >>> scatter("T+T+L", ["soup"], [[0, 0]], [[1, 2]])
    """
    left, bottom, size = box or bounds(images, recipes)
    scale = (SIDE - 2 * EDGE) / (size or 1.0)

    def place(point: Sequence[float]) -> tuple[str, str]:
        return f"{EDGE + (point[0] - left) * scale:.1f}", f"{SIDE - EDGE - (point[1] - bottom) * scale:.1f}"

    pairs = list(zip(names, map(place, images), map(place, recipes), strict=True))
    return draw("scatter", title, pairs, 3.0 if len(names) <= FEW else 2.2, SIDE)


def bounds(*groups: Points) -> Box:
    """The square that holds all points."""
    points = [point for group in groups for point in group]
    left, bottom = min(point[0] for point in points), min(point[1] for point in points)
    right, top = max(point[0] for point in points), max(point[1] for point in points)
    return left, bottom, max(right - left, top - bottom)


def tree_cards(trees: Sequence[DrawnTree]) -> Markup:
    """Learned trees, each in its natural size, or smaller where the page is narrow."""
    cards = []
    for drawn in trees:
        svg = drawn.tree.svg(drawn.marked)
        width = re.search(r' width="(\d+)" height="\d+"', svg)
        assert width is not None, "a tree's picture says how wide it is"
        natural = int(width[1])
        style = f' style="width:100%;max-width:{natural}px;min-width:{SMALLEST * natural:.0f}px"'
        cards.append((drawn, Markup(svg.replace(width[0], style, 1)), SMALLEST * natural > HALF))
    return draw("tree_cards", cards)
