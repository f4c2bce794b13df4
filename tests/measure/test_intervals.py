import numpy as np
import pytest

from chef.measure.intervals import intervals, resample
from chef.measure.ranks import Ranks
from chef.measure.scores import mean_scores, score


def draw_ranks(count, seed, gallery=100):
    generator = np.random.default_rng(seed)
    return Ranks(generator.geometric(0.2, count) - 1, generator.integers(1, 4, count))


def part(ranks, places):
    return Ranks(ranks.better[places], ranks.tied[places])


@pytest.mark.parametrize("count", [1, 2, 7, 50])
def test_equal_to_scoring_each_resample_anew(count):
    ranks = draw_ranks(count, 0)
    members = [np.arange(count)]
    samples = [
        score(part(ranks, np.repeat(np.arange(count), weights[0]))) for weights in resample(members, 3)
    ]
    for name, (low, high) in intervals(members, [ranks], 3).items():
        wanted = np.percentile([sample[name] for sample in samples], [2.5, 97.5])
        np.testing.assert_allclose([low, high], wanted)


def test_folds_that_share_pairs_are_drawn_together():
    everyone = draw_ranks(30, 1)
    members = [np.array([4, 9, 11, 29]), np.array([9, 4, 2]), np.array([7])]
    ranks = [part(everyone, fold) for fold in members]
    samples = []
    for weights in resample(members, 5):
        assert weights[0][0] == weights[1][1]  # pair 4
        assert weights[0][1] == weights[1][0]  # pair 9
        drawn = zip(ranks, weights, strict=True)
        samples.append(
            mean_scores([score(part(r, np.repeat(np.arange(len(r)), w))) for r, w in drawn if w.sum()])[
                "medR"
            ]
        )
    np.testing.assert_allclose(intervals(members, ranks, 5)["medR"], np.percentile(samples, [2.5, 97.5]))


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    truth = 100 * 0.2  # R@1 of geometric ranks without ties
    held = 0
    for seed in range(40):
        ranks = Ranks(np.random.default_rng(seed).geometric(0.2, 200) - 1, np.ones(200, np.int64))
        low, high = intervals([np.arange(200)], [ranks], seed)["R@1"]
        held += low <= truth <= high
    assert 33 <= held <= 40  # 38 expected


def test_the_same_seed_gives_the_same_interval():
    ranks = draw_ranks(40, 2)
    assert intervals([np.arange(40)], [ranks], 0) == intervals([np.arange(40)], [ranks], 0)
