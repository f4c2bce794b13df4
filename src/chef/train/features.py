"""Pairs whose photos went through a frozen tower once, so that an epoch only pays for the text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save
from torch import Tensor
from torch.utils.data import DataLoader, Subset

from chef.data.batches import Pair, PairBatch, Tokens, collate
from chef.data.pairs import PairDataset
from chef.data.prepared import PreparedSplit
from chef.files import cache_folder, write_atomic
from chef.model.towers import ImageTower
from chef.train.distributed import fill_rows, own_rows
from chef.train.machine import return_freed_memory

_BATCH = 256


class FeaturePairs(torch.utils.data.Dataset[Pair]):
    """A split as pairs of recipe and features of its first photo, all in memory.

    In a distributed run every process must create it: each computes its share of the features.

    data: the checksum of the prepared data; if given, features are kept in the cache for other runs.
    """

    def __init__(
        self,
        split: PreparedSplit,
        tower: ImageTower,
        device: torch.device,
        workers: int = 0,
        data: str = "",
    ) -> None:
        self.split = split
        self._tokens = [_tokens(split, i) for i in range(len(split))]
        rows, split = split.rows, split.whole  # features are kept for the whole, whatever part is wanted
        # Processes must not differ in what they have to compute.
        alone = len(own_rows(len(split))) == len(split)
        kept = _kept(tower, data, split.name) if data and alone else None
        if kept and kept.is_file():
            self._features = load_file(kept)["features"][rows]
            return
        self._features = torch.zeros(len(split), tower.width)
        was_training = tower.training
        tower.eval()
        pairs = PairDataset(split, tower.transform, training=False)
        for own, batch in own_batches(pairs, workers):
            self._features[own] = _features(tower, batch.images.to(device))
        fill_rows(self._features)
        tower.train(was_training)
        if kept:
            write_atomic(kept, save({"features": self._features}))
        self._features = self._features[rows]

    def set_epoch(self, epoch: int) -> None:
        """Nothing: the features of a photo are the same in every epoch."""

    def __len__(self) -> int:
        return len(self.split)

    def __getitem__(self, i: int) -> Pair:
        return Pair(self._tokens[i], self._features[i], i)


def own_batches(pairs: PairDataset | FeaturePairs, workers: int = 0) -> Iterator[tuple[slice, PairBatch]]:
    """The pairs that this process computes before `fill_rows`, in batches with their rows in the split."""
    own = own_rows(len(pairs))
    if workers:
        return_freed_memory()
    loader: DataLoader[Any] = DataLoader(Subset(pairs, own), _BATCH, collate_fn=collate, num_workers=workers)
    for start, batch in zip(range(own.start, own.stop, _BATCH), loader, strict=True):
        yield slice(start, start + len(batch)), batch


def _kept(tower: ImageTower, data: str, split: str) -> Path:
    """The file for the features of these photos, as this tower sees them."""
    content = hashlib.sha256(repr((data, tower.description, split)).encode())
    for _, weights in sorted(tower.state_dict().items()):
        content.update(weights.cpu().contiguous().numpy().tobytes())
    return cache_folder() / "features" / f"{content.hexdigest()[:32]}.safetensors"


@torch.no_grad()
def _features(tower: ImageTower, images: Tensor) -> Tensor:
    dtype = next(parameter.dtype for parameter in tower.parameters())
    features: Tensor = tower(tower.views(images, 1)[0].to(dtype))
    return features.float().cpu()


def _tokens(split: PreparedSplit, i: int) -> Tokens:
    data = split.tokens(i)
    return Tokens(title=data["title"], ingredients=data["ingredients"], sentences=data["sentences"])
