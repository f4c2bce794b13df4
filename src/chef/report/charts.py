"""The pictures of the page, drawn as SVG or HTML: nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean

from chef.evaluate.results import Dish, DrawnTree, SwapExample
from chef.report.gap import Gap, settle, signed
from chef.report.table import Value

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


def bars(rows: Sequence[Bar], largest: float, *, columns: int = 1) -> str:
    """Bars from 0 to `largest`.

    >>> bars([Bar("salt", 4.2, "4.2")], largest=5.0)
    """
    items = "".join(
        f'<li class="{row.kind}"><span class="what">{escape(row.label)}</span>'
        f'<span class="track"><i style="width:{100 * row.value / (largest or 1.0):.1f}%"></i></span>'
        f'<span class="number">{escape(row.text)} <small>{escape(row.spread)}</small></span></li>'
        for row in rows
    )
    return f'<ul class="bars" style="columns:{columns} 17rem">{items}</ul>'


def forest(rows: Sequence[tuple[str, str, Sequence[Gap]]]) -> str:
    """One line for each (label, small print, gaps): for each run a dot, and a bar over its interval.

    >>> forest([("T+T+L − S+L+L", "image to recipe", [Gap(1.2, 0.1, 2.3)])])
    """
    ends = [abs(end) for _, _, gaps in rows for gap in gaps for end in (gap.low, gap.high)]
    edge = max(ends, default=0.0) * 1.06 or 1.0

    def at(value: float) -> str:
        return f"{50 + 50 * value / edge:.1f}%"

    items = []
    for label, small, gaps in rows:
        heights = [f"{100 * (place + 0.5) / len(gaps):.1f}%" for place in range(len(gaps))]
        marks = "".join(
            f'<i style="left:{at(gap.low)};right:calc(100% - {at(gap.high)});top:{height}"></i>'
            f'<b style="left:{at(gap.difference)};top:{height}"></b>'
            for gap, height in zip(gaps, heights, strict=True)
        )
        mean = fmean(gap.difference for gap in gaps)
        detail = gaps[0].interval if len(gaps) == 1 else f"mean of {len(gaps)} runs"
        items.append(
            f'<li class="{settle(gaps)}"><span class="what">{escape(label)} <small>{escape(small)}</small>'
            f'</span><span class="track" style="height:{0.5 + 0.5 * len(gaps)}rem">{marks}</span>'
            f'<span class="number">{signed(mean)} <small>{detail}</small></span></li>'
        )
    return f'<ul class="forest">{"".join(items)}</ul>'


@dataclass(frozen=True)
class Line:
    label: str
    points: Sequence[tuple[int, Value]]  # K and the figure there
    kind: str  # the colour: a class of the style sheet


def lines(title: str, below: str, series: Sequence[Line]) -> str:
    """An SVG with one line for each series; bars show one sd over runs, or the interval of one run.

    >>> lines("Image to recipe", "removed", [Line("least important", [(0, Value((49.0,)))], "tree")])
    """
    numbers = sorted({k for line in series for k, _ in line.points})
    ends = [end for line in series for _, value in line.points for end in _ends(value)]
    air = (max(ends) - min(ends)) * 0.08 or 1.0
    low, high = min(ends) - air, max(ends) + air
    across = (WIDTH - LEFT - RIGHT) / max(len(numbers) - 1, 1)

    def x(k: int) -> float:
        return LEFT + numbers.index(k) * across

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
        for tick in _ticks(low, high)
    ]
    parts += [f'<text x="{x(k):.1f}" y="{HEIGHT - 16}" text-anchor="middle">{k}</text>' for k in numbers]
    for line in series:
        path = " ".join(f"{x(k):.1f},{y(value.mean):.1f}" for k, value in line.points)
        parts.append(f'<g class="{line.kind}"><polyline points="{path}"/>')
        for k, value in line.points:
            bottom, top = _ends(value)
            parts.append(
                f"<g><title>{escape(line.label)}, {k}: {value.text}</title>"
                f'<path d="M{x(k):.1f} {y(bottom):.1f}V{y(top):.1f}"/>'
                f'<circle cx="{x(k):.1f}" cy="{y(value.mean):.1f}" r="4"/></g>'
            )
        parts.append("</g>")
    key = "".join(f'<span class="{line.kind}"><i></i> {escape(line.label)}</span> ' for line in series)
    return (
        f'<div class="lines"><h4>{escape(title)}</h4><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}<text x="{(LEFT + WIDTH - RIGHT) / 2}" '
        f'y="{HEIGHT - 2}" text-anchor="middle">{escape(below)}</text></svg><p class="legend">{key}</p></div>'
    )


def _ends(value: Value) -> tuple[float, float]:
    if value.sd is not None:
        return value.mean - value.sd, value.mean + value.sd
    low, high = value.ci or (value.mean, value.mean)
    return low, high


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


def tree_cards(trees: Sequence[DrawnTree]) -> str:
    """Learned trees as in the paper's figures, on a page that may be dark or narrow."""
    cards = []
    for drawn in trees:
        photo = f'<img src="{escape(drawn.photo)}" alt="" loading="lazy">' if drawn.photo else ""
        svg = drawn.tree.svg(drawn.marked)
        width = re.search(r' width="(\d+)" height="\d+"', svg)
        assert width is not None, "a tree's picture says how wide it is"
        natural = int(width[1])  # its size, or smaller where the page is narrow
        style = f' style="width:100%;max-width:{natural}px;min-width:{SMALLEST * natural:.0f}px"'
        wide = " whole" if SMALLEST * natural > HALF else ""
        cards.append(
            f'<div class="treecard{wide}"><div class="name">{photo}<span>{escape(drawn.title)}</span></div>'
            '<div class="scroll" tabindex="0" role="region" aria-label="tree">'
            f"{svg.replace(width[0], style, 1)}</div></div>"
        )
    return f'<div class="trees">{"".join(cards)}</div>'


def gallery(swaps: Sequence[SwapExample]) -> str:
    """Substitutions with photos: each query, then the nearest dishes by photo and by text."""
    return f'<div class="swaps">{"".join(map(_swap, swaps))}</div>'


def _swap(swap: SwapExample) -> str:
    old, new = swap.pair.split("->")
    rows = "".join(
        f'<div class="found"><h5>{label}</h5>{"".join(_dish(dish, new) for dish in swap.dishes[way])}</div>'
        for way, label in {"recipe-to-image": "by photo", "recipe-to-recipe": "by text"}.items()
        if swap.dishes.get(way)
    )
    seen = " · seen in training" if swap.query.seen else ""
    return (
        f'<div class="swap"><div class="query">{_photo(swap.query)}<p>{escape(swap.query.title)}'
        f"<small><s>{escape(old)}</s> → {escape(new)}{seen}</small></p></div>{rows}</div>"
    )


def _dish(dish: Dish, wanted: str) -> str:
    kind, mark = ("yes", f"has {wanted}") if dish.contains else ("no", f"no {wanted}")
    seen = ' <span class="seen">seen</span>' if dish.seen else ""
    return (
        f'<figure class="{kind}">{_photo(dish)}<figcaption>{escape(dish.title)}'
        f"<small>{escape(mark)}{seen}</small></figcaption></figure>"
    )


def _photo(dish: Dish) -> str:
    if not dish.photo:
        return '<span class="nophoto"></span>'
    return f'<img src="{escape(dish.photo)}" alt="{escape(dish.title)}" loading="lazy">'
