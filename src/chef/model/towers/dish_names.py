"""An image tower that also says in words what dish it sees.

A network that was trained to name dishes knows more than its pooled features show: beside them stands the
vector of the name, the mean over all names weighted by their probabilities. It lies where texts lie.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.towers.base import ImageTower


class DishNames(ImageTower):
    """Pooled features of a network, and beside them the expected vector of the dish's name.

    network: gives the pooled features; names: how many its classifier knows; vector: a name's dimension.
    """

    names: Tensor  # (names, vector)

    def __init__(self, network: ImageTower, names: int, vector: int) -> None:
        super().__init__()
        self.network = network
        self.transform = network.transform
        self.width = network.width + vector
        self.recordable = network.recordable
        self.classifier = nn.Linear(network.width, names)
        self.register_buffer("names", torch.zeros(names, vector))

    @property
    def description(self) -> dict[str, Any]:
        names, vector = self.names.shape
        return {
            "kind": "dish-names",
            "network": self.network.description,
            "names": names,
            "vector": vector,
        }

    def use_size(self, size: int, crop: int) -> None:
        """Take pictures of another size than it was trained with, `crop` pixels of their middle."""
        self.network.use_size(size, crop)
        self.transform = self.network.transform

    def set_names(self, vectors: Tensor) -> None:
        """The vectors of the names (names, vector), in the order of the classifier's outputs.

        Their lengths are made equal, such that a number is about as large as a pooled feature: a head
        would hardly notice those of a vector of length 1. A name of zeros, one without words, stays so.
        """
        self.names.copy_(F.normalize(vectors.float(), dim=1) * math.sqrt(vectors.shape[1]))

    def forward(self, images: Tensor) -> Tensor:
        pooled: Tensor = self.network(images)
        seen = self.classifier(pooled).softmax(1)
        return torch.cat([pooled, seen @ self.names.to(seen.dtype)], 1)
