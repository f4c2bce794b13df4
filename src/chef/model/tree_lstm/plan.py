"""The memory layout of a batch of trees on a GPU, computed from the lengths before any tree is known.

Sequences are sorted by length, longest first, so that the rows with pairs left to merge always come
first. The numbers of nodes and candidates then depend on row and level only: the host plans all
launches ahead and never waits for the GPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, zip_longest

import numpy as np
import torch
from torch import Tensor

_LEAST_WIDTH = 4
_STEP = 64  # capacities are multiples of it


@dataclass(frozen=True)
class Capacity:
    """The capacity of a plan; a smaller batch leaves some of it empty.

    Nodes: the leaves, then level by level the merged ones, one for each active row, and one unused node.
    Candidates: one for each pair of adjacent leaves, then level by level two for each active row.
    """

    rows: int
    leaves: int
    pairs: int
    active: tuple[int, ...]  # rows that merge at each level

    @classmethod
    def of(cls, counts: np.ndarray) -> Capacity:
        """The exact capacity for sequences of these lengths."""
        active = tuple(int((counts > level + 1).sum()) for level in range(int(counts.max()) - 1))
        return cls(len(counts), int(counts.sum()), int((counts - 1).sum()), active)

    def with_spare(self, seen: Capacity | None) -> Capacity:
        """A tenth more than this, and at least the capacity `seen` before."""
        seen = seen or Capacity(0, 0, 0, ())

        def more(mine: int, theirs: int) -> int:
            return max(-(-round(mine * 1.1) // _STEP) * _STEP, theirs)

        return Capacity(
            rows=more(self.rows, seen.rows),
            leaves=more(self.leaves, seen.leaves),
            pairs=more(self.pairs, seen.pairs),
            active=tuple(more(*both) for both in zip_longest(self.active, seen.active, fillvalue=0)),
        )

    def holds(self, other: Capacity) -> bool:
        """Whether a batch of capacity `other` fits."""
        sizes = (self.rows >= other.rows, self.leaves >= other.leaves, self.pairs >= other.pairs)
        deep = len(self.active) >= len(other.active)
        return all(sizes) and deep and all(a >= b for a, b in zip(self.active, other.active, strict=False))

    @cached_property
    def width(self) -> int:
        """The width of a table: a power of 2."""
        return max(_LEAST_WIDTH, 1 << len(self.active).bit_length())

    @cached_property
    def first_node(self) -> list[int]:
        """The first node of each level and, last, the unused node."""
        return list(accumulate([self.leaves, *self.active]))

    @cached_property
    def first_cand(self) -> list[int]:
        """The first candidate of each level and, last, their number."""
        return list(accumulate([0, self.pairs, *(2 * rows for rows in self.active[1:])]))

    @property
    def nodes(self) -> int:
        return self.first_node[-1] + 1

    @property
    def candidates(self) -> int:
        return self.first_cand[-1]


@dataclass(frozen=True)
class ForestPlan:
    """The layout of N trees. Rows, pairs and numbers beyond the batch are empty slots."""

    capacity: Capacity
    order: Tensor  # (rows,) the original position of each row
    lengths: Tensor  # (rows,) sorted; 1 in an empty row
    roots: Tensor  # (rows,) node numbers, in the original order
    pairs: Tensor  # (pairs,) the left leaf of each initial candidate; -1: none
    leaf_table: Tensor  # (rows, width) numbers of the leaves in each row
    cand_table: Tensor  # (rows, width) numbers of their pairs


def plan_forest(lengths: Tensor, capacity: Capacity | None = None) -> tuple[ForestPlan, Tensor]:
    """The plan for sequences of these lengths, and all its numbers as one flat tensor, on the CPU."""
    counts = lengths.numpy().astype(np.int64)
    capacity = capacity or Capacity.of(counts)
    rows, empty = len(counts), capacity.rows - len(counts)
    order = np.argsort(-counts, kind="stable")
    down = counts[order]
    starts = np.cumsum(counts) - counts  # of each original row, in leaves
    places = np.arange(capacity.width)
    leaf_table = starts[order][:, None] + places
    pair_starts = np.cumsum(down - 1) - (down - 1)
    pairs = leaf_table[places < (down - 1)[:, None]]
    roots = np.empty(rows, np.int64)
    last_level = np.array([0, *capacity.first_node])[down - 1]
    roots[order] = np.where(down > 1, last_level + np.arange(rows), starts[order])
    arrays = [
        np.concatenate([order, np.arange(rows, capacity.rows)]),
        np.pad(down, (0, empty), constant_values=1),
        np.pad(roots, (0, empty), constant_values=capacity.first_node[-1]),
        np.pad(pairs, (0, capacity.pairs - len(pairs)), constant_values=-1),
        np.pad(leaf_table, ((0, empty), (0, 0))),
        np.pad(pair_starts[:, None] + places, ((0, empty), (0, 0))),
    ]
    flat = torch.from_numpy(np.concatenate([array.reshape(-1) for array in arrays]).astype(np.int32))
    return read_plan(flat, capacity), flat


def read_plan(flat: Tensor, capacity: Capacity) -> ForestPlan:
    """The plan in a flat tensor: a copy, on a device, of what `plan_forest` returned."""
    rows, table = capacity.rows, capacity.rows * capacity.width
    sizes = [rows] * 3 + [capacity.pairs] + [table] * 2
    order, lengths, roots, pairs, leaves, candidates = torch.split(flat, sizes)
    shape = (rows, capacity.width)
    return ForestPlan(capacity, order, lengths, roots, pairs, leaves.view(shape), candidates.view(shape))
