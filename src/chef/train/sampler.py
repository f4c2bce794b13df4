"""Which pairs make up which batch: a function of seed and epoch, the same on every process."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Batches:
    """The batches of an epoch: every sample exactly once, in batches of nearly equal size.

    Each of the `world` processes takes its slice of every batch, so a batch is the same set of pairs
    however many processes share it: an epoch may go on with more of them, or fewer, than it began with.

    >>> list(Batches(samples=5, batch=2, seed=0).epoch(0))  # doctest: +SKIP
    [array([4, 2]), array([3, 1]), array([0])]
    """

    samples: int
    batch: int
    seed: int
    rank: int = 0
    world: int = 1

    def __len__(self) -> int:
        # The hardest negative needs two pairs. The processes have no say: they may change during an epoch.
        return max(1, min(math.ceil(self.samples / self.batch), self.samples // 2))

    @property
    def smallest(self) -> int:
        """The pairs of the smallest batch: no more processes than this can share it."""
        return self.samples // len(self)

    def epoch(self, epoch: int, start: int = 0) -> Iterator[np.ndarray]:
        """This process's slices of the batches of an epoch, from batch `start` on."""
        order = np.random.default_rng([self.seed, epoch]).permutation(self.samples)
        for batch in np.array_split(order, len(self))[start:]:
            yield np.array_split(batch, self.world)[self.rank]
