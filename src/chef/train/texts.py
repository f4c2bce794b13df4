"""Recipes without a photo, drawn beside the pairs for an objective that learns from text alone."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Texts:
    """Recipes without a photo, and their positions in the split of all."""

    recipes: RecipeBatch
    index: Tensor  # (B,)

    def __len__(self) -> int:
        return len(self.index)

    def to(self, device: torch.device) -> Texts:
        """The same texts on a device."""
        return Texts(self.recipes.to(device), self.index.to(device, non_blocking=True))

    def pin_memory(self) -> Texts:
        """The same texts in memory that a GPU reads by itself; a DataLoader calls this."""
        return Texts(self.recipes.pin_memory(), self.index.pin_memory())


class TextBatches:
    """A batch of text-only training recipes for each step: a function of seed, epoch and batch number.

    Each of the `world` processes takes its slice of it, as it does of the pairs.
    split: the training recipes, those without a photo included.
    """

    def __init__(self, split: PreparedSplit, batch: int, seed: int, rank: int = 0, world: int = 1) -> None:
        self.split = split
        self.seed, self.rank, self.world = seed, rank, world
        self.rows = np.array([i for i in range(len(split)) if not split.images(i)], dtype=np.int64)
        self.size = min(batch, len(self.rows))
        self.too_few = self.size < 2  # a text needs another to be told from
        if not self.too_few and self.size < world:
            raise ChefError(
                f"{self.size} recipes without a photo cannot be shared by {world} processes",
                "start fewer processes, or raise text_batch if it is the smaller number",
            )

    def draw(self, epoch: int, number: int) -> Texts | None:
        """This process's share of the texts of one step; None where the data have too few."""
        if self.too_few:
            return None
        random = np.random.default_rng([self.seed, epoch, number])
        drawn = random.choice(self.rows, self.size, replace=False)
        own = np.array_split(drawn, self.world)[self.rank]
        return Texts(recipe_batch([self.split.tokens(int(i)) for i in own]), torch.from_numpy(own))

    def load(self, epoch: int, numbers: range, workers: int, pin: bool) -> Iterator[Texts | None]:
        """The draws of several steps in a row, read by worker processes."""
        if self.too_few:
            return iter(repeat(None, len(numbers)))
        draws: DataLoader[Any] = DataLoader(
            _Draws(self, epoch), batch_size=None, sampler=numbers, num_workers=workers, pin_memory=pin
        )
        return iter(draws)


class _Draws(torch.utils.data.Dataset[Texts | None]):
    """One epoch's batches by their number."""

    def __init__(self, texts: TextBatches, epoch: int) -> None:
        self.texts, self.epoch = texts, epoch

    def __getitem__(self, number: int) -> Texts | None:
        return self.texts.draw(self.epoch, number)
