import pytest
import torch

from chef.evaluate.results import TreeHealth
from chef.evaluate.trees import _branching, _Observer
from chef.model.tree import Tree
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.health import level_scores
from chef.model.tree_lstm.reference import encode_reference

LENGTHS = torch.tensor([7, 3, 5, 2, 1] * 8)


@pytest.fixture
def lstm():
    torch.manual_seed(0)
    return GumbelTreeLSTM(6, 8).eval()


def seen(lstm, scale):
    """What is observed with the query made this many times as long."""
    lstm.query.data *= scale
    observer = _Observer(torch.Generator().manual_seed(0))
    x = torch.randn(len(LENGTHS), 7, 6, generator=torch.Generator().manual_seed(1))
    observer.see(lstm, (x, LENGTHS), None)
    return observer


@torch.no_grad()
def test_the_best_scores_build_the_trees_of_the_model(lstm):
    x = torch.randn(len(LENGTHS), 7, 6)
    merges = encode_reference(lstm.cell, lstm.leaf(x), LENGTHS, None)[2]
    for level, scores in enumerate(level_scores(lstm.cell, lstm.leaf(x), LENGTHS)):
        active = LENGTHS - 1 - level > 0
        assert torch.equal(scores.argmax(1)[active], merges[active, level])
        assert torch.equal((scores > -torch.inf).sum(1), (LENGTHS - 1 - level).clamp_min(0))


def test_a_parser_that_does_not_choose_and_one_that_does(lstm):
    idle = seen(lstm, 0)
    assert idle.mean(idle.entropies) == pytest.approx(1)
    assert idle.mean(idle.ratios) == 0
    assert idle.mean(idle.shared) == pytest.approx(idle.mean(idle.shared_by_chance), abs=0.15)
    torch.nn.init.normal_(lstm.query)
    sure = seen(lstm, 1e4)
    assert sure.mean(sure.entropies) < 0.1
    assert sure.mean(sure.shared) > 0.9 > sure.mean(sure.shared_by_chance)
    assert len(sure.sampled) == len(LENGTHS)


def test_which_way_trees_branch():
    words = ("a", "b", "c", "d")
    assert _branching([Tree.left(words)]) == (2 / 3, 0)
    assert _branching([Tree.right(words)]) == (0, 2 / 3)
    assert _branching([Tree.balanced(words)]) == (0, 0)


@pytest.mark.parametrize(
    ("entropy", "agreement", "learned"), [(0.5, 0.8, True), (0.95, 0.8, False), (0.5, 0.3, False)]
)
def test_a_claim_is_tested_only_by_a_parser_that_chooses_the_same_again(entropy, agreement, learned):
    health = TreeHealth(
        entropy=entropy, noise_ratio=1, agreement=agreement, agreement_by_chance=0.3, left=0, right=0,
        own_minus_random={},
    )  # fmt: skip
    assert health.has_learned is learned
