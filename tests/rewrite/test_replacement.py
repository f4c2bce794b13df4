import pytest

from chef.errors import ChefError
from chef.rewrite.replacement import matching_tokens, read_recipe, replacement_for, with_relatives
from chef.text.vocabulary import Vocabulary
from tests.conftest import cases
from tests.rewrite.small import canonical, recipe, tiny_chef, vocabulary

HERE = ["chicken_thighs", "chicken_broth", "red_onion", "rice", "peanuts", "almonds"]


@pytest.mark.parametrize(("word", "tokens"), cases("rewrite", "what leaves"))
def test_what_leaves(word, tokens):
    assert matching_tokens(word, HERE, canonical()) == tokens


@pytest.mark.parametrize("word", ["beef", "xylophone", "butter"])
def test_what_is_not_there_names_what_is(word):
    with pytest.raises(ChefError, match=rf"no {word} in this recipe \(it has chicken thighs, chicken broth"):
        matching_tokens(word, HERE, canonical())


@pytest.mark.parametrize("word", ["", " ", "12"])
def test_an_empty_name(word):
    with pytest.raises(ChefError, match="named"):
        matching_tokens(word, HERE, canonical())
    with pytest.raises(ChefError, match="named"):
        replacement_for(word, canonical(), vocabulary())


def test_the_very_ingredient_goes_before_its_kinds():
    assert matching_tokens("onion", ["onion", "red_onion"], canonical()) == ["onion"]


def test_a_family_comes_as_the_word_that_the_model_knows():
    known = Vocabulary.build({"ground_beef": 1}, minimum=1)
    assert replacement_for("beef", canonical(), known).token == "ground_beef"
    for word, token in (("apple", "apples"), ("unsalted butter", "butter"), ("MARGARINE", "margarine")):
        assert replacement_for(word, canonical(), vocabulary()).token == token


def test_an_unknown_ingredient_is_an_error_with_a_hint():
    with pytest.raises(ChefError, match=r"unknown ingredient 'margerinne' .did you mean margarine"):
        replacement_for("margerinne", canonical(), vocabulary())


def test_relatives_are_the_family():
    assert {"chicken", "chicken_wings"} <= with_relatives(["chicken_thighs"], [])
    assert "chicken_broth" not in with_relatives(["chicken_thighs"], ["chicken_broth"])
    assert with_relatives(["rice"], ["chicken"]) == {"rice"}


def test_a_recipe_without_ingredients_is_an_error():
    with pytest.raises(ChefError, match="'Nothing' names no ingredient"):
        read_recipe(tiny_chef(), recipe("Nothing", ["For the sauce:"], ["Wait."]))
