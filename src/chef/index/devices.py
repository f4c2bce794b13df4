"""Where the model runs while recipes are added: which GPU, how many threads, next to which other processes.

`torchrun` tells each process its rank through the environment. The processes need no connection to each
other: each claims work of its own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rank:
    """This process among those that `torchrun` started on this machine; without it, the only one."""

    number: int = 0
    size: int = 1

    @classmethod
    def here(cls) -> Rank:
        """The rank given by the environment."""
        return cls(int(os.environ.get("LOCAL_RANK", 0)), int(os.environ.get("LOCAL_WORLD_SIZE", 1)))

    @property
    def first(self) -> bool:
        """Whether this process talks to the user."""
        return self.number == 0

    @property
    def alone(self) -> bool:
        """Whether there is no other process, on this machine or elsewhere."""
        return int(os.environ.get("WORLD_SIZE", 1)) == 1

    def settle(self) -> str:
        """Use only this process's share of the machine -> the name of its device.

        If there are more processes than GPUs they share them: most of the time goes into reading text and
        photos, on the CPU.
        """
        import torch

        # One thread is torchrun's default, not the user's choice.
        if self.size > 1 and os.environ.get("OMP_NUM_THREADS", "1") == "1":
            torch.set_num_threads(max(1, _cores() // self.size))
        if not torch.cuda.is_available():
            return "cpu"
        return f"cuda:{self.number % torch.cuda.device_count()}"


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
