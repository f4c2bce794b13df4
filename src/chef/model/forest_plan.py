"""Where everything of a batch of trees will lie, known from the lengths alone, before any tree is.

Sequences are sorted, the longest first, so that those which still have pairs to merge are always the
first rows. The numbers of nodes and candidates then depend on row and level only: the host plans all
launches ahead and never waits for the GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

_LEAST_WIDTH = 4
_STEP = 64  # room grows in such steps


@dataclass(frozen=True)
class Room:
    """How much a plan has place for; a batch that needs less leaves some of it empty.

    Nodes: leaves, then level by level the merged ones, one for each active row, and one that is nobody's.
    Candidates: one for each pair of neighbouring leaves, then level by level two for each active row.
    """

    rows: int
    leaves: int
    pairs: int
    active: tuple[int, ...]  # rows that merge at each level

    @classmethod
    def of(cls, counts: np.ndarray) -> Room:
        """Exactly what sequences of these lengths need."""
        active = tuple(int((counts > level + 1).sum()) for level in range(int(counts.max()) - 1))
        return cls(len(counts), int(counts.sum()), int((counts - 1).sum()), active)

    def with_spare(self, seen: Room | None) -> Room:
        """A tenth more than this, and no less than what was seen before."""
        levels = max(len(self.active), len(seen.active) if seen else 0)

        def more(mine: int, theirs: int) -> int:
            return max(-(-round(mine * 1.1) // _STEP) * _STEP, theirs)

        mine, theirs = _filled(self.active, levels), _filled(seen.active if seen else (), levels)
        return Room(
            rows=more(self.rows, seen.rows if seen else 0),
            leaves=more(self.leaves, seen.leaves if seen else 0),
            pairs=more(self.pairs, seen.pairs if seen else 0),
            active=tuple(more(*both) for both in zip(mine, theirs, strict=True)),
        )

    def holds(self, other: Room) -> bool:
        """Whether a batch that needs `other` fits."""
        sizes = (self.rows >= other.rows, self.leaves >= other.leaves, self.pairs >= other.pairs)
        deep = len(self.active) >= len(other.active)
        return all(sizes) and deep and all(a >= b for a, b in zip(self.active, other.active, strict=False))

    @cached_property
    def width(self) -> int:
        """Of a table's row: a power of 2."""
        return max(_LEAST_WIDTH, 1 << len(self.active).bit_length())

    @cached_property
    def first_node(self) -> list[int]:
        """Of each level, and last the node that is nobody's."""
        return _running([self.leaves, *self.active])

    @cached_property
    def first_cand(self) -> list[int]:
        """Of each level and, one more entry, their number."""
        return [0, *_running([self.pairs, *(2 * rows for rows in self.active[1:])])]

    @property
    def nodes(self) -> int:
        return self.first_node[-1] + 1

    @property
    def candidates(self) -> int:
        return self.first_cand[-1]


@dataclass(frozen=True)
class ForestPlan:
    """The layout of N trees in a room. Rows, pairs and numbers beyond the batch are empty places."""

    room: Room
    order: Tensor  # (rows,) the original row of each row
    lengths: Tensor  # (rows,) sorted; 1 in an empty row
    roots: Tensor  # (rows,) node numbers, of the original rows
    pairs: Tensor  # (pairs,) the leaf on the left of each first candidate; -1: none
    leaf_table: Tensor  # (rows, width) numbers of the leaves in each row
    cand_table: Tensor  # (rows, width) numbers of their pairs


def plan_forest(lengths: Tensor, room: Room | None = None) -> tuple[ForestPlan, Tensor]:
    """The plan for sequences of these lengths, and all its numbers as one flat tensor; on the CPU."""
    counts = lengths.numpy().astype(np.int64)
    room = room or Room.of(counts)
    rows, empty = len(counts), room.rows - len(counts)
    order = np.argsort(-counts, kind="stable")
    down = counts[order]
    starts = np.cumsum(counts) - counts  # of each original row, in leaves
    places = np.arange(room.width)
    leaf_table = starts[order][:, None] + places
    pair_starts = np.cumsum(down - 1) - (down - 1)
    pairs = leaf_table[places < (down - 1)[:, None]]
    roots = np.empty(rows, np.int64)
    last_level = np.array([0, *room.first_node])[down - 1]
    roots[order] = np.where(down > 1, last_level + np.arange(rows), starts[order])
    arrays = [
        np.concatenate([order, np.arange(rows, room.rows)]),
        np.pad(down, (0, empty), constant_values=1),
        np.pad(roots, (0, empty), constant_values=room.first_node[-1]),
        np.pad(pairs, (0, room.pairs - len(pairs)), constant_values=-1),
        np.pad(leaf_table, ((0, empty), (0, 0))),
        np.pad(pair_starts[:, None] + places, ((0, empty), (0, 0))),
    ]
    flat = torch.from_numpy(np.concatenate([array.reshape(-1) for array in arrays]).astype(np.int32))
    return read_plan(flat, room), flat


def read_plan(flat: Tensor, room: Room) -> ForestPlan:
    """The plan whose numbers lie in a flat tensor: on a device, a copy of what `plan_forest` gave."""
    rows, table = room.rows, room.rows * room.width
    sizes = [rows] * 3 + [room.pairs] + [table] * 2
    order, lengths, roots, pairs, leaves, candidates = torch.split(flat, sizes)
    shape = (rows, room.width)
    return ForestPlan(room, order, lengths, roots, pairs, leaves.view(shape), candidates.view(shape))


def _running(sizes: Sequence[int]) -> list[int]:
    return [int(total) for total in np.cumsum(sizes)]


def _filled(active: tuple[int, ...], levels: int) -> list[int]:
    return [*active, *[0] * (levels - len(active))]
