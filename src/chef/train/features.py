"""Pairs whose pictures went through a frozen tower once: each epoch then costs the text alone."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils.data import DataLoader

from chef.data.batches import Pair, Tokens, collate
from chef.data.pairs import PairDataset
from chef.data.prepared import PreparedSplit
from chef.model.towers.base import ImageTower

_BATCH = 256


class FeaturePairs(torch.utils.data.Dataset[Pair]):
    """A split as pairs of recipe and features of its first picture, all held in memory.

    Without augmentation: what a frozen tower gives for a picture is computed one single time.
    """

    def __init__(
        self, split: PreparedSplit, tower: ImageTower, device: torch.device, workers: int = 0
    ) -> None:
        self.split = split
        tokens, features = [], []
        pairs = PairDataset(split, tower.transform, training=False)
        loader: DataLoader[Any] = DataLoader(pairs, _BATCH, collate_fn=_both, num_workers=workers)
        was_training = tower.training
        tower.eval()
        with torch.no_grad():
            for words, images in loader:
                tokens += words
                features.append(tower(images.to(device, _dtype(tower))).float().cpu())
        tower.train(was_training)
        self._tokens: list[Tokens] = tokens
        self._features = torch.cat(features) if features else torch.zeros(0, tower.width)

    def set_epoch(self, epoch: int) -> None:
        """Nothing is drawn at random here."""

    def __len__(self) -> int:
        return len(self.split)

    def __getitem__(self, i: int) -> Pair:
        return Pair(self._tokens[i], self._features[i], i)


def _both(pairs: list[Pair]) -> tuple[list[Tokens], torch.Tensor]:
    return [pair.tokens for pair in pairs], collate(pairs).images


def _dtype(tower: ImageTower) -> torch.dtype:
    return next(parameter.dtype for parameter in tower.parameters())
