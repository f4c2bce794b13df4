"""Recipes without a photo, drawn beside the pairs for an objective that learns from text alone."""

from __future__ import annotations

import numpy as np

from chef.data.batches import RecipeBatch, recipe_batch
from chef.data.prepared import PreparedSplit


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

    def draw(self, epoch: int, number: int) -> RecipeBatch | None:
        """This process's share of the texts of one step; None where the data have too few."""
        if self.size < 2 * self.world:  # a text needs another to be told from, on every process
            return None
        random = np.random.default_rng([self.seed, epoch, number])
        drawn = random.choice(self.rows, self.size, replace=False)
        own = np.array_split(drawn, self.world)[self.rank]
        return recipe_batch([self.split.tokens(int(i)) for i in own])
