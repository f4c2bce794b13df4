import pytest
import torch

from chef.train.miner import MINERS

# One anchor: its match at 0.5; candidates above it, within the margin of 0.3, beyond it, and one not allowed.
SIMILARITY = torch.tensor([[0.9, 0.6, 0.4, 0.3, 0.1, 0.99]])
ALLOWED = torch.tensor([[True, True, True, True, True, False]])


@pytest.mark.parametrize(
    ("miner", "weights"),
    [
        ("all", [0.2, 0.2, 0.2, 0.2, 0.2, 0]),
        ("batch-hard", [1, 0, 0, 0, 0, 0]),
        ("semi-hard", [0, 0, 1, 0, 0, 0]),
    ],
)
def test_each_miner_picks_its_negatives(miner, weights):
    found = MINERS[miner](SIMILARITY, torch.tensor([0.5]), ALLOWED, 0.3)
    torch.testing.assert_close(found, torch.tensor([weights]).float())


@pytest.mark.parametrize("miner", MINERS)
def test_an_anchor_without_negatives_picks_nothing(miner):
    found = MINERS[miner](SIMILARITY, torch.tensor([0.5]), torch.zeros_like(ALLOWED), 0.3)
    assert not found.any()


def test_semi_hard_picks_nothing_where_nothing_is_semi_hard():
    found = MINERS["semi-hard"](SIMILARITY, torch.tensor([0.05]), ALLOWED, 0.3)
    assert not found.any()
