import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.measure.ranks import Ranks, mean_scores, rank_pairs, reciprocal, score
from tests.measure.oracle import ir_measures_scores, naive_scores

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
