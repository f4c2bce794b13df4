from __future__ import annotations

import torch

from chef.model.encoders import PooledEncoder, TreeEncoder


def test_the_other_encoders_vector_and_then_the_mean() -> None:
    torch.manual_seed(0)
    tree = TreeEncoder(5, 4).double().eval()
    both = PooledEncoder(tree, 5).eval()
    x, lengths = torch.randn(3, 6, 5).double(), torch.tensor([6, 1, 4])
    read, alone = both(x, lengths), tree(x, lengths)
    assert both.outputs == read.vector.shape[1] == 9
    assert torch.equal(read.vector[:, :4], alone.vector)
    assert torch.equal(read.merges, alone.merges)
    for row, length in enumerate(lengths):
        torch.testing.assert_close(read.vector[row, 4:], x[row, :length].mean(0))
    left = torch.zeros_like(alone.merges).masked_fill(alone.merges < 0, -1)
    assert torch.equal(both(x, lengths, merges=left).merges, left)
