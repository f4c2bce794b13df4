"""The processes that train together: `torchrun` starts them, and starts them again; this joins them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as distributed
from torch import Tensor, nn
from torch.distributed.rendezvous import rendezvous

from chef.errors import ChefError
from chef.train.meet import fresh_store

# How long a process waits for one that no longer answers: a machine without power closes no connection.
# Not shorter, because before the first step one machine may need longer than another to read the data.
_PATIENCE = timedelta(minutes=30)
_PIECE = 1 << 26  # bytes sent at once


@dataclass(frozen=True)
class World:
    """This process among the others."""

    rank: int
    size: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this process writes the files and talks to the user."""
        return self.rank == 0

    def wait(self) -> None:
        """Go on when every process has come here."""
        if self.size > 1:
            distributed.barrier()

    def add_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Sum the gradients over all processes: each holds its share of the full-batch gradient.

        One flat exchange instead of DistributedDataParallel: parameters that are frozen for some
        epochs need no second wrapping, and the sum is exactly what one process would have. A parameter
        that a share of the batch had no use for, as another one had, counts as 0 there.
        """
        if self.size == 1:
            return
        parameters = list(parameters)
        used = torch.tensor([parameter.grad is not None for parameter in parameters], dtype=torch.uint8)
        distributed.all_reduce(used, distributed.ReduceOp.MAX)
        parameters = [parameters[place] for place in used.nonzero().flatten().tolist()]
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
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        distributed.broadcast(tensor, 0)
        return float(tensor)

    def total(self, value: float) -> float:
        """The sum of a number over all processes."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=self.device)
        distributed.all_reduce(tensor)
        return float(tensor)

    def share(self, data: bytes) -> bytes:
        """The first process's bytes, on all of them; what the others give does not matter."""
        if self.size == 1:
            return data
        size = int(self.agree(len(data)))
        found = bytearray(data if self.first else size)
        for start in range(0, size, _PIECE):
            piece = torch.frombuffer(memoryview(found)[start : start + _PIECE], dtype=torch.uint8)
            distributed.broadcast(piece, 0)
        return bytes(found)

    def share_values(self, tensors: Iterable[Tensor]) -> None:
        """Give these tensors, on the CPU, the values that they have on the first process."""
        if self.size > 1:
            for tensor in tensors:
                distributed.broadcast(tensor, 0)


@contextmanager
def joined_world() -> Iterator[World]:
    """The world that `torchrun` describes in the environment, or this process alone."""
    size, rank, place = (
        int(os.environ.get(name, default))
        for name, default in (("WORLD_SIZE", "1"), ("RANK", "0"), ("LOCAL_RANK", "0"))
    )
    device = _device(place)
    if "TORCHELASTIC_RUN_ID" in os.environ:
        _leave_with_parent()
    if size == 1:
        yield World(rank, size, device)
        return
    # Tensors on the CPU are exchanged too: numbers that the host must know anyway.
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    try:
        store = fresh_store(next(rendezvous("env://", timeout=_PATIENCE))[0], rank, size)
        distributed.init_process_group(backend, store=store, rank=rank, world_size=size, timeout=_PATIENCE)
        yield World(rank, size, device)
    except RuntimeError as error:
        # gloo has no kind of error of its own: its messages begin with the place in its source.
        if isinstance(error, distributed.DistError) or "/gloo/" in str(error):
            raise ChefError(
                "another process of the run is gone",
                "torchrun --max-restarts N starts all of them again; so does the same command",
            ) from error
        raise
    finally:
        if distributed.is_initialized():
            distributed.destroy_process_group()


def _device(place: int) -> torch.device:
    """The GPU of the process that is number `place` on this machine, or the CPU where there is none."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    if place >= torch.cuda.device_count():
        raise ChefError(
            f"process {place + 1} of this machine has no GPU: there are {torch.cuda.device_count()}",
            "start one process a GPU (torchrun --nproc-per-node gpu)",
        )
    device = torch.device("cuda", place)
    torch.cuda.set_device(device)
    return device


def _leave_with_parent() -> None:
    """End this process when `torchrun` is gone: else it would go on beside those started after it."""
    parent = os.getppid()
    # Process 1 takes in who has lost his parent; in a container it may be torchrun itself.
    if parent == 1 and b"python" not in _command_line(1):
        raise ChefError("torchrun is gone, which started this process", "give the same command again")

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # not on Linux
        return b""
