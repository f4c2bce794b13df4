from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chef.evaluate.swapper import Swapper
from tests.evaluate.dishes import dish, population, subject

AMONG = population(
    [dish(0, "chicken_wings", ["chicken_broth", "rice"]), dish(1, "beef", ["salt"]), dish(2, "apples", [])]
)


@pytest.fixture(scope="module")
def swapper():
    return Swapper(subject("t+t+l", AMONG))


def test_every_token_of_the_family_becomes_the_other_and_broth_stays(swapper):
    ((text, trees),) = swapper.edits([(0, "chicken", "beef")])
    assert text.title == ["fried", "beef", "with", "chicken_broth", "qaaa"]
    assert text.ingredients == ["beef", "chicken_broth", "rice"]
    assert text.sentences[0] == ["fry", "the", "beef", "in", "a", "pan"]
    assert text.sentences[1] == ["add", "the", "chicken_broth", "and", "stir", "well"]
    assert trees.ingredients.tokens == ("beef", "chicken_broth", "rice")


def test_the_plain_name_in_the_text_is_of_the_family_too():
    recipe = replace(dish(0, "chicken_wings", ["rice"]), title="Chicken with rice")
    ((text, _),) = Swapper(subject("t+l+l", population([recipe]))).edits([(0, "chicken", "pork")])
    assert text.title[0] == "pork"
    assert text.ingredients[0] == "pork"


def test_a_token_that_only_this_data_has_is_found_by_its_name():
    recipe = dish(0, "skinless_pork_loin_chop", ["rice"])
    tested = subject("t+l+l", population([recipe]))
    assert tested.texts[0].ingredients[0] == "skinless_pork_loin_chop"
    ((text, _),) = Swapper(tested).edits([(0, "pork", "fish")])
    assert text.ingredients == ["fish", "rice"]


def test_kept_and_anew_embed_the_changed_recipe(swapper):
    tested = swapper._subject
    ((text, trees),) = swapper.edits([(1, "beef", "apple")])
    assert text.ingredients == ["apples", "salt"]
    np.testing.assert_allclose(
        swapper.kept([(0, "beef", "apple"), (1, "beef", "apple")])[1],
        tested.embed([text], [trees])[0],
        atol=1e-6,
    )
    np.testing.assert_allclose(swapper.anew([(1, "beef", "apple")]), tested.embed([text]), atol=1e-6)
    np.testing.assert_allclose(
        swapper.kept([(2, "beef", "pork")])[0], tested.recipes[2], atol=1e-6
    )  # no beef


def test_a_family_that_the_model_has_no_word_for():
    swapper = Swapper(subject("t+l+l", AMONG, unknown=("fish", "tuna")))
    assert swapper.words["fish"] is None
    assert swapper.words["apple"] == "apples"
