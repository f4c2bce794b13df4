from __future__ import annotations

import torch

from chef.model.encoders import SetEncoder


def test_sum_of_dense_items_without_padding() -> None:
    torch.manual_seed(0)
    encoder = SetEncoder(3, 6)
    x, lengths = torch.randn(3, 4, 3), torch.tensor([4, 1, 2])
    vectors = encoder(x, lengths).vector
    for row, length in enumerate(lengths.tolist()):
        expected = sum(encoder.dense.weight @ item + encoder.dense.bias for item in x[row, :length])
        torch.testing.assert_close(vectors[row], expected)


def test_order_has_no_meaning() -> None:
    encoder = SetEncoder(3, 6)
    x = torch.randn(1, 5, 3)
    five = torch.tensor([5])
    torch.testing.assert_close(encoder(x, five).vector, encoder(x.flip(1), five).vector)
