"""G and L: the items as a chain, read in both directions by a GRU or an LSTM."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from chef.model.encoders.attention import Attention
from chef.model.encoders.base import Encoding, SequenceEncoder, on_device
from chef.model.graphs import run_graphed
from chef.model.noise import Noise


class RecurrentEncoder(SequenceEncoder):
    """The last states of both directions, half of `outputs` each, side by side (paper, appendix).

    With attention: the attended sum over the states of all items instead of the last ones.
    """

    def __init__(
        self, cell: Literal["gru", "lstm"], inputs: int, outputs: int, attention: bool = False
    ) -> None:
        super().__init__()
        self.outputs = outputs // 2 * 2
        kind = {"gru": nn.GRU, "lstm": nn.LSTM}[cell]
        self.ahead = kind(inputs, outputs // 2, batch_first=True)
        self.back = kind(inputs, outputs // 2, batch_first=True)
        self.attention = Attention(self.outputs) if attention else None

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        # Each direction is a chain of its own that ends where the sequence ends: padding comes after
        # the last item for both, so it can touch nothing, and no packed sequences have to be made.
        lengths = on_device(lengths, x)
        turn = _reversal(lengths, x.shape[1])
        ahead = _run(self.ahead, x)
        back = _run(self.back, _take(x, turn))
        if self.attention is not None:
            states = torch.cat([ahead, _take(back, turn)], -1)
            vector, weights = self.attention(states, lengths)
            return Encoding(vector, attention=weights)
        last = (lengths - 1)[:, None]
        return Encoding(torch.cat([_take(ahead, last), _take(back, last)], -1)[:, 0])


class AheadEncoder(SequenceEncoder):
    """The last state of an LSTM that reads from the first item to the last (pic2rec's instructions)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs
        self.lstm = nn.LSTM(inputs, outputs, batch_first=True)

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Noise | None = None, merges: Tensor | None = None
    ) -> Encoding:
        last = (on_device(lengths, x) - 1)[:, None]
        return Encoding(_take(_run(self.lstm, x), last)[:, 0])


def _run(network: nn.RNNBase, x: Tensor) -> Tensor:
    """The states of all items. Never in half precision: on a GPU torch's autocast would make it float16,
    whatever type was asked for, and that mixes with nothing."""
    with torch.autocast(x.device.type, enabled=False):
        x = x.to(next(network.parameters()).dtype)
        return run_graphed(network, _states, x) if x.device.type == "cuda" else _states(network, x)


def _states(network: nn.Module, x: Tensor) -> Tensor:
    states: Tensor = network(x)[0]
    return states


def _reversal(lengths: Tensor, width: int) -> Tensor:
    """(N, width) places that turn each sequence round inside its own length; padding stays in place."""
    places = torch.arange(width, device=lengths.device)
    turned = lengths[:, None] - 1 - places
    return torch.where(turned >= 0, turned, places)


def _take(x: Tensor, places: Tensor) -> Tensor:
    """The items of x (N, L, D) at places (N, M)."""
    return x.gather(1, places[:, :, None].expand(-1, -1, x.shape[2]))
