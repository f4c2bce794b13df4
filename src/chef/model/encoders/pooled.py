"""Any encoder with a way round it: beside its own vector, the mean of what it read."""

from __future__ import annotations

import torch
from torch import Tensor

from chef.model.encoders.base import Encoding, SequenceEncoder, masked_mean
from chef.model.noise import Noise


class PooledEncoder(SequenceEncoder):
    """The vector of another encoder and, after it, the mean of the items.

    Over pre-trained words the mean is a good sentence embedding from the first step on, so that the
    encoder, a tree for one, need learn only what the mean leaves out.
    """

    def __init__(self, encoder: SequenceEncoder, inputs: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.outputs = encoder.outputs + inputs

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        read: Encoding = self.encoder(x, lengths, noise=noise, merges=merges)
        return read._replace(vector=torch.cat([read.vector, masked_mean(x, lengths)], -1))
