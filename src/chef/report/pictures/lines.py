"""A line chart: how a figure changes with K."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from chef.report.value import Value

WIDTH, HEIGHT = 400, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 16, 34


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
    low, high = _range(series)
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
    return value.ci or (value.mean, value.mean)


def _range(series: Sequence[Line]) -> tuple[float, float]:
    ends = [end for line in series for _, value in line.points for end in _ends(value)]
    low, high = min(ends), max(ends)
    air = (high - low) * 0.08 or 1.0
    return low - air, high + air


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
