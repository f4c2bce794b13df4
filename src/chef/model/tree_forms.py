"""The forms a `Tree` is shown in: text for a terminal, LaTeX as in the paper's figures, SVG for a page."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from chef.model.tree import Tree

_LATEX = {
    "\\": r"\textbackslash{}",
    "<": "$<$",
    ">": "$>$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
} | {character: "\\" + character for character in "_&%$#{}"}

# SVG measures in pixels: one level down, width of a letter, free space between two leaves.
_LEVEL, _LETTER, _GAP, _FONT, _MARGIN = 44, 7.5, 16, 13, 12


def text(tree: Tree) -> str:
    def node(order: int, left: list[str], right: list[str]) -> list[str]:
        first, *rest = left
        lines = [f"({order})", f"├── {first}", *(f"│   {line}" for line in rest)]
        first, *rest = right
        return [*lines, f"└── {first}", *(f"    {line}" for line in rest)]

    lines: list[str] = tree.fold(lambda leaf: [tree.tokens[leaf]], node)
    return "\n".join(lines)


def latex(tree: Tree, marked: Set[int]) -> str:
    def leaf(position: int) -> str:
        word = "".join(_LATEX.get(character, character) for character in tree.tokens[position])
        if position in marked:
            return rf"\textcolor{{red}}{{{word}}}"
        # qtree ends a leaf at a space or bracket: braces keep such a token whole.
        return f"{{{word}}}" if not word or set(word) & set(" []") else word

    if not tree.merges:
        return rf"\Tree [.{leaf(0)} ]"
    return r"\Tree " + tree.fold(leaf, lambda order, left, right: f"[.(-{order}-) {left} {right} ]")


def svg(tree: Tree, marked: Set[int]) -> str:
    centres, width = _leaf_centres(tree)
    lines: list[str] = []
    words: list[str] = []

    def word(x: float, depth: int, label: str, look: str) -> tuple[float, int]:
        words.append(f'<text x="{x:.1f}" y="{_y(depth)}" {look}>{escape(label)}</text>')
        return x, depth

    def leaf(position: int) -> tuple[float, int]:
        look = 'fill="#c00" font-weight="bold"' if position in marked else 'fill="#222"'
        return word(centres[position], tree.depths[position], tree.tokens[position], look)

    def node(order: int, left: tuple[float, int], right: tuple[float, int]) -> tuple[float, int]:
        x, depth = (left[0] + right[0]) / 2, left[1] - 1
        for child_x, child_depth in (left, right):
            ends = f'x1="{x:.1f}" y1="{_y(depth) + 6}" x2="{child_x:.1f}" y2="{_y(child_depth) - _FONT - 1}"'
            lines.append(f"<line {ends}/>")
        return word(x, depth, str(order), 'fill="#888"')

    tree.fold(leaf, node)
    height = _y(max(tree.depths)) + _MARGIN
    # Looks are attributes, not a style sheet: inside a web page a sheet would restyle the page too.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}"><title>{escape(" ".join(tree.tokens))}</title>'
        f'<g stroke="#999">{"".join(lines)}</g>'
        f'<g font-family="sans-serif" font-size="{_FONT}" text-anchor="middle">{"".join(words)}</g></svg>'
    )


def _y(depth: int) -> int:
    return _MARGIN + _FONT + depth * _LEVEL


def _leaf_centres(tree: Tree) -> tuple[list[float], float]:
    """Where each leaf stands from left to right, none over another, and the width of the picture."""
    centres, x = [], float(_MARGIN)
    for token in tree.tokens:
        wide = max(len(token), 1) * _LETTER
        centres.append(x + wide / 2)
        x += wide + _GAP
    return centres, x - _GAP + _MARGIN
