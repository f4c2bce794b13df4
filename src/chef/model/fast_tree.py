"""The Gumbel Tree-LSTM on a GPU: the cache of `chef.model.cached_tree`, in two launches a level.

A level is one matrix product and one kernel (`chef.model.tree_kernels`), in both directions, and the host
waits for nothing: `chef.model.forest_plan` knows all shapes beforehand. The products run in bf16 on tensor
cores under autocast, else in the precision of the weights.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from chef.model import tree_kernels as kernels
from chef.model.cached_tree import Cell
from chef.model.forest_plan import ForestPlan


class Forest:
    """The pools of nodes and candidates, as in `chef.model.cached_tree`, and how they are filled.

    leaves: (the room's leaves, 2D), in the precision of the products. noise: (rows, levels, levels) or None.
    keep: remember what the gradient needs.
    """

    def __init__(
        self, cell: Cell, leaves: Tensor, plan: ForestPlan, noise: Tensor | None, keep: bool
    ) -> None:
        size, room = cell.hidden, plan.room
        self.plan, self.room, self.noise, self.keep, self.size = plan, room, noise, keep, size
        self.narrow = leaves.dtype
        self.wide = torch.float64 if leaves.dtype == torch.float64 else torch.float32
        self.scale = cell.scale
        self.bias, self.query = cell.bias.to(self.wide), cell.query.to(self.wide) * cell.scale
        # (D, 10D): what the weight makes of a node as a left child, and beside it as a right one.
        self.weight = torch.cat(cell.halves).to(self.narrow).T

        def empty(*shape: int, dtype: torch.dtype = self.narrow) -> Tensor:
            return torch.empty(shape, dtype=dtype, device=leaves.device)

        self.node_h, self.node_c = empty(room.nodes, size), empty(room.nodes, size, dtype=self.wide)
        self.node_h[: room.leaves] = leaves[:, :size]
        self.node_c[: room.leaves] = leaves[:, size:]
        self.products = empty(room.nodes, 10 * size)
        self.cand_h = empty(room.candidates, size)
        self.cand_c = empty(room.candidates, size, dtype=self.wide)
        self.gates = empty(room.candidates if keep else 0, 5 * size)
        self.scores = empty(room.candidates, dtype=self.wide)
        self.children = empty(room.candidates, 2, dtype=torch.int32)
        tables = (len(room.active) + 1, room.rows, room.width)
        self.node_table, self.cand_table = (empty(*tables, dtype=torch.int32) for _ in range(2))
        self.node_table[0], self.cand_table[0] = plan.leaf_table, plan.cand_table
        self.merges = torch.full((room.rows, len(room.active)), -1, device=leaves.device)

    @property
    def block(self) -> dict[str, int]:
        """How a kernel cuts a state."""
        return {"D": self.size, "BLOCK": 1 << (self.size - 1).bit_length()}

    @property
    def tables(self) -> tuple[Any, ...]:
        """What both level kernels read of the layout."""
        noise = self.scores if self.noise is None else self.noise
        strides = (0, 0) if self.noise is None else (noise.stride(0), noise.stride(1))
        lengths, order = self.plan.lengths, self.plan.order
        return (lengths, order, self.node_table, self.cand_table, self.merges, noise, *strides)

    def grow(self) -> tuple[Tensor, Tensor]:
        """Build the trees, level by level; their roots h, c (rows, D)."""
        room, pairs = self.room, self.plan.pairs
        pools = (
            self.products, self.node_c, self.bias, self.query, self.cand_h, self.cand_c, self.gates,
            self.scores, self.children,
        )  # fmt: skip
        self._multiply(0, room.leaves)
        if len(pairs):
            kernels.compose_leaves[(len(pairs),)](pairs, *pools, **self.block, KEEP=self.keep)
        for level, rows in enumerate(room.active):
            first = room.first_node[level]
            kernels.grow_level[(rows,)](
                level, room.rows, len(room.active), first, *room.first_cand[level : level + 2], *self.tables,
                self.node_h, *pools, **self.block, KEEP=self.keep, WIDTH=room.width,
                NOISE=self.noise is not None,
            )  # fmt: skip
            if level + 1 < len(room.active):
                # Rows that are done need no product: the next level's rows are the first ones.
                self._multiply(first, first + room.active[level + 1])
        roots = self.plan.roots
        return self.node_h.index_select(0, roots), self.node_c.index_select(0, roots).to(self.narrow)

    def _multiply(self, start: int, end: int) -> None:
        torch.mm(self.node_h[start:end], self.weight, out=self.products[start:end])


class ForestGradient:
    """One pass from the roots to the leaves; see `chef.model.cached_gradient` for the formulas."""

    def __init__(self, forest: Forest, weight: Tensor) -> None:
        self.forest, self.room = forest, forest.room
        self.weight, self.sampled = weight.to(forest.narrow), forest.noise is not None
        room, size, like = self.room, forest.size, forest.node_c
        self.grad_h, self.grad_c = like.new_empty(room.nodes, size), like.new_empty(room.nodes, size)
        self.total = like.new_zeros(room.candidates)  # of every candidate's score, over the levels
        merges = sum(room.active)
        self.merge_gates = forest.node_h.new_empty(merges, 5 * size)
        self.merge_cand = torch.empty(merges, dtype=torch.long, device=like.device)
        self.merge_of = torch.full((room.candidates,), -1, dtype=torch.int32, device=like.device)

    def run(self, grad_h: Tensor, grad_c: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of leaves, weight, bias and query, given those of the roots (rows, D)."""
        forest, room = self.forest, self.room
        roots = forest.plan.roots.long()
        self.grad_h.index_copy_(0, roots, grad_h.to(forest.wide))
        self.grad_c.index_copy_(0, roots, grad_c.to(forest.wide))
        unit_gates, unit_h, unit_c = self._unit_scores() if self.sampled else (forest.gates,) * 3
        arrived, arrived_rows, first_merge = forest.node_h, 0, len(self.merge_gates)
        for level in reversed(range(len(room.active))):
            rows = room.active[level]
            first_merge -= rows
            kernels.fall_level[(rows,)](
                level, room.rows, len(room.active), room.first_node[level], first_merge, arrived_rows,
                *forest.tables, forest.node_h, forest.node_c, forest.cand_h, forest.cand_c, forest.gates,
                forest.scores, forest.children, self.grad_h, self.grad_c, arrived, self.merge_gates,
                self.merge_cand, self.merge_of, self.total, unit_h, unit_c, **forest.block,
                WIDTH=room.width, SAMPLED=self.sampled,
            )  # fmt: skip
            arrived, arrived_rows = self.merge_gates[first_merge : first_merge + rows] @ self.weight, rows
        if arrived_rows:
            kernels.arrive[(arrived_rows,)](
                forest.merges, len(room.active), forest.plan.order, forest.node_table, self.grad_h, arrived,
                **forest.block, WIDTH=room.width,
            )  # fmt: skip
        leaves = torch.cat([self.grad_h[: room.leaves], self.grad_c[: room.leaves]], dim=1)
        return leaves.to(forest.narrow), *self._parameters(unit_gates)

    def _unit_scores(self) -> tuple[Tensor, Tensor, Tensor]:
        """What one unit of each candidate's score asks of its gates, and of its children's h and c."""
        forest = self.forest
        gates = torch.empty_like(forest.gates)
        c = forest.node_h.new_empty(self.room.candidates, 2 * forest.size)
        if self.room.candidates:
            kernels.unit_scores[(self.room.candidates,)](
                forest.node_c, forest.query, forest.cand_c, forest.gates, forest.children, gates, c,
                **forest.block,
            )  # fmt: skip
        return gates, gates @ self.weight, c

    def _parameters(self, unit_gates: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of weight, bias and query, in the precision of sums."""
        forest = self.forest
        if not self.sampled:
            pairs = forest.children[self.merge_cand].long()
            gates, pairs_h = self.merge_gates, forest.node_h[pairs].flatten(1)
        else:
            gates = unit_gates
            pairs_h = forest.node_h.new_empty(self.room.candidates, 2 * forest.size)
            if self.room.candidates:
                kernels.gather_gates[(self.room.candidates,)](
                    gates, self.total, self.merge_gates, self.merge_of, forest.children, forest.node_h,
                    pairs_h, **forest.block,
                )  # fmt: skip
        weight = (gates.T @ pairs_h).to(forest.wide)
        bias = gates.sum(0, dtype=forest.wide)
        # A place that was never filled holds no h: 0 times whatever lies there may be NaN.
        empty = forest.children[:, :1] < 0
        query = self.total.to(forest.narrow) @ forest.cand_h.masked_fill(empty, 0) * forest.scale
        return weight, bias, query.to(forest.wide)
