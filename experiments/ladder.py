"""Fills docs/models.md with figures: the ladder from the paper's model to ours.

    python experiments/ladder.py RESULT.json [--rungs experiments/ladder.json] [--docs docs]

The result is that of `base.py --stage collect`; `ladder.json` says which of its rows are rungs, and what each
changes. A model with a querybank is shown with it. The table goes between the marks in models.md, the figure
into ladder.svg beside it. Rungs without a result are skipped and listed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.files import write_atomic
from chef.report.names import DIRECTIONS
from chef.report.table import Value

METRICS = ("medR", "R@1", "R@5", "R@10")
FORWARD, BACKWARD = DIRECTIONS
PART = "final"  # of the result: the test pairs
WIDTH, LABELS, RIGHT, ROW, TOP, BOTTOM = 820, 330, 24, 30, 44, 30
COLOURS = {"R@1": "#0b5e55", "R@10": "#d08a1d"}


@dataclass(frozen=True)
class Rung:
    """One row: its label, how many seeds it has, and its figures by metric, image to recipe, and back."""

    label: str
    seeds: int
    values: Mapping[str, Value]
    back: Mapping[str, Value]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("--rungs", type=Path, default=Path(__file__).with_name("ladder.json"))
    parser.add_argument("--docs", type=Path, default=Path(__file__).resolve().parent.parent / "docs")
    given = parser.parse_args()
    rows = json.loads(given.result.read_text("utf-8"))["parts"].get(PART, {})
    try:
        fill(rows, json.loads(given.rungs.read_text("utf-8")), given.docs)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def fill(rows: Mapping[str, Any], rungs: Mapping[str, Any], docs: Path) -> None:
    """Write the figure and the table."""
    ladder, baselines = (list(known(rows, rungs[part])) for part in ("ladder", "baselines"))
    if not ladder:
        raise ChefError("no rung of the ladder has a result", "ladder.json has the rows of the result")
    page = docs / "models.md"
    picture = "![R@1 and R@10 of every rung](ladder.svg)"
    text = between(page.read_text("utf-8"), "ladder", f"{picture}\n\n{table([*ladder, *baselines])}")
    write_atomic(docs / "ladder.svg", figure(ladder, baselines).encode())
    write_atomic(page, text.encode())


def known(rows: Mapping[str, Any], rungs: Sequence[Mapping[str, str]]) -> Iterator[Rung]:
    """The rungs that have results."""
    for rung in rungs:
        if row := rows.get(rung["row"]):
            figures = row.get("with querybank", row["figures"])
            both = ({name: values(figures, f"{way} {name}") for name in METRICS} for way in DIRECTIONS)
            yield Rung(rung["label"], len(row["seeds"]), *both)
        else:
            print(f"no result of {rung['row']} ({rung['label']})", file=sys.stderr)


def values(figures: Mapping[str, Any], name: str) -> Value:
    return Value(tuple(figures[name]["values"]))


def table(rungs: Sequence[Rung]) -> str:
    """A Markdown table with one row per rung."""
    columns = ("seeds", *METRICS, "R@1, recipe to image")
    lines = [["", *columns], ["---", *["---:"] * len(columns)]]
    for rung in rungs:
        forward = (rung.values[metric].text for metric in METRICS)
        lines.append([rung.label, str(rung.seeds), *forward, rung.back["R@1"].text])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def between(text: str, name: str, content: str) -> str:
    """The text with the content between the marks of that name."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    new, count = re.subn(
        f"{re.escape(start)}.*?{re.escape(end)}",
        lambda _: f"{start}\n{content}\n{end}",
        text,
        flags=re.DOTALL,
    )
    if count != 1:
        raise ChefError(f"models.md has no place for {name}", f"put {start} and {end} into it")
    return new


def figure(rungs: Sequence[Rung], baselines: Sequence[Rung] = ()) -> str:
    """A self-contained SVG: one row per rung. Bars show one standard deviation over training seeds.

    >>> figure([Rung("chef-ttl", 1, {"R@1": Value((18.0,)), "R@10": Value((55.0,))}, {})])
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


if __name__ == "__main__":
    sys.exit(main())
