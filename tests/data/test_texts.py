from __future__ import annotations

from dataclasses import replace

import pytest

from chef.data.texts import TextMaker, named
from chef.recipe import Ingredient, Recipe, Step
from tests.data.sources import QUICK, canonical_map

LINES = ("For the sauce:", "2 cups green beans, trimmed", "3 leeks", "100 g walnuts", "1 tsp salt")
RECIPE = Recipe(
    "1",
    "Green beans with rice",
    tuple(map(Ingredient, LINES)),
    (Step("Trim the green beans. Boil them in salted water."), Step("Scatter walnuts over the white rice!")),
)


@pytest.fixture(scope="module")
def text():
    return TextMaker(canonical_map(), QUICK)(RECIPE)


def test_ingredients_are_parsed_and_each_but_a_heading_has_one_token(text):
    _, beans, leeks, walnuts, _ = text.recipe.ingredients
    assert (beans.name, beans.amount, beans.unit, beans.token) == ("green beans", 2.0, "cup", "green_beans")
    assert walnuts.grams == 100
    assert leeks.token is None  # not in the map
    assert [item.name for item in named(text.recipe)] == ["green beans", "leeks", "walnuts", "salt"]
    assert [token.rstrip("s") for token in text.ingredients] == ["green_bean", "leek", "walnut", "salt"]


def test_names_become_canonical_tokens_in_title_and_sentences(text):
    assert text.title == ["green_beans", "with", "rice"]
    assert text.sentences == [
        ["trim", "the", "green_beans"],
        ["boil", "them", "in", "salted", "water"],
        ["scatter", "walnuts", "over", "the", "white_rice"],
    ]
    assert text.raw_text[0] == ["green", "beans", "with", "rice"]
    assert text.raw_text[1][:2] == ["green", "beans"]
    assert text.canonical_text[:2] == [text.title, text.ingredients]
    assert not text.truncated


def test_what_is_too_long_is_cut_and_counted_but_stays_in_recipe_and_training_text():
    settings = replace(QUICK, max_words=3, max_ingredients=2, max_sentences=2)
    recipe = replace(RECIPE, title="Green beans with a lot of white rice")
    text = TextMaker(canonical_map(), settings)(recipe)
    assert text.title == ["green_beans", "with", "a"]
    assert len(text.ingredients) == 2
    assert text.sentences == [["trim", "the", "green_beans"], ["boil", "them", "in"]]
    assert text.truncated == {"titles": 1, "ingredient lists": 1, "instructions": 1, "sentences": 1}
    assert len(text.canonical_text) == 5
    assert len(text.recipe.ingredients) == 5


def test_what_the_source_knows_goes_before_what_is_read_from_the_line():
    recipe = Recipe("1", "x", (Ingredient("a handful of the green ones", name="green beans", grams=55.0),))
    item = TextMaker(canonical_map(), QUICK)(recipe).recipe.ingredients[0]
    assert (item.name, item.grams, item.token) == ("green beans", 55.0, "green_beans")
