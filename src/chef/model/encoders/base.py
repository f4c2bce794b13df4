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
    """Encodes vectors (N, L, in) of which lengths (N,) count as one vector (N, D) each.

    Lengths lie on the host: a tree's launches are planned from them. What else needs them sends them over.
    """

    outputs: int  # D

    @abstractmethod
    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        """noise: where training's randomness comes from. merges: a structure to keep to.

        An encoder without trees has no use for either.
        """


def mask(lengths: Tensor, like: Tensor) -> Tensor:
    """(N, L), true where a sequence has an item, on the device of the sequences `like` (N, L, D)."""
    places = torch.arange(like.shape[1], device=like.device)
    return places < on_device(lengths, like)[:, None]


def on_device(lengths: Tensor, like: Tensor) -> Tensor:
    """The lengths where the sequences are, without waiting for the work that is under way there."""
    return lengths.to(like.device, non_blocking=True)


def masked_mean(x: Tensor, lengths: Tensor) -> Tensor:
    """The mean of the items (N, L, D) that count: (N, D)."""
    items = x.masked_fill(~mask(lengths, x)[:, :, None], 0)
    return items.sum(1) / on_device(lengths, x)[:, None].to(x.dtype)
