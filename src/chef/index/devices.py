"""Where the model computes while recipes are added: which GPU, how many threads, beside which others.

`torchrun` says in the environment which of its processes on this machine this one is. They need no
connection to each other: each does what it can claim.
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rank:
    """This process among those that `torchrun` started on this machine; one alone is the first of one."""

    number: int = 0
    size: int = 1

    @classmethod
    def here(cls) -> Rank:
        """As the environment says."""
        return cls(int(os.environ.get("LOCAL_RANK", 0)), int(os.environ.get("LOCAL_WORLD_SIZE", 1)))

    @property
    def first(self) -> bool:
        """Whether this process talks to the user."""
        return self.number == 0

    @property
    def alone(self) -> bool:
        """Whether `torchrun` started no other, here or elsewhere."""
        return int(os.environ.get("WORLD_SIZE", 1)) == 1

    def settle(self) -> str:
        """Take this process's part of the machine -> the name of its device.

        More processes than GPUs share them: most of the time goes into reading text and photos, on the CPU.
        """
        import torch

        if self.size > 1 and os.environ.get("OMP_NUM_THREADS", "1") == "1":  # torchrun's own, not a choice
            torch.set_num_threads(max(1, _cores() // self.size))
        if not torch.cuda.is_available():
            return "cpu"
        return f"cuda:{self.number % torch.cuda.device_count()}"


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
