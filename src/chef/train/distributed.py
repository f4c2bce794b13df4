"""Distributed training: the processes that `torchrun` starts, and what they exchange.

Each process embeds its own share of the batch and ranks its anchors against everyone's items (`gather`). The
losses of `chef.train.loss` are shares of the full-batch loss, so their sum over processes, and that of their
gradients, is what one process with the full batch would compute.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import torch
import torch.distributed as distributed
from torch import Tensor, nn
from torch.distributed.distributed_c10d import PrefixStore, Store
from torch.distributed.rendezvous import rendezvous as torch_rendezvous

from chef.errors import ChefError

# How long a process waits for one that no longer answers: a machine without power closes no connection.
# Not shorter, because before the first step one machine may take longer than another to read the data.
_TIMEOUT = timedelta(minutes=30)
_PIECE = 1 << 26  # bytes sent at once


@dataclass(frozen=True)
class Processes:
    """The processes of a run, seen from one of them."""

    rank: int
    size: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this process writes files and messages."""
        return self.rank == 0

    def wait(self) -> None:
        """Wait for all processes."""
        if self.size > 1:
            distributed.barrier()

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Sum the gradients over all processes: each holds its share of the full-batch gradient.

        One flat all-reduce instead of DistributedDataParallel: parameters that are frozen for some epochs
        need no rewrapping, and the sum is exactly what one process would compute. A parameter that only
        some shares of the batch use counts as 0 in the others.
        """
        if self.size == 1:
            return
        parameters = list(parameters)
        used = torch.tensor([parameter.grad is not None for parameter in parameters], dtype=torch.uint8)
        distributed.all_reduce(used, distributed.ReduceOp.MAX)
        parameters = [parameters[index] for index in used.nonzero().flatten().tolist()]
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        start = 0
        for gradient in gradients:
            gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient))
            start += gradient.numel()

    def agree(self, value: float) -> float:
        """The first process's number, on all of them."""
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        if self.size > 1:
            distributed.broadcast(tensor, 0)
        return float(tensor)

    def total(self, value: float) -> float:
        """The sum of a number over all processes."""
        return float(total(torch.tensor([value], dtype=torch.float64, device=self.device)))

    def share(self, data: bytes) -> bytes:
        """The first process's bytes, on all of them; those of the others are ignored."""
        if self.size == 1:
            return data
        size = int(self.agree(len(data)))
        received = bytearray(data if self.first else size)
        for start in range(0, size, _PIECE):
            piece = torch.frombuffer(memoryview(received)[start : start + _PIECE], dtype=torch.uint8)
            distributed.broadcast(piece, 0)
        return bytes(received)

    def share_values(self, tensors: Iterable[Tensor]) -> None:
        """Set these tensors, on the CPU, to their values on the first process."""
        if self.size > 1:
            for tensor in tensors:
                distributed.broadcast(tensor, 0)


@contextmanager
def join_processes() -> Iterator[Processes]:
    """Join the processes that `torchrun` describes in the environment, or run alone."""
    size, rank, local_rank = (
        int(os.environ.get(name, default))
        for name, default in (("WORLD_SIZE", "1"), ("RANK", "0"), ("LOCAL_RANK", "0"))
    )
    device = _device(local_rank)
    if "TORCHELASTIC_RUN_ID" in os.environ:
        _exit_with_parent()
    if size == 1:
        yield Processes(rank, size, device)
        return
    # gloo too, for CPU tensors: numbers that the host needs anyway.
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    try:
        store = rendezvous(next(torch_rendezvous("env://", timeout=_TIMEOUT))[0], rank, size)
        distributed.init_process_group(backend, store=store, rank=rank, world_size=size, timeout=_TIMEOUT)
        yield Processes(rank, size, device)
    except RuntimeError as error:
        # gloo has no error class of its own: its messages begin with a path in its source.
        if isinstance(error, distributed.DistError) or "/gloo/" in str(error):
            raise ChefError(
                "another process of the run is gone",
                "torchrun --max-restarts N restarts all of them; so does the same command",
            ) from error
        raise
    finally:
        if distributed.is_initialized():
            distributed.destroy_process_group()


