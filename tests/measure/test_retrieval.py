import json

import numpy as np
import pytest

from chef.errors import ChefError
from chef.measure.folds import folds
from chef.measure.ranks import rank_pairs
from chef.measure.retrieval import compare, retrieval, retrieval_ranks, summary
from chef.measure.scores import score

IDS = [f"recipe-{number}" for number in range(1100)]


@pytest.fixture
def matrices(pairs):
    return pairs(1100, 16, 0, 1.5)


def test_the_result_has_the_agreed_form(matrices):
    result = retrieval(*matrices, IDS, seed=3)
    assert list(result) == ["image-to-recipe", "recipe-to-image", "folds"]
    for direction in ("image-to-recipe", "recipe-to-image"):
        assert list(result[direction]) == ["full", "1k"]  # too few for 10k
        for name, count in (("full", 1100), ("1k", 1000)):
            cell = result[direction][name]
            assert list(cell) == ["n", "medR", "R@1", "R@5", "R@10", "ci"]
            assert cell["n"] == count
            for metric, (low, high) in cell["ci"].items():
                assert low <= cell[metric] <= high
    assert json.loads(json.dumps(result)) == result


def test_the_cells_are_the_scores_of_the_sets(matrices):
    images, recipes = matrices
    result = retrieval(images, recipes, IDS, seed=3)
    samples = folds(IDS, 1000, 3)
    assert result["folds"] == {"1k": [[IDS[place] for place in sample] for sample in samples]}
    for place, direction in enumerate(("image-to-recipe", "recipe-to-image")):
        full = score(rank_pairs(images, recipes)[place])
        per_fold = [score(rank_pairs(images[sample], recipes[sample])[place]) for sample in samples]
        for metric, value in full.items():
            assert result[direction]["full"][metric] == pytest.approx(value)
            assert result[direction]["1k"][metric] == pytest.approx(
                np.mean([one[metric] for one in per_fold])
            )


def test_the_order_of_the_pairs_does_not_matter(matrices):
    images, recipes = matrices
    order = np.random.default_rng(0).permutation(1100)
    there = retrieval(images, recipes, IDS, seed=0)
    back = retrieval(images[order], recipes[order], [IDS[place] for place in order], seed=0)
    assert back["folds"] == there["folds"]
    for metric in ("medR", "R@1", "R@5", "R@10"):
        assert back["recipe-to-image"]["1k"][metric] == pytest.approx(there["recipe-to-image"]["1k"][metric])


def test_shuffled_pairs_are_caught(matrices):
    images, recipes = matrices
    good = retrieval(images, recipes, IDS, seed=0)["image-to-recipe"]["1k"]
    bad = retrieval(images, np.roll(recipes, 1, axis=0), IDS, seed=0)["image-to-recipe"]["1k"]
    assert good["R@10"] > 10
    assert bad["ci"]["R@10"][1] < 3
    assert 400 < bad["medR"] < 600


def test_compare_finds_the_better_model(pairs):
    sizes = {"50": 50}
    good, bad = (
        retrieval_ranks(*pairs(300, 16, 0, noise), IDS[:300], seed=0, sizes=sizes) for noise in (1.0, 2.0)
    )
    found = compare(good, bad)
    assert list(found) == ["image-to-recipe", "recipe-to-image"]
    values = [summary(model) for model in (good, bad)]
    for direction, cells in found.items():
        assert list(cells) == ["full", "50"]
        for name, cell in cells.items():
            high, low = (value[direction][name]["R@1"] for value in values)
            assert cell["R@1"]["difference"] == pytest.approx(high - low)
            assert cell["R@1"]["p"] < 0.01


def test_models_measured_on_different_folds_cannot_be_compared(pairs):
    one, other = (retrieval_ranks(*pairs(30, 8, 0, 1.0), IDS[:30], seed=seed) for seed in (0, 1))
    with pytest.raises(ChefError, match="different folds"):
        compare(one, other)


def test_vectors_that_are_not_normalised_are_an_error(matrices):
    images, recipes = matrices
    recipes[7] *= 2
    with pytest.raises(ChefError, match="recipe vector 7 has length 2"):
        retrieval(images, recipes, IDS, seed=0)


def test_one_vector_per_id(matrices):
    with pytest.raises(ChefError, match="1099 ids"):
        retrieval(*matrices, IDS[:-1], seed=0)
