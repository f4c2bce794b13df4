"""The memory layout of a batch of trees on a GPU, computed from the lengths before any tree is known.

Sequences are sorted by length, longest first, so that the rows with pairs left to merge always come
first. The numbers of nodes and candidates then depend on row and level only: all launches are known ahead,
and the host never waits for the GPU. The tables are made on the GPU (`kernels.plan_rows`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, zip_longest

import numpy as np
import torch
from torch import Tensor

_LEAST_WIDTH = 4
_SPARE, _STEP = 1.05, 64  # capacities are so many times larger, and multiples


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
        longer = len(counts) - np.bincount(counts).cumsum()  # than each length
        return cls(len(counts), int(counts.sum()), int((counts - 1).sum()), tuple(longer[1:-1].tolist()))

    def with_spare(self, seen: Capacity | None) -> Capacity:
        """A little more than this, and at least the capacity `seen` before."""
        seen = seen or Capacity(0, 0, 0, ())

        def more(mine: int, theirs: int) -> int:
            return max(-(-round(mine * _SPARE) // _STEP) * _STEP, theirs)

        return Capacity(
            rows=more(self.rows, seen.rows),
            leaves=more(self.leaves, seen.leaves),
            pairs=more(self.pairs, seen.pairs),
            active=tuple(more(*both) for both in zip_longest(self.active, seen.active, fillvalue=0)),
        )

    def only(self, rows: int) -> Capacity:
        """The same for so many rows at most."""
        return replace(self, rows=rows, active=tuple(min(rows, count) for count in self.active))

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
    item_row: Tensor  # (leaves,) the original position of each leaf's sequence; -1: none
    item_place: Tensor  # (leaves,) the leaf's position in its sequence; -1: none

    def pack(self, padded: Tensor) -> Tensor:
        """The items (leaves, ...) of padded sequences (rows, L, ...), one sequence after another.

        Leaves that belong to no sequence are copies of some item.
        """
        at = self.item_row.clamp(min=0).long() * padded.shape[1] + self.item_place.clamp(min=0)
        return padded.flatten(0, 1).index_select(0, at)


@dataclass(frozen=True)
class Planned:
    """The lengths of sequences on a device, and the capacity that is set aside for them.

    Nothing on the host depends on the lengths themselves, so that a CUDA graph can hold them.
    """

    lengths: Tensor  # (rows,) in the original order; 0: an empty row
    capacity: Capacity
    level_nodes: Tensor  # the capacity's `first_node` behind a 0, on the device

    @classmethod
    def of(cls, lengths: Tensor, capacity: Capacity) -> Planned:
        """For lengths that are on the device and as many as the capacity has rows."""
        nodes = torch.tensor([0, *capacity.first_node])
        if lengths.is_cuda:
            nodes = nodes.pin_memory()
        return cls(lengths, capacity, nodes.to(lengths.device, non_blocking=True))
