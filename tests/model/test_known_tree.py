from __future__ import annotations

import torch

from chef.model.known_tree import read_forest
from chef.model.tree import Tree
from tests.model import oracle
from tests.model.test_tree_lstm import gradients, make, relative


def random_merges(lengths: list[int], seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    table = torch.full((len(lengths), max(lengths) - 1), -1)
    for row, length in enumerate(lengths):
        for level in range(length - 1):
            table[row, level] = torch.randint(length - 1 - level, (1,), generator=generator)
    return table


def test_states_and_gradients_equal_the_oracle() -> None:
    for seed in range(4):
        lengths = torch.randint(1, 15, (9,), generator=torch.Generator().manual_seed(seed)).tolist()
        lstm, x, sizes = make(torch.float64, lengths, seed)
        x.requires_grad_()
        merges = random_merges(lengths, seed)
        h, c, given_back = lstm(x, sizes, merges=merges)
        assert torch.equal(given_back, merges)
        truth = [
            oracle.encode_structure(lstm, x[row, :length], merges[row, : length - 1].tolist())
            for row, length in enumerate(lengths)
        ]
        true_h, true_c = (torch.stack([state[part] for state in truth]) for part in (0, 1))
        assert relative(h, true_h) < 1e-8
        assert relative(c, true_c) < 1e-8
        for mine, true in zip(gradients(lstm, x, h, c), gradients(lstm, x, true_h, true_c), strict=True):
            assert relative(mine, true) < 1e-8


def test_a_round_is_a_height() -> None:
    """16 words: a balanced tree takes 4 rounds, a chain 15."""
    words = ["w"] * 16
    shapes = {4: Tree.balanced(words), 15: Tree.left(words)}
    for rounds, tree in shapes.items():
        forest = read_forest(torch.tensor([16]), torch.tensor([tree.merges]), torch.device("cpu"))
        assert len(forest.rounds) == rounds


def test_lone_leaves_only() -> None:
    lstm, x, sizes = make(torch.float64, [1, 1])
    h, _, merges = lstm(x, sizes, merges=torch.empty(2, 0, dtype=torch.long))
    torch.testing.assert_close(h, lstm.leaf(x)[:, 0, :6])
    assert merges.shape == (2, 0)
