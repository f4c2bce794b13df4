import numpy as np
import pytest

from chef.errors import ChefError
from chef.measure.bootstrap import PairedTest, intervals, paired, resample
from chef.measure.ranks import Ranks, hits, mean_scores, reciprocal, score


def draw_ranks(count, seed, chance=0.2, ties=1):
    generator = np.random.default_rng(seed)
    return Ranks(generator.geometric(chance, count) - 1, generator.integers(1, ties + 1, count))


def drawn(ranks, weights):
    """The ranks of a resample in which query i occurs weights[i] times."""
    rows = np.repeat(np.arange(len(ranks)), weights)
    return Ranks(ranks.better[rows], ranks.tied[rows])


def everyone(count):
    return [np.arange(count)]


@pytest.mark.parametrize("count", [1, 2, 50])
def test_intervals_equal_scoring_each_resample_anew(count):
    ranks = draw_ranks(count, 0, ties=3)
    samples = [score(drawn(ranks, weights[0])) for weights in resample(everyone(count), 3)]
    results = intervals(everyone(count), [ranks], 3)
    assert results == intervals(everyone(count), [ranks], 3)
    for name, interval in results.items():
        np.testing.assert_allclose(interval, np.percentile([one[name] for one in samples], [2.5, 97.5]))


def test_folds_that_share_pairs_are_drawn_together():
    members = [np.array([4, 9, 11, 29]), np.array([9, 4, 2]), np.array([7])]
    whole = draw_ranks(30, 1, ties=3)
    ranks = [Ranks(whole.better[fold], whole.tied[fold]) for fold in members]
    samples = []
    for weights in resample(members, 5):
        assert weights[0][0] == weights[1][1]  # pair 4
        assert weights[0][1] == weights[1][0]  # pair 9
        scores = [score(drawn(r, w)) for r, w in zip(ranks, weights, strict=True) if w.any()]
        samples.append(mean_scores(scores)["medR"])
    np.testing.assert_allclose(intervals(members, ranks, 5)["medR"], np.percentile(samples, [2.5, 97.5]))


def test_paired_equals_the_naive_test():
    first, second = draw_ranks(60, 0, 0.3), draw_ranks(60, 1, 0.25)
    result = paired(everyone(60), [first], [second], seed=7)
    for name, gap in (
        ("MRR", reciprocal(first) - reciprocal(second)),
        ("R@5", hits(first, 5) - hits(second, 5)),
    ):
        gaps = [np.repeat(gap, weights[0]).mean() for weights in resample(everyone(60), 7)]
        below, above = sum(d <= 1e-12 for d in gaps), sum(d >= -1e-12 for d in gaps)
        assert result[name].difference == pytest.approx(100 * gap.mean())
        assert result[name].p == pytest.approx(min(1, 2 * (1 + min(below, above)) / 1001), abs=0.003)
        np.testing.assert_allclose(result[name].ci, 100 * np.percentile(gaps, [2.5, 97.5]))


def test_swapping_the_models_flips_the_sign_and_a_model_does_not_differ_from_itself():
    first, second = draw_ranks(50, 0, 0.4), draw_ranks(50, 1, 0.3)
    there = paired(everyone(50), [first], [second], seed=0)["MRR"]
    back = paired(everyone(50), [second], [first], seed=0)["MRR"]
    assert back.difference == pytest.approx(-there.difference)
    assert back.ci == pytest.approx([-there.ci[1], -there.ci[0]])
    assert back.p == there.p
    ranks = draw_ranks(30, 0, 0.3)
    same = PairedTest(0.0, [0.0, 0.0], 1.0)
    assert paired(everyone(30), [ranks], [ranks], seed=0)["R@1"] == same


def test_different_queries_are_an_error():
    with pytest.raises(ChefError, match="different queries"):
        paired(everyone(30), [draw_ranks(30, 0)], [draw_ranks(29, 0)], seed=0)


def test_repeated_draws_over_the_same_queries_are_averaged():
    first, draws = draw_ranks(60, 0, 0.3), [draw_ranks(60, seed, 0.25) for seed in (1, 2, 3)]
    result = paired(everyone(60) * 3, [first] * 3, draws, seed=7)["R@1"]
    gaps = np.mean([hits(first, 1) - hits(draw, 1) for draw in draws], axis=0)
    resampled = [np.repeat(gaps, weights[0]).mean() for weights in resample(everyone(60), 7)]
    assert result.difference == pytest.approx(100 * gaps.mean())
    np.testing.assert_allclose(result.ci, 100 * np.percentile(resampled, [2.5, 97.5]))
