from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.rewrite.coming import coming, leaving, relatives
from chef.text.vocabulary import Vocabulary
from tests.rewrite.small import canonical, vocabulary

HERE = ["chicken_thighs", "chicken_broth", "red_onion", "rice", "peanuts", "almonds"]


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("chicken", ["chicken_thighs"]),
        ("Chicken", ["chicken_thighs"]),
        ("chicken thighs", ["chicken_thighs"]),
        ("chicken_broth", ["chicken_broth"]),
        ("onion", ["red_onion"]),
        ("red onions", ["red_onion"]),
        ("nuts", ["peanuts", "almonds"]),
    ],
)
def test_what_leaves(word, tokens):
    assert leaving(word, HERE, canonical()) == tokens


def test_the_very_ingredient_goes_before_its_kinds():
    assert leaving("onion", ["onion", "red_onion"], canonical()) == ["onion"]


@pytest.mark.parametrize("word", ["beef", "xylophone", "butter"])
def test_what_is_not_there_names_what_is(word):
    with pytest.raises(ChefError, match=rf"no {word} in this recipe \(it has chicken thighs, chicken broth"):
        leaving(word, HERE, canonical())


@pytest.mark.parametrize("word", ["", " ", "12"])
def test_an_empty_name(word):
    with pytest.raises(ChefError, match="named"):
        leaving(word, HERE, canonical())
    with pytest.raises(ChefError, match="named"):
        coming(word, canonical(), vocabulary())


def test_a_family_comes_as_the_word_that_the_model_knows():
    known = Vocabulary.build({"ground_beef": 1}, minimum=1)
    assert coming("beef", canonical(), known).token == "ground_beef"
    assert coming("apple", canonical(), vocabulary()).token == "apples"


def test_any_name_comes():
    assert coming("unsalted butter", canonical(), vocabulary()).token == "butter"
    assert coming("MARGARINE", canonical(), vocabulary()).noun.singular == "margarine"


def test_an_unknown_ingredient_is_an_error_with_a_hint():
    with pytest.raises(ChefError, match=r"unknown ingredient 'margerinne' .did you mean margarine"):
        coming("margerinne", canonical(), vocabulary())


def test_relatives_are_the_family():
    assert {"chicken", "chicken_wings"} <= relatives(["chicken_thighs"], [])
    assert "chicken_broth" not in relatives(["chicken_thighs"], ["chicken_broth"])
    assert relatives(["rice"], ["chicken"]) == {"rice"}
