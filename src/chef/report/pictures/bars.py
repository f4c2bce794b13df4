"""Horizontal bars with a label and a figure: they fold into columns and fit a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


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
