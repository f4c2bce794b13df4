"""Substitutions with photos: the recipe that was changed, and the dishes found for the changed one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WAYS = {"recipe-to-image": "by photo", "recipe-to-recipe": "by text"}


def swap(entry: Mapping[str, Any]) -> str:
    """One of a result's "swaps": the query, then the nearest dishes by photo and by text."""
    old, new = entry["pair"].split("->")
    rows = "".join(
        f'<div class="found"><h5>{label}</h5>{"".join(_dish(dish, new) for dish in entry[way])}</div>'
        for way, label in WAYS.items()
        if entry.get(way)
    )
    query = entry["query"]
    seen = " · seen in training" if query.get("seen") else ""
    return (
        f'<div class="swap"><div class="query">{_photo(query)}<p>{escape(query["title"])}'
        f"<small><s>{escape(old)}</s> → {escape(new)}{seen}</small></p></div>{rows}</div>"
    )


def gallery(entries: Sequence[Mapping[str, Any]]) -> str:
    return f'<div class="swaps">{"".join(swap(entry) for entry in entries)}</div>'


def _dish(dish: Mapping[str, Any], wanted: str) -> str:
    kind, mark = ("yes", f"has {wanted}") if dish["contains"] else ("no", f"no {wanted}")
    seen = ' <span class="seen">seen</span>' if dish.get("seen") else ""
    return (
        f'<figure class="{kind}">{_photo(dish)}<figcaption>{escape(dish["title"])}'
        f"<small>{escape(mark)}{seen}</small></figcaption></figure>"
    )


def _photo(dish: Mapping[str, Any]) -> str:
    if not dish.get("photo"):
        return '<span class="nophoto"></span>'
    return f'<img src="{escape(dish["photo"])}" alt="{escape(dish["title"])}" loading="lazy">'
