"""Which pairs and texts make up which batch: a function of seed and epoch, the same on every process."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader

from chef.data.batches import RecipeBatch, recipe_batch
from chef.data.prepared import PreparedSplit
from chef.errors import ChefError


@dataclass(frozen=True)
class Batches:
    """The batches of an epoch: every sample exactly once, in batches of nearly equal size.

    Each process takes its slice of every batch, so a batch is the same set of pairs however many
    processes share it: an epoch may continue with more or fewer processes than it began with.

    >>> list(Batches(samples=5, batch=2, seed=0).epoch(0))  # doctest: +SKIP
    [array([4, 2]), array([3, 1]), array([0])]
    """

    samples: int
    batch: int
    seed: int
    rank: int = 0
    processes: int = 1

    def __len__(self) -> int:
        # The hardest negative needs two pairs. Independent of the processes, which may change mid-epoch.
        return max(1, min(math.ceil(self.samples / self.batch), self.samples // 2))

    @property
    def smallest(self) -> int:
        """The size of the smallest batch, and the most processes that can share it."""
        return self.samples // len(self)

    def size(self, number: int) -> int:
        """The pairs of a batch of the epoch, over all processes."""
        return self.smallest + (number < self.samples % len(self))

    def epoch(self, epoch: int, start: int = 0) -> Iterator[np.ndarray]:
        """This process's slices of the batches of an epoch, from batch `start` on."""
        order = np.random.default_rng([self.seed, epoch]).permutation(self.samples)
        for batch in np.array_split(order, len(self))[start:]:
            yield np.array_split(batch, self.processes)[self.rank]


@dataclass(frozen=True, slots=True)
class Texts:
    """Recipes without a photo, and their positions in the split."""

    recipes: RecipeBatch
    index: Tensor  # (B,)

    def __len__(self) -> int:
        return len(self.index)

    def to(self, device: torch.device) -> Texts:
        """The same texts on a device."""
        return Texts(self.recipes.to(device), self.index)

    def pin_memory(self) -> Texts:
        """The same texts in pinned memory; a DataLoader calls this."""
        return Texts(self.recipes.pin_memory(), self.index)


class TextBatches(torch.utils.data.Dataset[Texts | None]):
    """A batch of training recipes without a photo for each step: a function of seed, epoch and batch number.

    Each process takes its slice, as it does of the pairs.
    split: the training recipes, including those without a photo.
    """

    def __init__(
        self, split: PreparedSplit, batch: int, seed: int, rank: int = 0, processes: int = 1
    ) -> None:
        self.split = split
        self.seed, self.rank, self.processes = seed, rank, processes
        self.rows = np.array([i for i in range(len(split)) if not split.images(i)], dtype=np.int64)
        self.size = min(batch, len(self.rows))
        self.too_few = self.size < 2  # a text needs at least one negative
        if not self.too_few and self.size < processes:
            raise ChefError(
                f"{self.size} recipes without a photo cannot be shared by {processes} processes",
                "start fewer processes, or raise text_batch if that is what limits it",
            )

    def __getitem__(self, place: tuple[int, int]) -> Texts | None:
        return self.draw(*place)

    def draw(self, epoch: int, number: int) -> Texts | None:
        """This process's share of the texts of one step; None if the data have too few."""
        if self.too_few:
            return None
        random = np.random.default_rng([self.seed, epoch, number])
        drawn = random.choice(self.rows, self.size, replace=False)
        own = np.array_split(drawn, self.processes)[self.rank]
        return Texts(recipe_batch([self.split.tokens(int(i)) for i in own]), torch.from_numpy(own))

    def load(self, epoch: int, numbers: range, workers: int, pin: bool) -> Iterator[Texts | None]:
        """The draws of consecutive steps, read by worker processes."""
        if self.too_few:
            return iter(repeat(None, len(numbers)))
        draws: DataLoader[Any] = DataLoader(
            self, batch_size=None, sampler=zip(repeat(epoch), numbers), num_workers=workers, pin_memory=pin
        )
        return iter(draws)
