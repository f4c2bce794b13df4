"""Pairs of recipe and photo, for a torch DataLoader."""

import numpy as np
import torch
from torch import Tensor

from chef.data.batches import Pair, Tokens
from chef.data.images import BadImage, ImageTransform
from chef.data.prepared import PreparedSplit
from chef.errors import ChefError


class PairDataset(torch.utils.data.Dataset[Pair]):
    """A split as pairs. In training one of the recipe's images is drawn, to be changed at random.

    What is drawn depends on (seed, epoch, position) alone, so that a resumed run sees the same pictures;
    in evaluation it is always the first image, unchanged. zoom: see `ImageTransform.train`.
    >>> pairs = PairDataset(data.split("train"), ImageTransform(), training=True)
    >>> loader = DataLoader(pairs, batch_size=64, collate_fn=collate, num_workers=2)
    """

    def __init__(
        self,
        split: PreparedSplit,
        transform: ImageTransform,
        *,
        training: bool,
        seed: int = 0,
        zoom: float = 0.0,
    ) -> None:
        self.split, self.transform, self.training = split, transform, training
        self.seed, self.zoom = seed, zoom
        # Shared memory: DataLoader workers that live for several epochs must see the change.
        self._epoch = torch.zeros(1, dtype=torch.long)
        self._epoch.share_memory_()  # type: ignore[no-untyped-call]

    def set_epoch(self, epoch: int) -> None:
        """Draw different pictures from now on."""
        self._epoch[0] = epoch

    def __len__(self) -> int:
        return len(self.split)

    def __getitem__(self, i: int) -> Pair:
        data = self.split.tokens(i)
        tokens = Tokens(title=data["title"], ingredients=data["ingredients"], sentences=data["sentences"])
        try:
            return Pair(tokens, *self._image(i))
        except BadImage as error:
            raise ChefError(
                f"recipe {self.split.ids[i]!r}: {error.reason}", "prepare the data again"
            ) from error

    def _image(self, i: int) -> tuple[Tensor, int, Tensor | None]:
        if not self.training:
            return self.transform.evaluate(self.split.image_bytes(i)), i, None
        random = np.random.default_rng([self.seed, int(self._epoch[0]), i])
        chosen = int(random.integers(self.split.images(i)))
        image, change = self.transform.train(self.split.image_bytes(i, chosen), random, self.zoom)
        return image, i, change
