"""Learned trees, drawn as in the paper's figures, on a page that may be dark or narrow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from chef.model.tree import Tree

SMALLEST = 0.7  # of its own size: below that a tree scrolls, for words too small are no words
ROOM = 440  # pixels in half a page: a tree that must be wider gets the whole width


def tree_card(entry: Mapping[str, Any]) -> str:
    """One of a result's "trees": title, photo if there is one, the tree with its marked leaves in colour."""
    tree = Tree.from_json(entry["tree"])
    photo = f'<img src="{escape(entry["photo"])}" alt="" loading="lazy">' if entry.get("photo") else ""
    picture, natural = _fluid(tree.svg(entry["marked"]))
    wide = " whole" if SMALLEST * natural > ROOM else ""
    return (
        f'<div class="treecard{wide}"><div class="name">{photo}<span>{escape(entry["title"])}</span></div>'
        '<div class="scroll" tabindex="0" role="region" aria-label="tree">'
        f"{picture}</div></div>"
    )


def tree_cards(entries: Sequence[Mapping[str, Any]]) -> str:
    return f'<div class="trees">{"".join(tree_card(entry) for entry in entries)}</div>'


def _fluid(svg: str) -> tuple[str, int]:
    """The picture at its own size, or smaller where there is no room; and its own width."""
    width = re.search(r' width="(\d+)" height="\d+"', svg)
    assert width is not None, "a tree's picture says how wide it is"
    natural = int(width[1])
    style = f' style="width:100%;max-width:{natural}px;min-width:{SMALLEST * natural:.0f}px"'
    return svg.replace(width[0], style, 1), natural
