"""The fast Tree-LSTM without its launches: recorded once as a CUDA graph, then replayed batch after batch.

A graph has fixed shapes, so it is recorded with some room to spare (`chef.model.forest_plan.Room`): a
batch that fits is copied in, one that does not runs without a graph, and a wider graph is recorded if such
batches keep coming.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from chef.model.cached_tree import Cell
from chef.model.fast_tree import Forest, ForestGradient
from chef.model.forest_plan import Room, plan_forest, read_plan
from chef.model.graphs import Memory, Ticket, record, warm_up

_PATIENCE = 3  # batches that do not fit before a graph is recorded for them
_MOST = 8  # graphs after another, for batches that grow: then they are not alike, and no graph suits them

States = tuple[Tensor, Tensor, Tensor]


def encode_fast(
    owner: nn.Module, cell: Cell, leaves: Tensor, lengths: Tensor, noise: Tensor | None
) -> States:
    """Roots h, c (N, D) and merges (N, longest - 1) of the trees over leaves (sum of lengths, 2D).

    lengths: on the CPU. owner: the module whose batches are alike; its graphs live as long as it does.
    """
    weights = (cell.weight, cell.bias, cell.query)
    keep = torch.is_grad_enabled() and any(item.requires_grad for item in (leaves, *weights))
    kind = (leaves.dtype, noise is not None, keep)
    recorder = _RECORDERS.setdefault(owner, {}).setdefault(kind, _Recorder())
    batch = _Batch(lengths, leaves, noise, keep)
    with torch.no_grad(), torch.autocast(leaves.device.type, enabled=False):
        graph = recorder.graph_for(cell, batch)
    h, c, merges = _FastTree.apply(leaves, *weights, batch, graph)  # type: ignore[no-untyped-call]
    return h, c, merges


@dataclass(frozen=True)
class _Batch:
    lengths: Tensor  # on the CPU
    leaves: Tensor
    noise: Tensor | None
    keep: bool

    @property
    def room(self) -> Room:
        return Room.of(self.lengths.numpy())


class _FastTree(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, leaves: Tensor, weight: Tensor, bias: Tensor, query: Tensor, batch: _Batch, graph: Any
    ) -> States:
        with torch.autocast(leaves.device.type, enabled=False):
            run = graph or _Once(Cell(weight, bias, query), batch)
            states = run.forward(batch)
        ctx.mark_non_differentiable(states[2])
        if batch.keep:
            ctx.run, ctx.ticket, ctx.dtype = run, run.take(), weight.dtype
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_h: Tensor, grad_c: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        with torch.autocast(grad_h.device.type, enabled=False):
            leaves, *weights = ctx.run.backward(ctx.ticket, grad_h, grad_c)
        grads = (leaves, *(grad.to(ctx.dtype) for grad in weights))
        needed = [grad if need else None for grad, need in zip(grads, ctx.needs_input_grad, strict=False)]
        return (*needed, None, None)


class _Once:
    """One batch, launched kernel by kernel."""

    def __init__(self, cell: Cell, batch: _Batch) -> None:
        plan_, flat = plan_forest(batch.lengths)
        plan = read_plan(_send(flat, batch.leaves.device), plan_.room)
        self.weight = cell.weight
        self.forest = Forest(cell, batch.leaves, plan, batch.noise, batch.keep)

    def forward(self, batch: _Batch) -> States:
        return (*self.forest.grow(), self.forest.merges)

    def take(self) -> Ticket:
        return Ticket()

    def backward(self, ticket: Ticket, grad_h: Tensor, grad_c: Tensor) -> tuple[Tensor, ...]:
        return ForestGradient(self.forest, self.weight).run(grad_h, grad_c)


class _Graph:
    """A forest of fixed size, recorded; `forward` and `backward` copy in, replay, and copy out."""

    def __init__(self, cell: Cell, batch: _Batch, room: Room) -> None:
        self.room, self.weights, self.made_for = room, _addresses(cell), batch.room.nodes
        device, size = batch.leaves.device, cell.hidden
        _, flat = plan_forest(batch.lengths, room)
        self.numbers = _send(flat, device)
        plan = read_plan(self.numbers, room)
        self.leaves = batch.leaves.new_zeros(room.leaves, 2 * size)
        levels = len(room.active)
        self.noise = None if batch.noise is None else batch.noise.new_zeros(room.rows, levels, levels)
        self.grads = tuple(batch.leaves.new_zeros(room.rows, size) for _ in range(2))
        self.memory = Memory()

        def forward() -> tuple[Forest, tuple[Tensor, Tensor]]:
            forest = Forest(cell, self.leaves, plan, self.noise, batch.keep)
            return forest, forest.grow()

        def gradient(forest: Forest) -> tuple[Tensor, ...]:
            return ForestGradient(forest, cell.weight).run(*self.grads)

        warm_up(lambda: gradient(forward()[0]) if batch.keep else forward())
        self._forward, (self.forest, self.roots) = record(forward)
        if batch.keep:
            self._backward, self.results = record(lambda: gradient(self.forest), self._forward.pool())

    def suits(self, cell: Cell, room: Room) -> bool:
        """Whether a batch fits and is worth it: a much smaller one would pay for work on empty places."""
        large_enough = 2 * room.nodes >= self.made_for
        return self.room.holds(room) and large_enough and self.weights == _addresses(cell)

    def forward(self, batch: _Batch) -> States:
        _, flat = plan_forest(batch.lengths, self.room)
        self.numbers.copy_(flat.pin_memory(), non_blocking=True)
        self.leaves[: len(batch.leaves)].copy_(batch.leaves)
        rows, levels = len(batch.lengths), int(batch.lengths.max()) - 1
        if self.noise is not None and batch.noise is not None:
            self.noise[:rows, :levels, :levels].copy_(batch.noise[:, :levels, :levels])
        self._forward.replay()
        self._rows, self._leaves = rows, len(batch.leaves)
        h, c = (part[:rows].clone() for part in self.roots)
        return h, c, self.forest.merges[:rows, :levels].clone()

    def take(self) -> Ticket:
        return self.memory.take()

    def backward(self, ticket: Ticket, grad_h: Tensor, grad_c: Tensor) -> tuple[Tensor, ...]:
        self.memory.check(ticket)
        for held, grad in zip(self.grads, (grad_h, grad_c), strict=True):
            held[: self._rows].copy_(grad)
        self._backward.replay()
        leaves, *weights = self.results
        return leaves[: self._leaves].clone(), *(grad.clone() for grad in weights)


class _Recorder:
    """The graph for one kind of batch, and the decision when to record one."""

    def __init__(self) -> None:
        self.graph: _Graph | None = None
        self.misses = self.recorded = 0
        self.wanted: Room | None = None

    def graph_for(self, cell: Cell, batch: _Batch) -> _Graph | None:
        """The graph to run a batch with; None: launch by launch."""
        room = batch.room
        if not room.active:
            return None
        if self.graph and self.graph.suits(cell, room):
            self.misses = 0
            return self.graph if self.graph.memory.free else None
        self.misses += 1
        self.wanted = room.with_spare(self.wanted)
        too_soon = self.misses < _PATIENCE or (self.graph is not None and not self.graph.memory.free)
        if too_soon or self.recorded == _MOST:
            return None
        self.graph = None  # its memory first
        try:
            self.graph = _Graph(cell, batch, self.wanted)
        except torch.OutOfMemoryError:
            self.recorded = _MOST  # this GPU has no room for one
            return None
        self.misses, self.recorded = 0, self.recorded + 1
        return self.graph


_RECORDERS: WeakKeyDictionary[nn.Module, dict[Any, _Recorder]] = WeakKeyDictionary()


def _addresses(cell: Cell) -> tuple[int, ...]:
    return tuple(item.data_ptr() for item in (cell.weight, cell.bias, cell.query))


def _send(flat: Tensor, device: torch.device) -> Tensor:
    """To the device, from memory that it can read without the host's help."""
    return (flat.pin_memory() if device.type == "cuda" else flat).to(device, non_blocking=True)
