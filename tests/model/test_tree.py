import json
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.model.tree import Tree

SVG = "{http://www.w3.org/2000/svg}"
GREEN_BEANS = ["green_beans", "flour", "eggs", "breadcrumbs", "vegetable_oil"]


@pytest.fixture
def fried() -> Tree:
    """The tree of the paper's figure of an ingredient tree."""
    return Tree.from_merges(GREEN_BEANS, [1, 2, 1, 0])


# What a canonical token or a word of a recipe may contain, and what each form has to escape.
TOKENS = st.text(st.sampled_from("aé_-'½ <>&{}[]()$%#~^\\│├└─1"), min_size=1, max_size=8)


@st.composite
def trees(draw: st.DrawFn, token: st.SearchStrategy[str] = TOKENS) -> Tree:
    tokens = draw(st.lists(token, min_size=1, max_size=24))
    merges = [draw(st.integers(0, left - 1)) for left in range(len(tokens) - 1, 0, -1)]
    return Tree.from_merges(tokens, merges)


def test_the_papers_figure(fried: Tree) -> None:
    assert fried.depths == (1, 3, 3, 3, 3)
    assert fried.shallowest == (0,)
    assert fried.leaf_orders == (4, 1, 1, 2, 2)
    assert fried.text() == (
        "(4)\n├── green_beans\n└── (3)\n    ├── (1)\n    │   ├── flour\n    │   └── eggs\n"
        "    └── (2)\n        ├── breadcrumbs\n        └── vegetable_oil"
    )


@given(trees(st.text(max_size=8)))
def test_json_round_trip(tree: Tree) -> None:
    assert Tree.from_json(json.loads(json.dumps(tree.to_json()))) == tree


def test_left_and_right() -> None:
    left, right = Tree.left("abcd"), Tree.right("abcd")
    assert (left.merges, left.depths) == ((0, 0, 0), (3, 3, 2, 1))
    assert (right.merges, right.depths) == ((2, 1, 0), (1, 2, 3, 3))
    alone = Tree.left(["salt"])
    assert alone.depths == alone.leaf_orders == alone.shallowest == (0,)


@given(st.integers(1, 70))
def test_balanced_depths_differ_by_one_at_most(leaves: int) -> None:
    depths = Tree.balanced(["x"] * leaves).depths
    assert max(depths) - min(depths) <= 1
    assert max(depths) == (leaves - 1).bit_length()


def test_random_draws_evenly_and_repeats_with_the_seed() -> None:
    assert Tree.random("abcdef", np.random.default_rng(3)) == Tree.random("abcdef", np.random.default_rng(3))
    rng = np.random.default_rng(0)
    first = [Tree.random("abcd", rng).merges[0] for _ in range(3000)]
    assert np.bincount(first, minlength=3) / 3000 == pytest.approx([1 / 3] * 3, abs=0.04)


@pytest.mark.parametrize("merges", [[0], [2, 0], [-1, 0], [0, 1]])
def test_merges_that_make_no_tree(merges: list[int]) -> None:
    with pytest.raises(ChefError):
        Tree.from_merges("abc", merges)


@pytest.mark.parametrize(
    "data",
    [
        {"order": 1},
        {"order": 2, "left": {"token": "a", "depth": 1}, "right": {"token": "b", "depth": 1}},
        {"order": 1, "left": {"token": "a", "depth": 0}, "right": {"token": "b", "depth": 1}},
        {"order": 1, "left": "a", "right": "b"},
        {"token": "a", "depth": 3},
    ],
)
def test_json_that_is_no_tree(data: dict) -> None:
    with pytest.raises(ChefError, match="not a tree"):
        Tree.from_json(data)


@given(trees())
def test_merges_and_spans(tree: Tree) -> None:
    assert Tree.from_merges(tree.tokens, np.array([*tree.merges, -1, -1])) == tree  # padded
    assert Tree._from_spans(tree.tokens, tree.spans) == tree


def shape(node: Any) -> Tree:
    """The tree of (order, left, right) tuples and tokens."""

    def data(node: Any, depth: int) -> dict[str, Any]:
        if isinstance(node, str):
            return {"token": node, "depth": depth}
        order, left, right = node
        return {"order": order, "left": data(left, depth + 1), "right": data(right, depth + 1)}

    return Tree.from_json(data(node, 0))


@given(trees())
def test_the_text_form_holds_the_whole_tree(tree: Tree) -> None:
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
def test_the_svg_form_holds_the_whole_tree(tree: Tree, marks: bool) -> None:
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
