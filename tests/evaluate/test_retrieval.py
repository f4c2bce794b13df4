from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chef.measure import retrieval as protocol
from chef.measure.ranks import Ranks
from tests.evaluate.dishes import dishes, evaluated, population
from tests.measure.oracle import naive_ranks, naive_scores

SCORES = ("medR", "R@1", "R@5", "R@10")


def scored(model):
    return protocol.summary(model.retrieval_ranks(seed=0))


def is_right(model) -> bool:
    """Whether the table is what slow, obvious ranking of the model's own vectors gives."""
    scores = scored(model)
    for direction, pair in (
        ("image-to-recipe", (model.images, model.recipes)),
        ("recipe-to-image", (model.recipes, model.images)),
    ):
        cell = scores[direction]["full"]
        wanted = naive_scores(naive_ranks(*pair), (1, 5, 10))
        if any(cell[name] != pytest.approx(wanted[name]) for name in SCORES):
            return False
    return True


@pytest.fixture
def model():
    return evaluated("t+t+l", population(dishes(40)))


def test_equal_to_the_naive_oracle(model):
    assert is_right(model)
    assert scored(model)["image-to-recipe"]["full"].n == 40


def shifted(ranks: Ranks) -> Ranks:
    return Ranks(ranks.better - 1, ranks.tied)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda one, other: (shifted(one), shifted(other)), id="0-based ranks"),
        pytest.param(lambda one, other: (other, one), id="directions exchanged"),
    ],
)
def test_broken_ranks_are_caught(model, monkeypatch, broken):
    right = protocol.rank_pairs
    monkeypatch.setattr(protocol, "rank_pairs", lambda *pair: broken(*right(*pair)))
    assert not is_right(model)


def test_shuffled_pairs_are_caught(model):
    # The same photo for every recipe's neighbour: what was perfect is chance.
    model.__dict__["images"] = model.recipes
    assert scored(model)["recipe-to-image"]["full"]["R@1"] == 100.0
    model.__dict__["images"] = np.roll(model.recipes, 1, axis=0)
    assert scored(model)["recipe-to-image"]["full"]["R@1"] < 10
    assert is_right(model)  # the table tells the truth about it


def test_acme_has_a_second_row_with_batch_norm_in_training_mode():
    model = evaluated("acme", population(dishes(40)))
    second = model.with_batch_statistics()
    assert second.name == "acme (batch statistics)"
    assert second.batch_statistics
    assert np.abs(second.recipes - model.recipes).max() > 0.01


def test_the_order_of_the_recipes_does_not_matter(model):
    among = model.population
    turned = replace(
        among,
        ids=among.ids[::-1],
        recipes=among.recipes[::-1],
        photos=lambda row: among.photos(len(among) - 1 - row),
    )
    there, back = (scored(evaluated("t+t+l", one)) for one in (among, turned))
    for name in SCORES:
        assert there["recipe-to-image"]["full"][name] == pytest.approx(back["recipe-to-image"]["full"][name])
