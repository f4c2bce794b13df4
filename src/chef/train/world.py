"""The processes that train together: `torchrun` starts them, this joins them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as distributed
from torch import nn


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
        epochs need no second wrapping, and the sum is exactly what one process would have.
        """
        if self.size == 1:
            return
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


@contextmanager
def joined_world() -> Iterator[World]:
    """The world that `torchrun` describes in the environment, or this process alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    rank = int(os.environ.get("RANK", "0"))
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    if size > 1:
        distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield World(rank, size, device)
    finally:
        if size > 1:
            distributed.destroy_process_group()
