import itertools
import json
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.measure import bootstrap
from chef.measure.retrieval import RetrievalScores, compare, folds, retrieval_ranks, summary
from chef.typed_json import from_json, to_json
from tests.measure.conftest import noisy_pairs
from tests.measure.oracle import naive_ranks, naive_scores

IDS = [f"recipe-{number}" for number in range(1100)]
FEW = [f"recipe-{number:03d}" for number in range(300)]


@pytest.fixture(scope="module", autouse=True)
def few_resamples():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap.resample, "__defaults__", (300,))
        yield


@pytest.fixture(scope="module")
def matrices():
    return noisy_pairs(1100, 16, 0, 1.5)


@pytest.fixture(scope="module")
def result(matrices):
    return summary(retrieval_ranks(*matrices, IDS, seed=3))


def test_the_result_has_the_agreed_form(result):
    assert list(to_json(result)) == ["image-to-recipe", "recipe-to-image", "folds"]
    for direction in ("image-to-recipe", "recipe-to-image"):
        assert list(result[direction]) == ["full", "1k"]  # too few for 10k
        for name, count in (("full", 1100), ("1k", 1000)):
            cell = result[direction][name]
            assert list(to_json(cell)) == ["n", "medR", "R@1", "R@5", "R@10", "ci"]
            assert cell.n == count
            for metric, (low, high) in cell.ci.items():
                assert low <= cell[metric] <= high
    assert from_json(RetrievalScores, json.loads(json.dumps(to_json(result))), "") == result


def test_compare_finds_the_better_model():
    sizes = {"50": 50}
    good, bad = (
        retrieval_ranks(*noisy_pairs(300, 16, 0, noise), IDS[:300], seed=0, sizes=sizes)
        for noise in (1.0, 2.0)
    )
    result = compare(good, bad)
    assert list(result) == ["image-to-recipe", "recipe-to-image"]
    values = [summary(model) for model in (good, bad)]
    for direction, cells in result.items():
        assert list(cells) == ["full", "50"]
        for name, cell in cells.items():
            high, low = (value[direction][name]["R@1"] for value in values)
            assert cell["R@1"].difference == pytest.approx(high - low)
            assert cell["R@1"].p < 0.01


def test_models_measured_on_different_folds_cannot_be_compared():
    one, other = (retrieval_ranks(*noisy_pairs(30, 8, 0, 1.0), IDS[:30], seed=seed) for seed in (0, 1))
    with pytest.raises(ChefError, match="different folds"):
        compare(one, other)


def test_vectors_that_are_not_normalised_are_an_error(matrices):
    images, recipes = matrices
    recipes = recipes.copy()
    recipes[7] *= 2
    with pytest.raises(ChefError, match="recipe vector 7 has length 2"):
        summary(retrieval_ranks(images, recipes, IDS, seed=0))


def test_one_vector_per_id(matrices):
    with pytest.raises(ChefError, match="1099 ids"):
        summary(retrieval_ranks(*matrices, IDS[:-1], seed=0))


def named(ids, seed=0, size=40):
    return [[ids[place] for place in fold] for fold in folds(ids, size, seed)]


def test_members_are_the_same_for_ever_and_others_for_another_seed():
    assert named(FEW, seed=1) != named(FEW, seed=0)
    # Written down: a change here would make old results incomparable.
    assert named(FEW[:12], size=3)[:2] == [
        ["recipe-000", "recipe-001", "recipe-008"],
        ["recipe-002", "recipe-006", "recipe-008"],
    ]


def test_every_pair_has_the_same_chance():
    drawn = [name for seed in range(30) for fold in named(FEW[:20], seed, 5) for name in fold]
    assert all(45 <= drawn.count(name) <= 110 for name in FEW[:20])  # 75 expected, standard deviation 7.5


def test_a_repeated_id_is_an_error():
    with pytest.raises(ChefError, match="same id"):
        folds(["a", "b", "a"], 2, 0)


# Vectors of length 1 whose products are exact: equal scores are equal, and there are many of them.
UNITS = [
    np.array(signs, np.float64) / 2 for signs in itertools.product((1, -1), repeat=4)
] + [np.eye(4)[axis] * sign for axis in range(4) for sign in (1, -1)]  # fmt: skip
vectors = st.sampled_from(UNITS)
drawn_pairs = st.lists(st.tuples(vectors, vectors), min_size=1, max_size=24)


@settings(deadline=None, max_examples=15)
@given(drawn_pairs, st.integers(1, 6), st.integers(0, 5))
def test_every_cell_of_the_protocol(drawn, size, seed):
    images, recipes = (np.array(side, np.float32) for side in zip(*drawn, strict=True))
    ids = [f"r{number}" for number in np.random.default_rng(seed).permutation(len(drawn))]
    result = summary(retrieval_ranks(images, recipes, ids, seed, sizes={"few": size}))
    samples = {"full": [np.arange(len(ids))]}
    if len(ids) >= size:
        samples["few"] = folds(ids, size, seed)
    sides = {"image-to-recipe": (images, recipes), "recipe-to-image": (recipes, images)}
    for direction, (queries, gallery) in sides.items():
        assert set(result[direction]) == set(samples)
        for name, members in samples.items():
            cell = result[direction][name]
            naive = [naive_scores(naive_ranks(queries[fold], gallery[fold]), (1, 5, 10)) for fold in members]
            assert cell.n == len(members[0])
            for metric in naive[0]:
                assert cell[metric] == pytest.approx(statistics.mean(one[metric] for one in naive))
                low, high = cell.ci[metric]
                assert low <= high
    assert result.folds == {
        name: [[ids[place] for place in fold] for fold in members]
        for name, members in samples.items()
        if name != "full"
    }


@given(st.lists(st.text(max_size=6), unique=True, max_size=12), st.integers(1, 6), st.integers(0, 9))
def test_folds_of_any_ids(ids, size, seed):
    samples = folds(ids, size, seed)
    assert len(samples) == (10 if len(ids) >= size else 0)
    turned = folds(ids[::-1], size, seed)
    for fold, again in zip(samples, turned, strict=True):
        assert len(set(fold.tolist())) == size
        assert [ids[place] for place in fold] == [ids[::-1][place] for place in again]
