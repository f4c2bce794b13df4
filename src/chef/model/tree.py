"""Tree: the binary tree that a Tree-LSTM builds over a sequence, as a plain value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from chef.errors import ChefError

if TYPE_CHECKING:
    import numpy as np

Item = TypeVar("Item")


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
    def from_merges(cls, tokens: Sequence[str], merges: Iterable[int]) -> Tree:
        """The tree of a merge sequence as the Tree-LSTM returns it; what a batch padded on is cut off."""
        return cls(tuple(tokens), tuple(int(position) for position in merges)[: len(tokens) - 1])

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
        found: list[tuple[int, Span]] = []
        waiting = [(0, 0, len(tokens))]
        while waiting:
            depth, start, end = waiting.pop()
            if end - start > 1:
                middle = (start + end + 1) // 2
                found.append((depth, Span(start, middle, end)))
                waiting += [(depth + 1, start, middle), (depth + 1, middle, end)]
        found.sort(key=lambda item: (-item[0], item[1].start))
        return cls._from_spans(tokens, [span for _, span in found])

    @classmethod
    def random(cls, tokens: Sequence[str], rng: np.random.Generator) -> Tree:
        """Every merge drawn evenly from the pairs that are left: the control of every claim about trees."""
        return cls(tuple(tokens), tuple(int(rng.integers(left)) for left in range(len(tokens) - 1, 0, -1)))

    @classmethod
    def _from_spans(cls, tokens: Sequence[str], spans: Iterable[Span]) -> Tree:
        """The tree whose k-th merge makes the k-th span."""
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
        """Positions of the leaves nearest to the root, left to right: the most important ones."""
        nearest = min(self.depths)
        return tuple(leaf for leaf, depth in enumerate(self.depths) if depth == nearest)

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
        from chef.model import tree_forms

        return tree_forms.text(self)

    def latex(self, marked: Iterable[int] = ()) -> str:
        """A `\\Tree` of the qtree package as in the paper's figures; `marked` leaves are red."""
        from chef.model import tree_forms

        return tree_forms.latex(self, frozenset(marked))

    def svg(self, marked: Iterable[int] = ()) -> str:
        """A picture for a web page; `marked` leaves are red."""
        from chef.model import tree_forms

        return tree_forms.svg(self, frozenset(marked))


@dataclass(frozen=True)
class RecipeTrees:
    """The trees of one recipe; None where the model has none there, or where it shall choose anew."""

    ingredients: Tree | None = None  # leaves: the ingredient tokens
    sentences: tuple[Tree, ...] | None = None  # leaves: the words of each sentence
    instructions: Tree | None = None  # leaves: the sentences, named by their number from 1
