from __future__ import annotations

import pytest
import torch
from torch import Tensor

from chef.model import cached_tree
from tests.model.test_tree_lstm import make


def test_compositions_grow_linearly(monkeypatch: pytest.MonkeyPatch) -> None:
    """n-1 at the start and at most two for each merge but the last: 3n - 5, not n(n-1)/2."""
    composed = []
    add = cached_tree.Candidates.add

    def counting(
        self: cached_tree.Candidates, nodes: cached_tree.Nodes, left: Tensor, right: Tensor
    ) -> Tensor:
        composed.append(len(left))
        return add(self, nodes, left, right)

    monkeypatch.setattr(cached_tree.Candidates, "add", counting)
    lstm, x, sizes = make(torch.float64, [20, 1, 12])
    lstm(x, sizes)
    assert 19 + 11 < sum(composed) <= (3 * 20 - 5) + (3 * 12 - 5)
