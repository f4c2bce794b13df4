from __future__ import annotations

from typing import Literal

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from chef.model.encoders import AheadEncoder, RecurrentEncoder

LENGTHS = torch.tensor([4, 1, 6, 2, 6])
Cell = Literal["gru", "lstm"]


def batch() -> Tensor:
    torch.manual_seed(0)
    return torch.randn(5, 6, 3, dtype=torch.float64)


def packed(encoder: RecurrentEncoder, cell: Cell) -> tuple[Tensor, Tensor]:
    """States and last states of torch's bidirectional network on packed sequences, the same weights."""
    network = (nn.GRU if cell == "gru" else nn.LSTM)(3, 4, batch_first=True, bidirectional=True).double()
    for name, value in encoder.ahead.state_dict().items():
        network.state_dict()[name].copy_(value)
        network.state_dict()[name + "_reverse"].copy_(encoder.back.state_dict()[name])
    rows = pack_padded_sequence(batch(), LENGTHS, batch_first=True, enforce_sorted=False)
    states, last = network(rows)
    last = last if cell == "gru" else last[0]
    return pad_packed_sequence(states, batch_first=True)[0], torch.cat([last[0], last[1]], -1)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_equals_packed_sequences(cell: Cell) -> None:
    encoder = RecurrentEncoder(cell, 3, 8).double()
    torch.testing.assert_close(encoder(batch(), LENGTHS).vector, packed(encoder, cell)[1])


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_attention_in_plain_formulas(cell: Cell) -> None:
    encoder = RecurrentEncoder(cell, 3, 8, attention=True).double()
    assert encoder.attention is not None
    vector, merges, weights = encoder(batch(), LENGTHS)
    assert merges is None
    states = packed(encoder, cell)[0]
    w, b = encoder.attention.project.weight, encoder.attention.project.bias
    u = encoder.attention.context.weight[0]
    for row, length in enumerate(LENGTHS.tolist()):
        h = states[row, :length]
        scores = torch.stack([u @ torch.tanh(w @ item + b) for item in h])
        expected = scores.exp() / scores.exp().sum()
        torch.testing.assert_close(weights[row, :length], expected)
        assert (weights[row, length:] == 0).all()
        torch.testing.assert_close(vector[row], (expected[:, None] * h).sum(0))


@pytest.mark.parametrize("attention", [False, True])
def test_padding_has_no_influence(attention: bool) -> None:
    encoder = RecurrentEncoder("gru", 3, 8, attention).double()
    x = batch()
    other = torch.cat([x, x[:, :2]], 1)
    for row, length in enumerate(LENGTHS.tolist()):
        other[row, length:] = 50.0
    torch.testing.assert_close(encoder(x, LENGTHS).vector, encoder(other, LENGTHS).vector)


def test_one_direction_equals_packed_sequences() -> None:
    encoder = AheadEncoder(3, 4).double()
    rows = pack_padded_sequence(batch(), LENGTHS, batch_first=True, enforce_sorted=False)
    torch.testing.assert_close(encoder(batch(), LENGTHS).vector, encoder.lstm(rows)[1][0][0])
