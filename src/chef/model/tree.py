"""Tree: the binary tree that a Tree-LSTM builds over a sequence, as a plain value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from xml.sax.saxutils import escape

from chef.errors import ChefError

if TYPE_CHECKING:
    import numpy as np

Item = TypeVar("Item")

# SVG, in pixels: height of a level, width of a letter, space between leaves, font size, margin.
_LEVEL, _LETTER, _GAP, _FONT, _MARGIN = 44, 7.5, 16, 13, 12


@dataclass(frozen=True)
class Span:
    """An inner node: its left child covers leaves start..middle-1, its right child middle..end-1."""

    start: int
    middle: int
    end: int


@dataclass(frozen=True)
class Tree:
    """Leaves in reading order, and the merges that join them, first merge first.

    The k-th merge joins positions p and p+1 of the list of nodes that are left at that moment.
    scores: of a tree that was taught which leaf matters, how ready it was to merge each.
    Build trees with `from_merges`, `balanced`, `left`, `right`, `random` or `from_json`.

    >>> print(Tree.from_merges(["flour", "eggs", "milk"], [1, 0]).text())
    (2)
    ├── flour
    └── (1)
        ├── eggs
        └── milk
    """

    tokens: tuple[str, ...]
    merges: tuple[int, ...]
    scores: tuple[float, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.tokens:
            raise ChefError("a tree needs at least one leaf")
        if len(self.merges) != len(self.tokens) - 1:
            raise ChefError(
                f"{len(self.tokens)} leaves take {len(self.tokens) - 1} merges, not {len(self.merges)}"
            )
        for level, position in enumerate(self.merges):
            if not 0 <= position < len(self.tokens) - 1 - level:
                raise ChefError(f"merge {level + 1} at position {position} lies outside the tree")

    @classmethod
    def from_merges(cls, tokens: Sequence[str], merges: Iterable[int], scores: Iterable[float] = ()) -> Tree:
        """The tree of a merge sequence as the Tree-LSTM returns it, without a batch's padding."""
        positions = tuple(int(position) for position in merges)[: len(tokens) - 1]
        return cls(tuple(tokens), positions, tuple(scores)[: len(tokens)])

    @classmethod
    def left(cls, tokens: Sequence[str]) -> Tree:
        """((a b) c) d: every merge joins the first two nodes."""
        return cls(tuple(tokens), (0,) * (len(tokens) - 1))

    @classmethod
    def right(cls, tokens: Sequence[str]) -> Tree:
        """a (b (c d)): every merge joins the last two nodes."""
        return cls(tuple(tokens), tuple(range(len(tokens) - 2, -1, -1)))

    @classmethod
    def balanced(cls, tokens: Sequence[str]) -> Tree:
        """Halves of halves: depths differ by one at most. Deeper nodes merge first, then left to right."""
        spans: list[tuple[int, Span]] = []
        waiting = [(0, 0, len(tokens))]
        while waiting:
            depth, start, end = waiting.pop()
            if end - start > 1:
                middle = (start + end + 1) // 2
                spans.append((depth, Span(start, middle, end)))
                waiting += [(depth + 1, start, middle), (depth + 1, middle, end)]
        spans.sort(key=lambda item: (-item[0], item[1].start))
        return cls._from_spans(tokens, [span for _, span in spans])

    @classmethod
    def random(cls, tokens: Sequence[str], rng: np.random.Generator) -> Tree:
        """Every merge drawn uniformly from the remaining pairs: the control for every claim about trees."""
        return cls(tuple(tokens), tuple(int(rng.integers(left)) for left in range(len(tokens) - 1, 0, -1)))

    @classmethod
    def _from_spans(cls, tokens: Sequence[str], spans: Iterable[Span]) -> Tree:
        """The tree whose k-th merge creates the k-th span."""
        starts = list(range(len(tokens)))  # where each node of the current list starts
        merges = []
        for span in spans:
            merges.append(bisect_left(starts, span.start))
            del starts[bisect_left(starts, span.middle)]
        return cls(tuple(tokens), tuple(merges))

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The inner nodes in merge order: `spans[k]` was merged as number k + 1, the last one is the root."""
        bounds = list(range(len(self.tokens) + 1))
        spans = []
        for position in self.merges:
            spans.append(Span(*bounds[position : position + 3]))
            del bounds[position + 1]
        return tuple(spans)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Edges from the root to each leaf; a lone leaf has 0."""
        return self.fold(lambda leaf: (0,), lambda order, left, right: tuple(d + 1 for d in left + right))

    @cached_property
    def leaf_orders(self) -> tuple[int, ...]:
        """For each leaf the number of the merge that took it in (1 = merged first); 0 for a lone leaf."""
        orders = [0] * len(self.tokens)
        for order, span in enumerate(self.spans, start=1):
            for leaf in (span.start, span.end - 1):
                orders[leaf] = orders[leaf] or order
        return tuple(orders)

    @cached_property
    def shallowest(self) -> tuple[int, ...]:
        """Positions of the leaves nearest to the root: the most important ones, the first most of all.

        Equals are in the order in which the tree would rather not merge them, if it says so, else as written.
        """
        nearest = min(self.depths)
        leaves = (leaf for leaf, depth in enumerate(self.depths) if depth == nearest)
        return tuple(sorted(leaves, key=self.scores.__getitem__) if self.scores else leaves)

    def fold(self, leaf: Callable[[int], Item], node: Callable[[int, Item, Item], Item]) -> Item:
        """Build something bottom up: `leaf(position)` for leaves, `node(order, left, right)` for merges."""
        items = [leaf(position) for position in range(len(self.tokens))]
        for order, position in enumerate(self.merges, start=1):
            items[position : position + 2] = [node(order, items[position], items[position + 1])]
        return items[0]

    def to_json(self) -> dict[str, Any]:
        """A leaf is {"token", "depth"}, a node {"order", "left", "right"}; order 1 merged first."""
        return self.fold(
            lambda leaf: {"token": self.tokens[leaf], "depth": self.depths[leaf]},
            lambda order, left, right: {"order": order, "left": left, "right": right},
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tree:
        """The tree that `to_json` wrote; a wrong order or depth is an error."""
        tokens: list[str] = []
        spans: dict[int, Span] = {}

        def read(node: Mapping[str, Any]) -> None:
            if "token" in node:
                tokens.append(node["token"])
                return
            start = len(tokens)
            read(node["left"])
            middle = len(tokens)
            read(node["right"])
            spans[node["order"]] = Span(start, middle, len(tokens))

        try:
            read(data)
        except (KeyError, TypeError, RecursionError) as error:
            raise ChefError("not a tree: a node has order, left and right, a leaf token and depth") from error
        tree = cls._from_spans(tokens, [spans[order] for order in sorted(spans)])
        if tree.to_json() != data:
            raise ChefError("not a tree: orders or depths disagree with its shape")
        return tree

    def text(self) -> str:
        """The tree drawn with lines for a terminal."""

        def node(order: int, left: list[str], right: list[str]) -> list[str]:
            first, *rest = left
            lines = [f"({order})", f"├── {first}", *(f"│   {line}" for line in rest)]
            first, *rest = right
            return [*lines, f"└── {first}", *(f"    {line}" for line in rest)]

        lines: list[str] = self.fold(lambda leaf: [self.tokens[leaf]], node)
        return "\n".join(lines)

    def svg(self, marked: Collection[int] = ()) -> str:
        """A picture for a web page; `marked` leaves are red."""
        widths = [max(len(token), 1) * _LETTER for token in self.tokens]
        lefts = [float(_MARGIN)]
        for width in widths:
            lefts.append(lefts[-1] + width + _GAP)
        lines: list[str] = []
        words: list[str] = []

        def word(x: float, depth: int, label: str, look: str) -> tuple[float, int]:
            words.append(f'<text x="{x:.1f}" y="{_y(depth)}" {look}>{escape(label)}</text>')
            return x, depth

        def leaf(position: int) -> tuple[float, int]:
            look = 'fill="#c00" font-weight="bold"' if position in marked else 'fill="#222"'
            centre = lefts[position] + widths[position] / 2
            return word(centre, self.depths[position], self.tokens[position], look)

        def node(order: int, left: tuple[float, int], right: tuple[float, int]) -> tuple[float, int]:
            x, depth = (left[0] + right[0]) / 2, left[1] - 1
            for child, level in (left, right):
                ends = f'x1="{x:.1f}" y1="{_y(depth) + 6}" x2="{child:.1f}" y2="{_y(level) - _FONT - 1}"'
                lines.append(f"<line {ends}/>")
            return word(x, depth, str(order), 'fill="#888"')

        self.fold(leaf, node)
        total, height = lefts[-1] - _GAP + _MARGIN, _y(max(self.depths)) + _MARGIN
        # Attributes instead of a style sheet: inside a web page a sheet would restyle the page too.
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{total:.0f}" height="{height}" '
            f'viewBox="0 0 {total:.0f} {height}"><title>{escape(" ".join(self.tokens))}</title>'
            f'<g stroke="#999">{"".join(lines)}</g>'
            f'<g font-family="sans-serif" font-size="{_FONT}" text-anchor="middle">{"".join(words)}</g></svg>'
        )


def _y(depth: int) -> int:
    return _MARGIN + _FONT + depth * _LEVEL


@dataclass(frozen=True)
class RecipeTrees:
    """The trees of one recipe; None where the model has none, or is to choose anew."""

    ingredients: Tree | None = None  # leaves: the ingredient tokens
    sentences: tuple[Tree, ...] | None = None  # leaves: the words of each sentence
    instructions: Tree | None = None  # leaves: the sentences, named by their number from 1
