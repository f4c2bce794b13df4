"""The ladder as a picture: one row a rung, R@1 and R@10, the baseline as two lines from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from chef.report.value import Value

WIDTH, LABELS, RIGHT, ROW, TOP, BOTTOM = 820, 330, 24, 30, 44, 30
COLOURS = {"R@1": "#0b5e55", "R@10": "#d08a1d"}


@dataclass(frozen=True)
class Rung:
    """One row: what it is called, and its figures by metric."""

    label: str
    values: dict[str, Value]


def figure(rungs: Sequence[Rung], baselines: Sequence[Rung] = ()) -> str:
    """An SVG that stands on its own. Bars show one standard deviation over training seeds.

    >>> figure([Rung("chef-ttl", {"R@1": Value((18.0,)), "R@10": Value((55.0,))})])
    """
    height = TOP + ROW * len(rungs) + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="R@1 and R@10 of every rung" font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *_scale(height),
        *(_mark(metric, baseline, height) for baseline in baselines for metric in COLOURS),
    ]
    for place, rung in enumerate(rungs):
        parts += _row(rung, TOP + ROW * (place + 0.5))
    return "\n".join([*parts, *_legend(baselines), "</svg>"]) + "\n"


def _x(percent: float) -> float:
    return LABELS + percent / 100 * (WIDTH - LABELS - RIGHT)


def _scale(height: int) -> list[str]:
    return [
        f'<line x1="{_x(tick):.1f}" x2="{_x(tick):.1f}" y1="{TOP}" y2="{height - BOTTOM}" stroke="#e3e3e3"/>'
        f'<text x="{_x(tick):.1f}" y="{height - 12}" text-anchor="middle" fill="#555">{tick} %</text>'
        for tick in range(0, 101, 20)
    ]


def _mark(metric: str, baseline: Rung, height: int) -> str:
    x = _x(baseline.values[metric].mean)
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{height - BOTTOM}" stroke="{COLOURS[metric]}" '
        f'stroke-dasharray="5 4"><title>{escape(baseline.label)}: {metric} {baseline.values[metric].text}'
        "</title></line>"
    )


def _row(rung: Rung, y: float) -> list[str]:
    parts = [f'<text x="{LABELS - 14}" y="{y + 4:.1f}" text-anchor="end">{escape(rung.label)}</text>']
    for metric, colour in COLOURS.items():
        value = rung.values[metric]
        ends = [_x(value.mean + side * (value.sd or 0)) for side in (-1, 1)]
        parts.append(
            f'<g stroke="{colour}" fill="{colour}"><title>{escape(rung.label)}: {metric} {value.text}</title>'
            f'<line x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke-width="2"/>'
            f'<circle cx="{_x(value.mean):.1f}" cy="{y:.1f}" r="4.5"/></g>'
            f'<text x="{_x(value.mean):.1f}" y="{y - 8:.1f}" text-anchor="middle" font-size="10" '
            f'fill="{colour}">{value.shown}</text>'
        )
    return parts


def _legend(baselines: Sequence[Rung]) -> list[str]:
    parts = [
        f'<circle cx="{LABELS + place * 70:.0f}" cy="14" r="4.5" fill="{colour}"/>'
        f'<text x="{LABELS + 10 + place * 70:.0f}" y="18">{metric}</text>'
        for place, (metric, colour) in enumerate(COLOURS.items())
    ]
    dashes = [
        f'<text x="{LABELS + 150}" y="18" fill="#555">- - {escape(one.label)}</text>' for one in baselines
    ]
    return parts + dashes
