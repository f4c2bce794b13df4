import numpy as np
import pytest

from chef.errors import ChefError
from chef.measure.intervals import resample
from chef.measure.paired import paired
from chef.measure.ranks import Ranks
from chef.measure.scores import hits, reciprocal


def draw_ranks(count, chance, seed):
    return Ranks(np.random.default_rng(seed).geometric(chance, count) - 1, np.ones(count, np.int64))


def everyone(count):
    return [np.arange(count)]


def test_equal_to_the_naive_test():
    first, second = draw_ranks(60, 0.3, 0), draw_ranks(60, 0.25, 1)
    found = paired(everyone(60), [first], [second], seed=7)
    for name, gap in (
        ("MRR", reciprocal(first) - reciprocal(second)),
        ("R@5", hits(first, 5) - hits(second, 5)),
    ):
        drawn = [np.repeat(gap, weights[0]).mean() for weights in resample(everyone(60), 7)]
        below, above = sum(d <= 1e-12 for d in drawn), sum(d >= -1e-12 for d in drawn)
        assert found[name]["difference"] == pytest.approx(100 * gap.mean())
        assert found[name]["p"] == pytest.approx(min(1, 2 * (1 + min(below, above)) / 1001), abs=0.003)
        np.testing.assert_allclose(found[name]["ci"], 100 * np.percentile(drawn, [2.5, 97.5]))


def test_a_better_model_is_found_better():
    found = paired(everyone(400), [draw_ranks(400, 0.5, 0)], [draw_ranks(400, 0.2, 1)], seed=0)
    assert list(found) == ["MRR", "R@1", "R@5", "R@10"]
    assert found["R@1"]["difference"] > 0
    assert found["R@1"]["ci"][0] > 0
    assert found["R@1"]["p"] < 0.01


def test_swapping_the_models_turns_the_sign():
    first, second = draw_ranks(50, 0.4, 0), draw_ranks(50, 0.3, 1)
    there = paired(everyone(50), [first], [second], seed=0)["MRR"]
    back = paired(everyone(50), [second], [first], seed=0)["MRR"]
    assert back["difference"] == pytest.approx(-there["difference"])
    assert back["ci"] == pytest.approx([-there["ci"][1], -there["ci"][0]])
    assert back["p"] == there["p"]


def test_the_same_model_twice_is_no_difference():
    ranks = draw_ranks(30, 0.3, 0)
    assert paired(everyone(30), [ranks], [ranks], seed=0)["R@1"] == {
        "difference": 0.0,
        "ci": [0.0, 0.0],
        "p": 1.0,
    }


def test_equal_models_are_rarely_called_different():
    called = 0
    for seed in range(40):
        first, second = draw_ranks(150, 0.3, 2 * seed), draw_ranks(150, 0.3, 2 * seed + 1)
        called += paired(everyone(150), [first], [second], seed)["MRR"]["p"] < 0.05
    assert called <= 7  # 2 expected


def test_different_queries_are_an_error():
    with pytest.raises(ChefError, match="different queries"):
        paired(everyone(30), [draw_ranks(30, 0.3, 0)], [draw_ranks(29, 0.3, 0)], seed=0)


def test_several_draws_over_the_same_queries_are_averaged():
    first, draws = draw_ranks(60, 0.3, 0), [draw_ranks(60, 0.25, seed) for seed in (1, 2, 3)]
    found = paired(everyone(60) * 3, [first] * 3, draws, seed=7)["R@1"]
    gaps = np.mean([hits(first, 1) - hits(draw, 1) for draw in draws], axis=0)
    drawn = [np.repeat(gaps, weights[0]).mean() for weights in resample(everyone(60), 7)]
    assert found["difference"] == pytest.approx(100 * gaps.mean())
    np.testing.assert_allclose(found["ci"], 100 * np.percentile(drawn, [2.5, 97.5]))
