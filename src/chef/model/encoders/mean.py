"""The items as their mean: nothing to learn."""

from __future__ import annotations

from torch import Tensor

from chef.model.encoders.base import Encoding, SequenceEncoder, masked_mean
from chef.model.noise import Noise


class MeanEncoder(SequenceEncoder):
    """The mean of the items: over word vectors the plainest sentence embedding there is, over MiniLM's
    words what it was trained for."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.outputs = inputs

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        return Encoding(masked_mean(x, lengths))
