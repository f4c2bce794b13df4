"""Differences with their intervals against a line at zero."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import fmean

from chef.report.gap import Gap, settle, signed


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
        marks = "".join(
            f'<i style="left:{at(gap.low)};right:calc(100% - {at(gap.high)});top:{height}"></i>'
            f'<b style="left:{at(gap.difference)};top:{height}"></b>'
            for gap, height in zip(gaps, _heights(len(gaps)), strict=True)
        )
        mean = fmean(gap.difference for gap in gaps)
        detail = gaps[0].interval if len(gaps) == 1 else f"mean of {len(gaps)} runs"
        items.append(
            f'<li class="{settle(gaps)}"><span class="what">{escape(label)} <small>{escape(small)}</small>'
            f'</span><span class="track" style="height:{0.5 + 0.5 * len(gaps)}rem">{marks}</span>'
            f'<span class="number">{signed(mean)} <small>{detail}</small></span></li>'
        )
    return f'<ul class="forest">{"".join(items)}</ul>'


def _heights(count: int) -> list[str]:
    return [f"{100 * (place + 0.5) / count:.1f}%" for place in range(count)]
