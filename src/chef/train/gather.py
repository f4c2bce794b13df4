"""Negatives from every process: an all-gather that gradients flow back through.

Each process embeds its own share of the batch and ranks its anchors against everyone's items. The losses of
`chef.train.loss` are shares of the full-batch loss, so their sum over processes, and that of their gradients,
is what one process with the full batch would have. (DistributedDataParallel averages gradients: multiply the
loss by the number of processes to undo that.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as distributed
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Gallery:
    """The items of the whole batch, those of this process standing at `offset` onwards.

    images, recipes: (N, D); groups: (N,) integers or None. Items of one group (the same recipe posted twice)
    are never negatives of each other.
    """

    images: Tensor
    recipes: Tensor
    offset: int = 0
    groups: Tensor | None = None


def gather(images: Tensor, recipes: Tensor, groups: Tensor | None = None) -> Gallery:
    """The gallery of all processes; of this one alone when there is only one. Batches may differ in size.

    Every process must call this, and backward, the same number of times.

    >>> value = loss(images, recipes, gather(images, recipes, groups))
    """
    if not distributed.is_initialized() or distributed.get_world_size() == 1:
        return Gallery(images, recipes, 0, groups)
    sizes = _sizes(images)
    offset = sum(sizes[: distributed.get_rank()])
    # Side by side in one tensor: one exchange each way, so no two can be taken in a different order.
    both: Tensor = _Gather.apply(torch.cat([images, recipes], dim=1), sizes, offset)  # type: ignore[no-untyped-call]
    width = images.shape[1]
    all_groups = None if groups is None else _all_rows(groups, sizes)
    return Gallery(both[:, :width], both[:, width:], offset, all_groups)


def total(value: Tensor) -> Tensor:
    """The sum of a value over all processes, without a gradient: how many there are of something."""
    value = value.detach().clone()
    if distributed.is_initialized() and distributed.get_world_size() > 1:
        distributed.all_reduce(value)
    return value


def gather_rows(rows: Tensor) -> Tensor:
    """The rows of all processes, in the order of `gather`'s, without a gradient."""
    if not distributed.is_initialized() or distributed.get_world_size() == 1:
        return rows
    return _all_rows(rows, _sizes(rows))


def own_rows(count: int) -> range:
    """Which of `count` rows are this process's to compute, for `fill_rows`; all where it is alone."""
    if not distributed.is_initialized():
        return range(count)
    return _rows_of(distributed.get_rank(), count)


def fill_rows(rows: Tensor) -> None:
    """Rows of which each process has computed its own: put those of the others in their places.

    >>> for i in own_rows(len(rows)):
    ...     rows[i] = costly(i)
    >>> fill_rows(rows)
    """
    if distributed.is_initialized():
        for rank in range(distributed.get_world_size()):
            part = _rows_of(rank, len(rows))
            if len(part):
                distributed.broadcast(rows[part.start : part.stop], rank)


def _rows_of(rank: int, count: int) -> range:
    world = distributed.get_world_size()
    return range(count * rank // world, count * (rank + 1) // world)


class _Gather(torch.autograd.Function):
    """Everyone's rows forward; backward, the sum over processes of the gradients of this one's rows."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, sizes: list[int], offset: int) -> Tensor:
        ctx.own = slice(offset, offset + len(rows))
        return _all_rows(rows, sizes)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        total = gradients[0].clone(memory_format=torch.contiguous_format)
        distributed.all_reduce(total)
        return total[ctx.own], None, None


def _sizes(rows: Tensor) -> list[int]:
    own = torch.tensor([len(rows)], device=rows.device)
    found = [torch.empty_like(own) for _ in range(distributed.get_world_size())]
    distributed.all_gather(found, own)
    return [int(size) for size in found]


def _all_rows(rows: Tensor, sizes: list[int]) -> Tensor:
    # The exchange wants equal shapes: short shares are padded, and the padding is cut off again.
    own = rows.new_zeros((max(sizes), *rows.shape[1:]))
    own[: len(rows)] = rows
    found = [torch.empty_like(own) for _ in sizes]
    distributed.all_gather(found, own)
    return torch.cat([part[:size] for part, size in zip(found, sizes, strict=True)])
