"""T: the items as a tree that the Gumbel Tree-LSTM builds."""

from __future__ import annotations

from torch import Tensor

from chef.model.encoders.base import Encoding, SequenceEncoder
from chef.model.noise import Noise, RandomNoise
from chef.model.tree_lstm import GumbelTreeLSTM


class TreeEncoder(SequenceEncoder):
    """The root state of each sequence's tree; dropout on the inputs in training."""

    def __init__(self, inputs: int, outputs: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.outputs = outputs
        self.lstm = GumbelTreeLSTM(inputs, outputs)
        self.dropout = dropout

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        if not self.training:
            states = self.lstm(x, lengths, merges=merges)
            return Encoding(states.h, states.merges)
        noise = noise or RandomNoise()
        x = noise.dropout(x, self.dropout) if self.dropout else x
        chance = noise.gumbel(len(x), x.shape[1] - 1, like=x) if merges is None else None
        states = self.lstm(x, lengths, noise=chance, merges=merges)
        return Encoding(states.h, states.merges)
