"""S: the items as a set, order without meaning."""

from __future__ import annotations

from torch import Tensor, nn

from chef.model.encoders.base import Encoding, SequenceEncoder, mask
from chef.model.noise import Noise


class SetEncoder(SequenceEncoder):
    """Each item through one dense layer, then their sum (paper, appendix: Dense)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs
        self.dense = nn.Linear(inputs, outputs)

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        items = self.dense(x).masked_fill(~mask(lengths, x)[:, :, None], 0)
        return Encoding(items.sum(1))
