from __future__ import annotations

import torch

from chef.model.words import WordVectors


def test_a_row_of_the_table_for_each_word() -> None:
    words = WordVectors(5, 3)
    found = words(torch.tensor([[4, 2, 0]]))
    assert torch.equal(found[0], words.weight[[4, 2, 0]])
    assert words.weight[0].tolist() == [0, 0, 0]
    assert words.weight[1:].abs().min() > 0
    found.sum().backward()
    assert words.weight.grad is not None
    assert words.weight.grad.sum(1).tolist() == [0, 0, 3, 0, 3]  # padding does not learn