def _device(local_rank: int) -> torch.device:
    """The GPU of this process, or the CPU of a machine without GPUs."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    if local_rank >= torch.cuda.device_count():
        raise ChefError(
            f"process {local_rank + 1} of this machine has no GPU: there are {torch.cuda.device_count()}",
            "start one process per GPU (torchrun --nproc-per-node gpu)",
        )
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    return device


def _exit_with_parent() -> None:
    """End this process when `torchrun` is gone, or it would run on beside those started later."""
    parent = os.getppid()
    if parent == 1:  # orphaned, unless torchrun itself is process 1 of a container
        try:
            command_line = Path("/proc/1/cmdline").read_bytes()
        except OSError:  # not on Linux
            command_line = b""
        if b"python" not in command_line:
            raise ChefError("torchrun, which started this process, is gone", "give the same command again")

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def rendezvous(store: Store, rank: int, size: int, timeout: timedelta = _TIMEOUT) -> Store:
    """A fresh part of the shared store, the same for all processes of this start and none of an earlier one.

    torchrun keeps its store when it restarts the processes, with the addresses of those that died, and a
    process that reads one waits for the dead (pytorch issue 135712). So the first process chooses a new
    prefix. The others ask for it under a new name each, so that no answer can be an old one, and the first
    process answers until all have confirmed.
    """
    if rank:
        asker = uuid4().hex
        store.set(f"chef/asks/{rank}", asker)
        name = store.get(f"chef/answers/{asker}").decode()  # blocks until it is there
        store.add(f"chef/knows/{name}", 1)
    else:
        name, answered, end = uuid4().hex, set(), time.monotonic() + timeout.total_seconds()
        while store.add(f"chef/knows/{name}", 0) < size - 1:
            for key in (f"chef/asks/{other}" for other in range(1, size)):
                asker = store.get(key).decode() if store.check([key]) else ""
                if asker and asker not in answered:  # perhaps from an earlier start: nobody reads that answer
                    store.set(f"chef/answers/{asker}", name)
                    answered.add(asker)
            if time.monotonic() > end:
                raise distributed.DistError("some processes did not start")
            time.sleep(0.02)
    return PrefixStore(name, store)


@dataclass(frozen=True, slots=True)
class Gallery:
    """The items of the whole batch; those of this process start at `offset`.

    images, recipes: (N, D); groups: (N,) integers or None. Items of one group (the same recipe posted twice)
    are never negatives of each other.
    """

    images: Tensor
    recipes: Tensor
    offset: int = 0
    groups: Tensor | None = None


def gather(images: Tensor, recipes: Tensor, groups: Tensor | None = None) -> Gallery:
    """The gallery of all processes. Their batches may differ in size. Gradients flow back through it.

    Every process must call this, and backward, the same number of times.

    >>> value = loss(images, recipes, gather(images, recipes, groups))
    """
    if _alone():
        return Gallery(images, recipes, 0, groups)
    sizes = _sizes(images)
    offset = sum(sizes[: distributed.get_rank()])
    # Concatenated: with one exchange in each direction, processes cannot disagree on the order of two.
    both: Tensor = _Gather.apply(torch.cat([images, recipes], dim=1), sizes, offset)  # type: ignore[no-untyped-call]
    width = images.shape[1]
    all_groups = None if groups is None else _all_rows(groups, sizes)
    return Gallery(both[:, :width], both[:, width:], offset, all_groups)


def total(value: Tensor) -> Tensor:
    """The sum of a value over all processes, without a gradient."""
    value = value.detach().clone()
    if not _alone():
        distributed.all_reduce(value)
    return value


def own_rows(count: int) -> range:
    """The rows, of `count`, that this process has to compute before `fill_rows`."""
    return range(count) if _alone() else _rows_of(distributed.get_rank(), count)


def fill_rows(rows: Tensor) -> None:
    """Fill in the rows that the other processes have computed.

    >>> for i in own_rows(len(rows)):
    ...     rows[i] = costly(i)
    >>> fill_rows(rows)
    """
    if _alone():
        return
    for rank in range(distributed.get_world_size()):
        part = _rows_of(rank, len(rows))
        if len(part):
            distributed.broadcast(rows[part.start : part.stop], rank)


def _alone() -> bool:
    return not distributed.is_initialized() or distributed.get_world_size() == 1


def _rows_of(rank: int, count: int) -> range:
    size = distributed.get_world_size()
    return range(count * rank // size, count * (rank + 1) // size)


class _Gather(torch.autograd.Function):
    """Forward: the rows of all processes. Backward: the summed gradients of this process's rows."""

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
    sizes = [torch.empty_like(own) for _ in range(distributed.get_world_size())]
    distributed.all_gather(sizes, own)
    return [int(size) for size in sizes]


def _all_rows(rows: Tensor, sizes: list[int]) -> Tensor:
    # all_gather needs equal shapes: short shares are padded, and the padding is removed again.
    own = rows.new_zeros((max(sizes), *rows.shape[1:]))
    own[: len(rows)] = rows
    parts = [torch.empty_like(own) for _ in sizes]
    distributed.all_gather(parts, own)
    return torch.cat([part[:size] for part, size in zip(parts, sizes, strict=True)])
