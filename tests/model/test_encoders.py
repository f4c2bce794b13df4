from typing import Literal

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from chef.errors import ChefError
from chef.model.encoders import (
    AheadEncoder,
    MeanEncoder,
    RecurrentEncoder,
    SetEncoder,
    TransformerEncoder,
)

CHAINS = torch.tensor([4, 1, 6, 2, 6])
Cell = Literal["gru", "lstm"]


def test_the_mean_of_items_and_the_sum_of_dense_items_without_padding() -> None:
    torch.manual_seed(0)
    mean, dense = MeanEncoder(3), SetEncoder(3, 6)
    x, lengths = torch.randn(3, 4, 3), torch.tensor([4, 1, 2])
    means, sums = (encoder(x, lengths).vector for encoder in (mean, dense))
    assert (mean.outputs, list(mean.parameters())) == (3, [])
    for row, length in enumerate(lengths.tolist()):
        torch.testing.assert_close(means[row], x[row, :length].mean(0))
        wanted = sum(dense.dense.weight @ item + dense.dense.bias for item in x[row, :length])
        torch.testing.assert_close(sums[row], wanted)


def chains() -> Tensor:
    torch.manual_seed(0)
    return torch.randn(5, 6, 3, dtype=torch.float64)


def packed(encoder: RecurrentEncoder, cell: Cell) -> tuple[Tensor, Tensor]:
    """States and last states of torch's bidirectional network on packed sequences, the same weights."""
    network = (nn.GRU if cell == "gru" else nn.LSTM)(3, 4, batch_first=True, bidirectional=True).double()
    for name, value in encoder.ahead.state_dict().items():
        network.state_dict()[name].copy_(value)
        network.state_dict()[name + "_reverse"].copy_(encoder.back.state_dict()[name])
    rows = pack_padded_sequence(chains(), CHAINS, batch_first=True, enforce_sorted=False)
    states, last = network(rows)
    last = last if cell == "gru" else last[0]
    return pad_packed_sequence(states, batch_first=True)[0], torch.cat([last[0], last[1]], -1)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_both_directions_equal_packed_sequences_and_attention_is_in_plain_formulas(cell: Cell) -> None:
    plain = RecurrentEncoder(cell, 3, 8).double()
    torch.testing.assert_close(plain(chains(), CHAINS).vector, packed(plain, cell)[1])
    encoder = RecurrentEncoder(cell, 3, 8, attention=True).double()
    assert encoder.attention is not None
    vector, merges, weights, _ = encoder(chains(), CHAINS)
    assert merges is None
    states = packed(encoder, cell)[0]
    w, b = encoder.attention.project.weight, encoder.attention.project.bias
    u = encoder.attention.context.weight[0]
    for row, length in enumerate(CHAINS.tolist()):
        h = states[row, :length]
        scores = torch.stack([u @ torch.tanh(w @ item + b) for item in h])
        expected = scores.exp() / scores.exp().sum()
        torch.testing.assert_close(weights[row, :length], expected)
        assert (weights[row, length:] == 0).all()
        torch.testing.assert_close(vector[row], (expected[:, None] * h).sum(0))


def test_one_direction_equals_packed_sequences() -> None:
    encoder = AheadEncoder(3, 4).double()
    rows = pack_padded_sequence(chains(), CHAINS, batch_first=True, enforce_sorted=False)
    torch.testing.assert_close(encoder(chains(), CHAINS).vector, encoder.lstm(rows)[1][0][0])


def transformer(inputs: int = 6, outputs: int = 8) -> TransformerEncoder:
    torch.manual_seed(0)
    return TransformerEncoder(inputs, outputs).double()


def torchs_own(ours: nn.Module, width: int) -> nn.TransformerEncoderLayer:
    """torch's layer with the weights of one of ours."""
    layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0, batch_first=True).double()
    names = {"self_attn.in_proj": "question", "self_attn.out_proj": "answer", "linear1": "up"}
    names |= {"linear2": "down", "norm1": "first_norm", "norm2": "second_norm"}
    state = {}
    for theirs, mine in names.items():
        joint = "_" if theirs.endswith("in_proj") else "."
        for kind in ("weight", "bias"):
            state[f"{theirs}{joint}{kind}"] = getattr(getattr(ours, mine), kind).detach()
    layer.load_state_dict(state)
    return layer


def test_the_layers_are_torchs_own() -> None:
    encoder = transformer().train()  # without dropout
    x, lengths = torch.randn(3, 5, 6, dtype=torch.float64), torch.tensor([5, 1, 3])
    items = x @ encoder.project.weight.T + encoder.project.bias + encoder.positions[:5]
    padding = torch.arange(5) >= lengths[:, None]
    for layer in encoder.layers:
        items = torchs_own(layer, 8)(items, src_key_padding_mask=padding)
    wanted = torch.stack([items[row, :length].mean(0) for row, length in enumerate(lengths.tolist())])
    torch.testing.assert_close(encoder(x, lengths).vector, wanted)


def test_limits_of_a_transformer() -> None:
    with pytest.raises(ChefError, match="cannot have 4 heads"):
        TransformerEncoder(6, 10)
    with pytest.raises(ChefError, match="at most 64 items, not 65"):
        transformer()(torch.zeros(1, 65, 6, dtype=torch.float64), torch.tensor([65]))
