"""What every sequence encoder takes and gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn

from chef.model.noise import Noise


class Encoding(NamedTuple):
    """N encoded sequences, and what the encoder can say about how it read them."""

    vector: Tensor  # (N, D)
    merges: Tensor | None = None  # (N, L-1), of an encoder with trees
    attention: Tensor | None = None  # (N, L), of an encoder with attention; 0 on padding


class SequenceEncoder(nn.Module, ABC):
    """Encodes vectors (N, L, in) of which lengths (N,) count as one vector (N, D) each."""

    outputs: int  # D

    @abstractmethod
    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        """noise: where training's randomness comes from. merges: a structure to keep to.

        An encoder without trees has no use for either.
        """


def mask(lengths: Tensor, width: int) -> Tensor:
    """(N, width), true where a sequence has an item."""
    return torch.arange(width, device=lengths.device) < lengths[:, None]


def masked_mean(x: Tensor, lengths: Tensor) -> Tensor:
    """The mean of the items (N, L, D) that count: (N, D)."""
    items = x.masked_fill(~mask(lengths, x.shape[1])[:, :, None], 0)
    return items.sum(1) / lengths[:, None].to(x.dtype)
