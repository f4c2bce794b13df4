import numpy as np
import pytest

from chef.measure.depth_rank import AT, depth_ranks
from chef.measure.scores import score


def test_shallower_leaves_are_better_and_equal_depths_tie():
    ranks = depth_ranks([[3, 3, 2, 1], [2, 2, 2, 2], [0]], [0, 3, 0])
    assert ranks.better.tolist() == [2, 0, 0]
    assert ranks.tied.tolist() == [2, 4, 1]


def test_ties_are_not_free():
    # Nine ingredients at one depth: chance, where the depth gap to the shallowest leaf would call it perfect.
    assert score(depth_ranks([[3] * 9], [4]), AT) == pytest.approx(
        {"medR": 5.0, "R@1": 100 / 9, "R@2": 200 / 9, "R@3": 300 / 9}
    )


def test_equal_to_breaking_ties_at_random():
    generator = np.random.default_rng(0)
    depths = generator.integers(1, 5, (6, 7)).tolist()
    gold = generator.integers(0, 7, 6).tolist()
    wins = np.zeros(3)
    for _ in range(4000):
        for leaves, position in zip(depths, gold, strict=True):
            place = np.lexsort([generator.random(7), leaves]).tolist().index(position)
            wins += [place < k for k in AT]
    found = score(depth_ranks(depths, gold), AT)
    assert [found[f"R@{k}"] for k in AT] == pytest.approx((100 * wins / 24000).tolist(), abs=2)
