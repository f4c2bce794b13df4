import math
from pathlib import Path

import pytest
import torch

from chef.data.batches import recipe_batch
from chef.data.prepared import Prepared
from chef.data.texts import gold
from chef.errors import ChefError
from chef.model.artefact import load
from chef.model.tree import Tree
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.train.loop import train
from chef.train.objectives.main_ingredient import heaviest_positions, merge_last_losses
from tests.model import oracle
from tests.model.test_tree_lstm import make
from tests.train.conftest import small


def test_positions_are_those_of_the_heaviest(prepared: Path) -> None:
    split = Prepared(prepared).split("train")
    positions = heaviest_positions(split).tolist()
    assert any(place >= 0 for place in positions)
    for row, place in enumerate(positions):
        wanted = gold(split.recipe(row), water=False)
        named = [item.token for item in split.ingredients(row)]
        assert (named[place] if place >= 0 else None) == (wanted if wanted in named else None)


def test_a_taught_run_names_the_heaviest_more_often(prepared: Path, tmp_path: Path) -> None:
    """In the tiny recipes the first ingredient is the heaviest, 500 g of it."""

    data = Prepared(prepared)

    def right(weight: float) -> float:
        settings = small(
            model="t+t+l", loss="infonce", main_weight=weight, epochs=4, learning_rate=5e-3, freeze_epochs=0
        )
        model = load(train(data, settings, tmp_path / str(weight))).model
        split = data.split("train")
        merges = model.trees(recipe_batch([split.tokens(row) for row in range(len(split))])).ingredients
        assert merges is not None
        shares = []
        for row, place in enumerate(heaviest_positions(split).tolist()):
            names = [str(item.token) for item in split.ingredients(row)]
            tree = Tree.from_merges(names, merges[row, : len(names) - 1].tolist())
            if place >= 0:
                shares.append(float(place in tree.shallowest) / len(tree.shallowest))
        return sum(shares) / len(shares)

    taught, untaught = right(1.0), right(0.0)
    assert taught > 0.9
    assert taught > untaught


def test_a_model_without_a_tree_cannot_be_taught(prepared: Path, tmp_path: Path) -> None:
    with pytest.raises(ChefError, match="has no ingredient tree"):
        train(Prepared(prepared), small(model="s+l+l", main_weight=1.0, epochs=1), tmp_path)


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
    loss = merge_last_losses(lstm, x, sizes, torch.tensor(last)).mean()
    truth = [slow(lstm, x[row, :length], last[row]) for row, length in enumerate(lengths)]
    expected = torch.stack(truth).mean()
    torch.testing.assert_close(loss.double(), expected, rtol=1e-5, atol=1e-6)
    mine, true = (torch.autograd.grad(value, list(lstm.parameters())) for value in (loss, expected))
    for one, two in zip(mine, true, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-4, atol=1e-6)
