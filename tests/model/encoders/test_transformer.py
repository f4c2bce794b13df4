from __future__ import annotations

import pytest
import torch
from torch import nn

from chef.errors import ChefError
from chef.model.encoders import TransformerEncoder


def encoder(inputs: int = 6, outputs: int = 8) -> TransformerEncoder:
    torch.manual_seed(0)
    return TransformerEncoder(inputs, outputs).double()


def torchs_own(ours: nn.Module, width: int) -> nn.TransformerEncoderLayer:
    """torch's layer with the weights of one of ours."""
    layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0, batch_first=True).double()
    names = {
        "self_attn.in_proj": "question",
        "self_attn.out_proj": "answer",
        "linear1": "up",
        "linear2": "down",
        "norm1": "first_norm",
        "norm2": "second_norm",
    }
    state = {}
    for theirs, mine in names.items():
        joint = "_" if theirs.endswith("in_proj") else "."
        for kind in ("weight", "bias"):
            state[f"{theirs}{joint}{kind}"] = getattr(getattr(ours, mine), kind).detach()
    layer.load_state_dict(state)
    return layer


def test_the_layers_are_torchs_own() -> None:
    tower = encoder()
    x, lengths = torch.randn(3, 5, 6, dtype=torch.float64), torch.tensor([5, 1, 3])
    items = x @ tower.project.weight.T + tower.project.bias + tower.positions[:5]
    padding = torch.arange(5) >= lengths[:, None]
    for layer in tower.layers:
        items = torchs_own(layer, 8)(items, src_key_padding_mask=padding)
    wanted = torch.stack([items[row, :length].mean(0) for row, length in enumerate(lengths.tolist())])
    torch.testing.assert_close(tower(x, lengths).vector, wanted)


def test_padding_has_no_influence() -> None:
    tower = encoder()
    x, lengths = torch.randn(3, 5, 6, dtype=torch.float64), torch.tensor([4, 1, 2])
    wanted = tower(x, lengths).vector
    for row, length in enumerate(lengths.tolist()):
        x[row, length:] = 100.0
    torch.testing.assert_close(tower(x, lengths).vector, wanted)
    torch.testing.assert_close(tower(x[:, :4], lengths).vector, wanted)


def test_order_matters() -> None:
    tower = encoder()
    x, four = torch.randn(1, 4, 6, dtype=torch.float64), torch.tensor([4])
    assert not torch.allclose(tower(x, four).vector, tower(x.flip(1), four).vector)


def test_no_dropout() -> None:
    tower = encoder().train()
    x, four = torch.randn(2, 4, 6, dtype=torch.float64), torch.tensor([4, 3])
    assert torch.equal(tower(x, four).vector, tower(x, four).vector)


def test_limits() -> None:
    with pytest.raises(ChefError, match="cannot have 4 heads"):
        TransformerEncoder(6, 10)
    with pytest.raises(ChefError, match="at most 64 items, not 65"):
        encoder()(torch.zeros(1, 65, 6, dtype=torch.float64), torch.tensor([65]))
