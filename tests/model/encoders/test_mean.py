from __future__ import annotations

import torch

from chef.model.encoders import MeanEncoder


def test_mean_of_the_items_without_padding() -> None:
    encoder = MeanEncoder(3)
    x, lengths = torch.randn(3, 4, 3), torch.tensor([4, 1, 2])
    wanted = torch.stack([x[row, :length].mean(0) for row, length in enumerate(lengths.tolist())])
    torch.testing.assert_close(encoder(x, lengths).vector, wanted)
    assert encoder.outputs == 3
    assert not list(encoder.parameters())
