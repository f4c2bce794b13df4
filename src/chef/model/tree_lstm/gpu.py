"""The Gumbel Tree-LSTM on a GPU: the cache of `cpu`, with two launches a level.

A level is one matrix product and one Triton kernel (`kernels`), forward and backward, and the host never
waits: `plan` knows all shapes beforehand. The products run in bf16 on tensor cores under autocast, otherwise
in the precision of the weights.

The launches of a pass are recorded once as a CUDA graph and replayed batch after batch. A graph has fixed
shapes, so it is recorded with some spare capacity: a batch that fits is copied in, one that does not fit runs
without a graph, and a larger graph is recorded if such batches keep coming.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from chef.model.cuda_graphs import Memory, Recorder, Ticket, record, warm_up
from chef.model.tree_lstm import kernels
from chef.model.tree_lstm.cpu import Cell
from chef.model.tree_lstm.plan import Capacity, ForestPlan, Planned

States = tuple[Tensor, Tensor, Tensor]
Results = tuple[Tensor, Tensor, Tensor, Tensor]  # and the losses of a lesson (N,)

_PLANNED = 64  # rows that a program plans


def encode_gpu(owner: nn.Module, cell: Cell, leaves: Tensor, lengths: Tensor, noise: Tensor | None) -> States:
    """Roots h, c (N, D) and merges (N, longest - 1) of the trees over leaves (sum of lengths, 2D).

    lengths: on the CPU. owner: the module whose batches are similar; its graphs live as long as it does.
    """
    return _run(owner, cell, leaves, _Batch(lengths, leaves, noise, _keeps(cell, leaves)))[:3]


def teach_gpu(owner: nn.Module, cell: Cell, leaves: Tensor, lengths: Tensor, last: Tensor) -> Tensor:
    """The loss (N,) of the choices of trees over leaves (sum of lengths, 2D); see `GumbelTreeLSTM.teach`.

    lengths, last: on the CPU.
    """
    batch = _Batch(lengths, leaves, None, _keeps(cell, leaves), last)
    return _run(owner, cell, leaves, batch)[3]


def _run(owner: nn.Module, cell: Cell, leaves: Tensor, batch: _Batch) -> Results:
    """Through a graph of batches of this kind, if there is one that fits."""
    assert isinstance(batch.lengths, Tensor)
    kind = (leaves.dtype, batch.noise is not None, batch.last is not None, batch.keep)
    recorder = _RECORDERS.setdefault(owner, {}).setdefault(kind, Recorder())
    graph, capacity = None, Capacity.of(batch.lengths.numpy())
    if capacity.active:
        with torch.no_grad(), torch.autocast(leaves.device.type, enabled=False):
            graph = recorder.graph_for(_addresses(cell), capacity, lambda room: _Graph(cell, batch, room))
    results: Results = _GpuTree.apply(leaves, cell.weight, cell.bias, cell.query, batch, graph)  # type: ignore[no-untyped-call]
    return results


def _keeps(cell: Cell, leaves: Tensor) -> bool:
    """Whether there will be a backward pass."""
    items = (leaves, cell.weight, cell.bias, cell.query)
    return torch.is_grad_enabled() and any(item.requires_grad for item in items)


def plan_forest(planned: Planned) -> ForestPlan:
    """The plan for lengths on the GPU."""
    capacity, lengths = planned.capacity, planned.lengths
    rows, width = capacity.rows, capacity.width

    def parts(sizes: list[int], value: int) -> tuple[Tensor, ...]:
        flat = torch.full((sum(sizes),), value, dtype=torch.int32, device=lengths.device)
        return torch.split(flat, sizes)

    pairs, item_row, item_place = parts([capacity.pairs, capacity.leaves, capacity.leaves], -1)
    order, down, roots, leaves, candidates = parts([rows, rows, rows, rows * width, rows * width], 0)
    kernels.plan_rows[((rows + _PLANNED - 1) // _PLANNED,)](
        lengths, planned.level_nodes, order, down, roots, pairs, leaves, candidates, item_row, item_place,
        rows, capacity.nodes - 1, BLOCK=_PLANNED, WIDTH=width,
    )  # fmt: skip
    tables = (leaves.view(rows, width), candidates.view(rows, width))
    return ForestPlan(capacity, order, down, roots, pairs, *tables, item_row, item_place)


def encode_planned(cell: Cell, leaves: Tensor, plan: ForestPlan, noise: Tensor | None) -> States:
    """Roots and merges where the plan is on the GPU, launch by launch: as part of a larger graph."""
    batch = _Batch(plan, leaves, noise, _keeps(cell, leaves))
    arguments = (leaves, cell.weight, cell.bias, cell.query, batch, None)
    h, c, merges, _ = _GpuTree.apply(*arguments)  # type: ignore[no-untyped-call]
    return h, c, merges


@dataclass(frozen=True)
class _Batch:
    lengths: Tensor | ForestPlan  # on the CPU; or planned on the GPU
    leaves: Tensor
    noise: Tensor | None
    keep: bool
    last: Tensor | None = None  # (N,) on the CPU: the leaves that should be merged last, if that is taught

    @property
    def plan(self) -> ForestPlan:
        """With no spare capacity, unless it was planned with some."""
        if isinstance(self.lengths, ForestPlan):
            return self.lengths
        lengths = _send(self.lengths, self.leaves.device)
        return plan_forest(Planned.of(lengths, Capacity.of(self.lengths.numpy())))


class _GpuTree(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, leaves: Tensor, weight: Tensor, bias: Tensor, query: Tensor, batch: _Batch, graph: Any
    ) -> Results:
        with torch.autocast(leaves.device.type, enabled=False):
            run = graph or _Once(Cell(weight, bias, query), batch)
            results: Results = run.forward(batch)
        ctx.mark_non_differentiable(results[2])
        if batch.keep:
            ctx.run, ctx.ticket, ctx.dtype = run, run.take(), weight.dtype
        return results

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, grad_h: Tensor, grad_c: Tensor, _: Tensor, grad_losses: Tensor
    ) -> tuple[Tensor | None, ...]:
        with torch.autocast(grad_h.device.type, enabled=False):
            leaves, *weights = ctx.run.backward(ctx.ticket, grad_h, grad_c, grad_losses)
        grads = (leaves, *(grad.to(ctx.dtype) for grad in weights))
        needed = [grad if need else None for grad, need in zip(grads, ctx.needs_input_grad, strict=False)]
        return (*needed, None, None)


class _Once:
    """One batch without a graph, launched kernel by kernel."""

    def __init__(self, cell: Cell, batch: _Batch) -> None:
        self.weight = cell.weight
        last = None if batch.last is None else _send(batch.last.int(), batch.leaves.device)
        self.forest = Forest(cell, batch.leaves, batch.plan, batch.noise, batch.keep, last)

    def forward(self, batch: _Batch) -> Results:
        return (*self.forest.grow(), self.forest.merges, self.forest.losses)

    def take(self) -> Ticket:
        return Ticket()

    def backward(self, ticket: Ticket, *grads: Tensor) -> tuple[Tensor, ...]:
        return ForestGradient(self.forest, self.weight).run(*grads)


class _Graph:
    """A recorded forest of fixed size; `forward` and `backward` copy in, replay, and copy out."""

    def __init__(self, cell: Cell, batch: _Batch, capacity: Capacity) -> None:
        size = cell.hidden
        self.lengths = torch.zeros(capacity.rows, dtype=torch.long, device=batch.leaves.device)
        self.planned = Planned.of(self.lengths, capacity)  # which every replay reads
        self.leaves = batch.leaves.new_zeros(capacity.leaves, 2 * size)
        levels = len(capacity.active)
        self.noise = None if batch.noise is None else batch.noise.new_zeros(capacity.rows, levels, levels)
        self.last = None if batch.last is None else torch.zeros_like(self.lengths, dtype=torch.int32)
        self.grads = tuple(batch.leaves.new_zeros(capacity.rows, size) for _ in range(2))
        self.grads += (torch.zeros(capacity.rows, dtype=_wide(batch.leaves), device=self.lengths.device),)
        self.memory = Memory()

        def forward() -> tuple[Forest, tuple[Tensor, Tensor]]:
            plan = plan_forest(self.planned)
            forest = Forest(cell, self.leaves, plan, self.noise, batch.keep, self.last)
            return forest, forest.grow()

        def gradient(forest: Forest) -> tuple[Tensor, ...]:
            return ForestGradient(forest, cell.weight).run(*self.grads)

        warm_up(lambda: gradient(forward()[0]) if batch.keep else forward())
        self._forward, (self.forest, self.roots) = record(forward)
        if batch.keep:
            self._backward, self.results = record(lambda: gradient(self.forest), self._forward.pool())

    def forward(self, batch: _Batch) -> Results:
        assert isinstance(batch.lengths, Tensor)
        rows, levels = len(batch.lengths), int(batch.lengths.max()) - 1
        self.lengths.zero_()
        self.lengths[:rows].copy_(batch.lengths.pin_memory(), non_blocking=True)
        self.leaves[: len(batch.leaves)].copy_(batch.leaves)
        if self.noise is not None and batch.noise is not None:
            self.noise[:rows, :levels, :levels].copy_(batch.noise[:, :levels, :levels])
        if self.last is not None and batch.last is not None:
            self.last[:rows].copy_(batch.last.int().pin_memory(), non_blocking=True)
        self._forward.replay()
        self._rows, self._leaves = rows, len(batch.leaves)
        h, c, losses = (part[:rows].clone() for part in (*self.roots, self.forest.losses))
        return h, c, self.forest.merges[:rows, :levels].clone(), losses

    def take(self) -> Ticket:
        return self.memory.take()

    def backward(self, ticket: Ticket, *grads: Tensor) -> tuple[Tensor, ...]:
        self.memory.check(ticket)
        for held, grad in zip(self.grads, grads, strict=True):
            held[: self._rows].copy_(grad)
        self._backward.replay()
        leaves, *weights = self.results
        return leaves[: self._leaves].clone(), *(grad.clone() for grad in weights)


_RECORDERS: WeakKeyDictionary[nn.Module, dict[Any, Recorder[Capacity, _Graph]]] = WeakKeyDictionary()


def _addresses(cell: Cell) -> tuple[int, ...]:
    return tuple(item.data_ptr() for item in (cell.weight, cell.bias, cell.query))


def _wide(leaves: Tensor) -> torch.dtype:
    """The precision of sums and scores."""
    return torch.float64 if leaves.dtype == torch.float64 else torch.float32


def _send(flat: Tensor, device: torch.device) -> Tensor:
    """Copy to the device from pinned memory, without blocking."""
    return (flat.pin_memory() if device.type == "cuda" else flat).to(device, non_blocking=True)


class Forest:
    """The pools of nodes and candidates, as in `cpu`, and the forward pass that fills them.

    leaves: (the plan's leaves, 2D), in the precision of the products. noise: (rows, levels, levels) or None.
    keep: store what the backward pass needs. last: (rows,) of a lesson (`cpu.Lesson`) or None.
    """

    def __init__(
        self,
        cell: Cell,
        leaves: Tensor,
        plan: ForestPlan,
        noise: Tensor | None,
        keep: bool,
        last: Tensor | None = None,
    ) -> None:
        size, capacity = cell.hidden, plan.capacity
        self.plan, self.capacity, self.noise, self.keep, self.size = plan, capacity, noise, keep, size
        self.narrow = leaves.dtype
        self.wide, self.taught = _wide(leaves), last is not None
        self.scale = cell.scale
        self.bias, self.query = cell.bias.to(self.wide), cell.query.to(self.wide) * cell.scale
        # (D, 10D): the weight for a node as a left child, and beside it as a right child.
        self.weight = torch.cat(cell.halves).to(self.narrow).T

        def empty(*shape: int, dtype: torch.dtype = self.narrow) -> Tensor:
            return torch.empty(shape, dtype=dtype, device=leaves.device)

        self.node_h, self.node_c = empty(capacity.nodes, size), empty(capacity.nodes, size, dtype=self.wide)
        self.node_h[: capacity.leaves] = leaves[:, :size]
        self.node_c[: capacity.leaves] = leaves[:, size:]
        self.node_h[-1], self.node_c[-1] = 0, 0  # the unused node is the root of empty rows
        self.products = empty(capacity.nodes, 10 * size)
        self.cand_h = empty(capacity.candidates, size)
        self.cand_c = empty(capacity.candidates, size, dtype=self.wide)
        self.gates = empty(capacity.candidates if keep else 0, 5 * size)
        self.scores = empty(capacity.candidates, dtype=self.wide)
        self.children = empty(capacity.candidates, 2, dtype=torch.int32)
        tables = (len(capacity.active) + 1, capacity.rows, capacity.width)
        self.node_table, self.cand_table = (empty(*tables, dtype=torch.int32) for _ in range(2))
        self.node_table[0], self.cand_table[0] = plan.leaf_table, plan.cand_table
        self.merges = torch.full((capacity.rows, len(capacity.active)), -1, device=leaves.device)
        self.losses = torch.zeros(capacity.rows, dtype=self.wide, device=leaves.device)
        self.last = self.nearest = self.merges  # unused, unless a lesson is given
        self.wanted = self.losses
        if last is not None:
            self.last = last.clone()  # the levels move it
            self.nearest = torch.zeros(capacity.nodes, dtype=torch.int32, device=leaves.device)
            self.wanted = empty(*tables, dtype=self.wide)

    @property
    def block(self) -> dict[str, int]:
        """The block size of a state in a kernel."""
        return {"D": self.size, "BLOCK": 1 << (self.size - 1).bit_length()}

    @property
    def tables(self) -> tuple[Any, ...]:
        """The layout arguments of both level kernels."""
        noise = self.scores if self.noise is None else self.noise
        strides = (0, 0) if self.noise is None else (noise.stride(0), noise.stride(1))
        lengths, order = self.plan.lengths, self.plan.order
        return (lengths, order, self.node_table, self.cand_table, self.merges, noise, *strides)

    def grow(self) -> tuple[Tensor, Tensor]:
        """Build the trees, level by level; returns their roots h, c (rows, D)."""
        capacity, pairs, levels = self.capacity, self.plan.pairs, len(self.capacity.active)
        pools = (
            self.products, self.node_c, self.bias, self.query, self.cand_h, self.cand_c, self.gates,
            self.scores, self.children,
        )  # fmt: skip
        self._multiply(0, capacity.leaves)
        if len(pairs):
            kernels.compose_leaves[(len(pairs),)](pairs, *pools, **self.block, KEEP=self.keep)
        for level, rows in enumerate(capacity.active):
            first = capacity.first_node[level]
            kernels.level_forward[(rows,)](
                level, capacity.rows, levels, first, *capacity.first_cand[level : level + 2], *self.tables,
                self.last, self.nearest, self.losses, self.wanted, self.node_h, *pools, **self.block,
                KEEP=self.keep, WIDTH=capacity.width, NOISE=self.noise is not None, TAUGHT=self.taught,
            )  # fmt: skip
            if level + 1 < levels:
                # Finished rows need no product: the next level's rows are the first ones.
                self._multiply(first, first + capacity.active[level + 1])
        roots = self.plan.roots
        return self.node_h.index_select(0, roots), self.node_c.index_select(0, roots).to(self.narrow)

    def _multiply(self, start: int, end: int) -> None:
        torch.mm(self.node_h[start:end], self.weight, out=self.products[start:end])


class ForestGradient:
    """The backward pass, from the roots to the leaves; see `cpu` for the formulas."""

    def __init__(self, forest: Forest, weight: Tensor) -> None:
        self.forest, self.capacity = forest, forest.capacity
        self.weight = weight.to(forest.narrow)
        self.scored = forest.noise is not None or forest.taught  # whether scores have a gradient
        capacity, size, like = self.capacity, forest.size, forest.node_c
        self.grad_h, self.grad_c = like.new_empty(capacity.nodes, size), like.new_empty(capacity.nodes, size)
        self.total = like.new_zeros(capacity.candidates)  # d of every candidate, summed over levels
        merges = sum(capacity.active)
        self.merge_gates = forest.node_h.new_empty(merges, 5 * size)
        self.merge_cand = torch.empty(merges, dtype=torch.long, device=like.device)
        self.merge_of = torch.full((capacity.candidates,), -1, dtype=torch.int32, device=like.device)

    def run(
        self, grad_h: Tensor, grad_c: Tensor, grad_losses: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Of leaves, weight, bias and query, from the gradients of roots (rows, D) and losses (rows,)."""
        forest, capacity, levels = self.forest, self.capacity, len(self.capacity.active)
        roots = forest.plan.roots.long()
        grad_losses = grad_losses.to(forest.wide).contiguous()  # that of a sum is one number for all rows
        self.grad_h.index_copy_(0, roots, grad_h.to(forest.wide))
        self.grad_c.index_copy_(0, roots, grad_c.to(forest.wide))
        unit_gates, unit_h, unit_c = self._unit_scores() if self.scored else (forest.gates,) * 3
        arrived, arrived_rows, first_merge = forest.node_h, 0, len(self.merge_gates)
        for level in reversed(range(levels)):
            rows = capacity.active[level]
            first_merge -= rows
            kernels.level_backward[(rows,)](
                level, capacity.rows, levels, capacity.first_node[level], first_merge, arrived_rows,
                *forest.tables, forest.wanted, grad_losses, forest.node_h, forest.node_c, forest.cand_h,
                forest.cand_c, forest.gates, forest.scores, forest.children, self.grad_h, self.grad_c,
                arrived, self.merge_gates, self.merge_cand, self.merge_of, self.total, unit_h, unit_c,
                **forest.block, WIDTH=capacity.width, SCORED=self.scored, TAUGHT=forest.taught,
            )  # fmt: skip
            arrived, arrived_rows = self.merge_gates[first_merge : first_merge + rows] @ self.weight, rows
        if arrived_rows:
            kernels.add_arrived[(arrived_rows,)](
                forest.merges, levels, forest.plan.order, forest.node_table, self.grad_h, arrived,
                **forest.block, WIDTH=capacity.width,
            )  # fmt: skip
        leaves = torch.cat([self.grad_h[: capacity.leaves], self.grad_c[: capacity.leaves]], dim=1)
        leaves = leaves.to(forest.narrow).masked_fill(forest.plan.item_row[:, None] < 0, 0)
        return leaves, *self._parameters(unit_gates)

    def _unit_scores(self) -> tuple[Tensor, Tensor, Tensor]:
        """The gradient of one unit of each candidate's score for its gates and its children's h and c."""
        forest = self.forest
        gates = torch.empty_like(forest.gates)
        c = forest.node_h.new_empty(self.capacity.candidates, 2 * forest.size)
        if self.capacity.candidates:
            kernels.unit_scores[(self.capacity.candidates,)](
                forest.node_c, forest.query, forest.cand_c, forest.gates, forest.children, gates, c,
                **forest.block,
            )  # fmt: skip
        return gates, gates @ self.weight, c

    def _parameters(self, unit_gates: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of weight, bias and query, in full precision."""
        forest = self.forest
        if not self.scored:
            pairs = forest.children[self.merge_cand].long()
            gates, pairs_h = self.merge_gates, forest.node_h[pairs].flatten(1)
        else:
            gates = unit_gates
            pairs_h = forest.node_h.new_empty(self.capacity.candidates, 2 * forest.size)
            if self.capacity.candidates:
                kernels.gather_gates[(self.capacity.candidates,)](
                    gates, self.total, self.merge_gates, self.merge_of, forest.children, forest.node_h,
                    pairs_h, **forest.block,
                )  # fmt: skip
        weight = (gates.T @ pairs_h).to(forest.wide)
        bias = gates.sum(0, dtype=forest.wide)
        # An empty slot holds no h: 0 times whatever lies there may be NaN.
        empty = forest.children[:, :1] < 0
        query = self.total.to(forest.narrow) @ forest.cand_h.masked_fill(empty, 0) * forest.scale
        return weight, bias, query.to(forest.wide)
