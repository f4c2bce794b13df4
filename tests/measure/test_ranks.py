import itertools
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from chef.errors import ChefError
from chef.measure import ranks as module
from chef.measure.ranks import (
    DEPTH_AT,
    Ranks,
    depth_ranks,
    gap_ranks,
    mean_scores,
    rank_pairs,
    reciprocal,
    score,
)
from tests.measure.oracle import ir_measures_scores, naive_ranks, naive_scores


def assert_equal(left, right):
    forward, backward = rank_pairs(left, right)
    for ranks, wanted in ((forward, naive_ranks(left, right)), (backward, naive_ranks(right, left))):
        np.testing.assert_array_equal(ranks.better, wanted.better)
        np.testing.assert_array_equal(ranks.tied, wanted.tied)


# Small whole numbers: every product and sum is exact, and ties between different vectors abound.
whole = st.tuples(st.integers(1, 24), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(*[hnp.arrays(np.float32, shape, elements=st.integers(-2, 2).map(float))] * 2)
)


@given(whole)
def test_equal_to_the_oracle_with_many_ties(matrices):
    # Tiny tiles, so that their seams are crossed.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ROWS", 7)
        patch.setattr(module, "COLUMNS", 5)
        patch.setattr(module, "PAIRS", 3)
        assert_equal(*matrices)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("dimension", [3, 64])
def test_equal_to_the_oracle_on_real_vectors_of_any_precision(unit, dimension, kind):
    assert_equal(unit(40, dimension, 0).astype(kind), unit(40, dimension, 1).astype(kind))


def test_float64_vectors_are_not_rounded(unit):
    # Items that differ in the tenth digit are no ties.
    left = unit(30, 8, 0).astype(np.float64)
    right = np.tile(left[:1], (30, 1)) + 1e-10 * unit(30, 8, 1)
    assert_equal(left, right)
    assert rank_pairs(left, right)[0].tied.max() == 1


def test_equal_vectors_tie_wherever_they_stand(unit):
    # More rows than a tile and an odd number of them: the product rounds its last rows in its own way.
    count, copies = 2301, 61
    left, right = unit(count, 1024, 0), unit(count, 1024, 1)
    places = np.random.default_rng(2).choice(count, copies, replace=False)
    right[places] = right[places[0]]
    forward, _ = rank_pairs(left, right)
    np.testing.assert_array_equal(forward.tied[places], copies)
    assert set(np.delete(forward.tied, places)) == {1}
    exact = left[places].astype(np.float64) @ right.astype(np.float64).T
    others = np.delete(np.arange(count), places)
    true = exact[np.arange(copies), places]
    np.testing.assert_array_equal(forward.better[places], (exact[:, others] > true[:, None]).sum(axis=1))


def test_a_nearly_collapsed_model_is_still_exact(unit):
    # Scores that differ less than a float32 product errs: everything is decided in float64.
    left, right = (unit(1, 16, 0) + 1e-7 * unit(80, 16, seed) for seed in (1, 2))
    assert_equal(left, right)


def test_a_vector_that_is_not_a_number_is_an_error(unit):
    # Comparisons with NaN are false, so it would rank first.
    left, right = unit(5, 4, 0), unit(5, 4, 1)
    right[3, 2] = np.nan
    with pytest.raises(ChefError, match="vector 3"):
        rank_pairs(left, right)


@pytest.mark.parametrize(
    ("left", "right"), [((3, 4), (2, 4)), ((3, 4), (3, 5)), ((0, 4), (0, 4)), ((4,), (4,))]
)
def test_matrices_that_do_not_pair_up_are_an_error(left, right):
    with pytest.raises(ChefError, match="cannot rank"):
        rank_pairs(np.zeros(left, np.float32), np.zeros(right, np.float32))


leaves = st.lists(st.integers(0, 4), min_size=1, max_size=6).flatmap(
    lambda depths: st.tuples(st.just(depths), st.integers(0, len(depths) - 1))
)


@given(st.lists(leaves, min_size=1, max_size=5))
def test_the_gold_ingredient_by_depth(recipes):
    """R@K and medR over every order of the leaves from shallow to deep: ties are not free."""
    places = []
    for depths, gold in recipes:
        orders = [
            order
            for order in itertools.permutations(range(len(depths)))
            if all(depths[a] <= depths[b] for a, b in itertools.pairwise(order))
        ]
        places.append([order.index(gold) + 1 for order in orders])
    scores = score(depth_ranks(*zip(*recipes, strict=True)), DEPTH_AT)
    assert scores["medR"] == pytest.approx(statistics.median(map(statistics.mean, places)))
    for k in DEPTH_AT:
        wanted = statistics.mean(statistics.mean(place <= k for place in one) for one in places)
        assert scores[f"R@{k}"] == pytest.approx(100 * wanted)


def test_the_depth_gap_is_counted_from_the_shallowest_leaf():
    depths = [[3, 3, 2, 1], [2, 2, 2, 2], [1, 3, 3, 2], [1, float("inf")]]
    assert gap_ranks(depths, [1, 3, 0, 1]).mid.tolist() == [3, 1, 1, 3]


AT = (1, 2, 3)


def agrees(ranks, scores):
    """Whether our measures of `ranks` are those of ir-measures on the score matrix."""
    wanted = ir_measures_scores(scores, AT)
    ours = score(ranks, AT) | {"MRR": 100 * float(reciprocal(ranks).mean())}
    return all(ours[name] == pytest.approx(value) for name, value in wanted.items())


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12)), min_size=1, max_size=30))
def test_equal_to_the_naive_oracle(pairs):
    ranks = Ranks(*np.array(pairs).T)
    assert score(ranks, (1, 5, 10)) == pytest.approx(naive_scores(ranks, (1, 5, 10)))


@pytest.mark.parametrize("ties", [True, False])
def test_equal_to_ir_measures_over_all_ways_to_break_ties(ties):
    draw = np.random.default_rng(0)
    numbers = draw.integers(-1, 2, (2, 5, 2)) if ties else draw.standard_normal((2, 5, 8))
    images, recipes = numbers.astype(np.float32)
    forward, backward = rank_pairs(images, recipes)
    assert (forward.tied > 1).any() == ties
    assert agrees(forward, images @ recipes.T)
    assert agrees(backward, recipes @ images.T)


def test_mean_scores_average_each_value():
    assert mean_scores([{"medR": 1.0, "R@1": 40.0}, {"medR": 2.0, "R@1": 50.0}]) == {"medR": 1.5, "R@1": 45.0}
