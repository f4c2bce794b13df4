from __future__ import annotations

import math

import torch

from chef.model.tree import Tree
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.train.taught_tree import taught_losses
from tests.model import oracle
from tests.model.test_tree_lstm import make


def slow(lstm: GumbelTreeLSTM, items: torch.Tensor, last: int) -> torch.Tensor:
    """One sequence, one node at a time, by the definition."""
    leaves = items @ lstm.leaf.weight.T + lstm.leaf.bias
    nodes = [(leaf[: lstm.hidden], leaf[lstm.hidden :]) for leaf in leaves]
    total = items.new_zeros(())
    near = [0] * len(nodes)
    while len(nodes) > 2:
        parents = [oracle.parent(lstm, nodes[j], nodes[j + 1]) for j in range(len(nodes) - 1)]
        scores = torch.stack([lstm.query @ h for h, _ in parents]) / math.sqrt(lstm.hidden)
        right = [j for j in range(len(parents)) if last not in (j, j + 1)]
        if len(nodes) == 3 and last == 1:
            right = [j for j, other in ((0, 2), (1, 0)) if near[2 * j] <= near[other]]
        if right:
            total = total - (scores[right].exp().sum() / scores.exp().sum()).log()
        pick = max(right or range(len(parents)), key=lambda j: scores[j].item())
        nodes[pick : pick + 2] = [parents[pick]]
        near[pick : pick + 2] = [min(near[pick], near[pick + 1]) + 1]
        last -= pick < last
    return total


def test_equals_the_definition() -> None:
    lengths = [5, 1, 2, 3, 8, 6, 8, 4, 4, 7]
    last = [2, 0, 1, 1, 0, 5, 4, 1, 2, 3]
    lstm, x, sizes = make(torch.float64, lengths)
    found = taught_losses(lstm, x, sizes, torch.tensor(last)).mean()
    truth = [slow(lstm, x[row, :length], last[row]) for row, length in enumerate(lengths)]
    expected = torch.stack(truth).mean()
    torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-6)
    mine, true = (torch.autograd.grad(loss, list(lstm.parameters())) for loss in (found, expected))
    for one, two in zip(mine, true, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-4, atol=1e-6)


def test_a_taught_tree_leaves_the_leaf_for_last() -> None:
    """A leaf that differs from the others in one number ends up among the shallowest, but for one in three:

    there the middle leaf must be joined with one side, and the other is nearer to the root.
    """
    torch.manual_seed(0)
    lstm = GumbelTreeLSTM(6, 16)
    optimizer = torch.optim.Adam(lstm.parameters(), lr=0.01)

    def batch() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        lengths = torch.randint(4, 9, (64,))
        last = (torch.rand(64) * lengths).long()
        x = torch.randn(64, 8, 6)
        x[torch.arange(64), last, 0] += 4
        return x, lengths, last

    def right() -> float:
        x, lengths, last = batch()
        merges = lstm.eval()(x, lengths).merges
        rows = zip(lengths.tolist(), merges.tolist(), last.tolist(), strict=True)
        return sum(leaf in Tree.from_merges(["w"] * n, row).shallowest for n, row, leaf in rows) / 64

    before = right()
    for _ in range(150):
        optimizer.zero_grad()
        taught_losses(lstm.train(), *batch()).mean().backward()
        optimizer.step()
    assert before < 0.5
    assert right() > 0.9
