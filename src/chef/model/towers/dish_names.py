"""An image tower that also names the dish it sees, as a word vector.

A network trained to name dishes knows more than its pooled features show. Beside them it gives the vector of
the name: the mean over all names, weighted by their probabilities, in the space of the text.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.towers import ImageTower


class DishNames(ImageTower):
    """Pooled features of a network, concatenated with the expected vector of the dish's name.

    network: gives the pooled features; names: the number of its classes; vector: the dimension of a name.
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
        network = self.network.description
        return {"kind": "dish-names", "network": network, "names": names, "vector": vector}

    def use_size(self, size: int, crop: int) -> None:
        self.network.use_size(size, crop)
        self.transform = self.network.transform

    def set_names(self, vectors: Tensor) -> None:
        """Set the vectors of the names (names, vector), in the order of the classifier's outputs.

        They are scaled to one length at which an entry is about as large as a pooled feature: a head would
        hardly notice the entries of a unit vector. The zero vector of a name without words stays zero.
        """
        self.names.copy_(F.normalize(vectors.float(), dim=1) * math.sqrt(vectors.shape[1]))

    def forward(self, images: Tensor) -> Tensor:
        pooled: Tensor = self.network(images)
        seen = self.classifier(pooled).softmax(1)
        return torch.cat([pooled, seen @ self.names.to(seen.dtype)], 1)
