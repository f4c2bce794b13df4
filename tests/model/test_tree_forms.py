"""Every form of a tree holds the whole tree: it can be read back from it."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from chef.model.tree import Tree

SVG = "{http://www.w3.org/2000/svg}"
# What a canonical token or a word of a recipe may hold, and what each form has to escape.
TOKENS = st.text(st.sampled_from("aé_-'½ <>&{}[]()$%#~^\\│├└─1"), min_size=1, max_size=8)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    tokens = draw(st.lists(TOKENS, min_size=1, max_size=24))
    merges = [draw(st.integers(0, left - 1)) for left in range(len(tokens) - 1, 0, -1)]
    return Tree.from_merges(tokens, merges)


def shape(node: Any) -> Tree:
    """The tree of (order, left, right) tuples and tokens."""

    def data(node: Any, depth: int) -> dict[str, Any]:
        if isinstance(node, str):
            return {"token": node, "depth": depth}
        order, left, right = node
        return {"order": order, "left": data(left, depth + 1), "right": data(right, depth + 1)}

    return Tree.from_json(data(node, 0))


@given(trees())
def test_merges(tree: Tree) -> None:
    assert Tree.from_merges(tree.tokens, [*tree.merges, -1, -1]) == tree
    assert Tree._from_spans(tree.tokens, tree.spans) == tree


@given(trees())
def test_json(tree: Tree) -> None:
    assert Tree.from_json(json.loads(json.dumps(tree.to_json()))) == tree


@given(trees())
def test_text(tree: Tree) -> None:
    def read(lines: list[str]) -> Any:
        if len(lines) == 1:
            return lines[0]
        right = max(at for at, line in enumerate(lines) if line.startswith("└── "))
        assert [line[:4] for line in lines[1 : right + 1]] == ["├── "] + ["│   "] * (right - 2) + ["└── "]
        assert {line[:4] for line in lines[right + 1 :]} <= {"    "}
        children = [line[4:] for line in lines[1:]]
        order = re.fullmatch(r"\((\d+)\)", lines[0])
        assert order
        return int(order[1]), read(children[: right - 1]), read(children[right - 1 :])

    assert shape(read(tree.text().split("\n"))) == tree


@given(trees(), st.booleans())
def test_svg(tree: Tree, marks: bool) -> None:
    root = ElementTree.fromstring(tree.svg(marked=tree.shallowest if marks else ()))
    words, children, below = {}, {}, set()
    for word in root.iter(f"{SVG}text"):
        place = float(word.get("x", "")), int(word.get("y", ""))
        assert place not in words  # nothing is drawn over anything
        words[place] = (word.text or "", word.get("fill") == "#888")
    for line in root.iter(f"{SVG}line"):
        x1, y1, x2, y2 = (float(line.get(end, "")) for end in ("x1", "y1", "x2", "y2"))
        children.setdefault((x1, int(y1) - 6), []).append((x2, int(y2) + 14))
        below.add((x2, int(y2) + 14))

    def read(place: tuple[float, int]) -> Any:
        text, is_node = words[place]
        assert is_node == (place in children)
        return (int(text), *map(read, sorted(children[place]))) if is_node else text

    (top,) = set(words) - below
    assert shape(read(top)) == tree


_PLAIN = {r"\textbackslash{}": "\\", "$<$": "<", "$>$": ">", r"\textasciitilde{}": "~"}
_PLAIN |= {r"\textasciicircum{}": "^", **{"\\" + sign: sign for sign in "_&%$#{}"}}
_SIGN = re.compile("|".join(sorted(map(re.escape, _PLAIN), key=len, reverse=True)) + "|.", re.DOTALL)


@given(trees(), st.booleans())
def test_latex(tree: Tree, marks: bool) -> None:
    # The signs of LaTeX become one letter each first, so that every brace and space left is one of its own.
    code = tree.latex(marked=tree.shallowest if marks else ())
    names = [
        match[0] for match in _SIGN.finditer(code.removeprefix(r"\Tree ").replace(r"\textcolor{red}", "\0"))
    ]
    signs = [(_PLAIN.get(name, name), name in _PLAIN) for name in names]
    at = 0

    def skip(wanted: str) -> None:
        nonlocal at
        for sign in wanted:
            assert signs[at] == (sign, False), (signs[at:], wanted)
            at += 1

    def leaf() -> str:
        nonlocal at
        marked = signs[at] == ("\0", False)
        at += marked
        braced = signs[at] == ("{", False)
        at += braced
        start = at
        while signs[at] != (("}" if braced else " "), False):
            at += 1
        word = "".join(sign for sign, _ in signs[start:at])
        at += braced
        return word

    def node() -> Any:
        nonlocal at
        if signs[at : at + 2] != [("[", False), (".", False)]:
            return leaf()
        skip("[.(-")
        order = ""
        while signs[at][0].isdecimal():
            order, at = order + signs[at][0], at + 1
        skip("-) ")
        left = node()
        skip(" ")
        right = node()
        skip(" ]")
        return int(order), left, right

    if len(tree.tokens) > 1:
        assert shape(node()) == tree
        assert at == len(signs)
    else:
        skip("[.")
        assert shape(leaf()) == tree
        skip(" ]")
