from __future__ import annotations

import pytest

from chef.evaluate.queries import choose_queries
from chef.evaluate.swapper import Swapper
from chef.evaluate.swaps import swap_examples
from tests.evaluate.dishes import dishes, population, subject
from tests.evaluate.test_substitution import TOKENS, top


@pytest.fixture(scope="module")
def tested():
    recipes = dishes(108)
    splits = ["test" if number < 20 else "train" for number in range(108)]
    return subject("t+l+l", population(recipes, splits))


def examples(tested, seed=0):
    return swap_examples(tested, choose_queries(tested.population, None), seed, lambda row: f"photo {row}")


def test_up_to_three_queries_of_each_pair_test_ones_first(tested):
    shown = examples(tested)
    pairs = [one["pair"] for one in shown]
    assert {pair: pairs.count(pair) for pair in pairs}["chicken->fish"] == 3
    assert not any(pair.startswith("apple->") for pair in pairs)  # 12 queries: not in the table either
    seen = [one["query"]["seen"] for one in shown if one["pair"] == "chicken->fish"]
    assert seen == [False] * 3  # there are 6 of the test split


def test_the_dishes_are_what_the_changed_recipe_finds(tested):
    ids = tested.population.ids
    for one in examples(tested)[:6]:
        a, b = one["pair"].split("->")
        row = ids.index(one["query"]["id"])
        vector = Swapper(tested).kept([(row, a, b)])[0].astype(float)
        assert ids.index(one["recipe-to-image"][0]["id"]) == top(vector, tested.images, {row})
        assert ids.index(one["recipe-to-recipe"][0]["id"]) == top(vector, tested.recipes, {row})
        for found in one["recipe-to-image"] + one["recipe-to-recipe"]:
            place = ids.index(found["id"])
            recipe = tested.population.recipes[place]
            assert (found["title"], found["photo"]) == (recipe.title, f"photo {place}")
            assert found["contains"] == bool({item.token for item in recipe.ingredients} & TOKENS[b])
            assert found["seen"] == (tested.population.splits[place] == "train")
        assert len(one["recipe-to-image"]) == len(one["recipe-to-recipe"]) == 5


def test_the_seed_draws(tested):
    assert examples(tested) == examples(tested)
    assert examples(tested) != examples(tested, seed=1)
