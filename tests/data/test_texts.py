from collections import Counter
from dataclasses import replace

import pytest

from chef.data.texts import PrepareSettings, TextMaker, hash_split, named, reading, split_of
from chef.errors import ChefError
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


@pytest.mark.parametrize(
    "wrong",
    [{"image_size": 0}, {"splits": "random"}, {"train_share": 0.9, "val_share": 0.2}, {"minimum_count": 0}],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ChefError):
        PrepareSettings(**wrong)


def test_equal_titles_stay_together_whatever_their_spelling():
    settings = PrepareSettings()
    for number in range(50):
        spellings = [f"Leek Pie {number}", f"leek pie, {number}!", f"LEEK  PIE {number}"]
        assert len({hash_split(title, settings) for title in spellings}) == 1


def test_shares_are_as_asked():
    settings = PrepareSettings(train_share=0.5, val_share=0.2)
    counts = Counter(hash_split(f"dish {number}", settings) for number in range(4000))
    shares = {name: count / 4000 for name, count in counts.items()}
    assert shares == pytest.approx({"train": 0.5, "val": 0.2, "test": 0.3}, abs=0.04)


def test_the_split_of_the_source_goes_first_unless_told_otherwise():
    recipe = Recipe("1", "Leek pie", split="extra")
    assert split_of(recipe, PrepareSettings()) == "extra"
    assert split_of(recipe, PrepareSettings(splits="hash")) == hash_split("Leek pie", PrepareSettings())
    with pytest.raises(ChefError, match="split named"):
        split_of(Recipe("1", "Leek pie", split="../out"), PrepareSettings())


def test_punctuation_stands_in_sentences_alone_and_only_where_it_is_asked_for():
    given = Recipe(
        "1", "Beans, fried", (Ingredient("green beans, cut"),), (Step("Fry the green beans, then salt."),)
    )
    canonical = canonical_map()
    kept = TextMaker(canonical, PrepareSettings(punctuation=True))(given)
    dropped = TextMaker(canonical, PrepareSettings())(given)
    assert kept.sentences == [["fry", "the", "green_beans", ",", "then", "salt", "."]]
    assert (kept.title, kept.ingredients) == (dropped.title, dropped.ingredients)
    assert [word for word in kept.sentences[0] if word not in ",."] == dropped.sentences[0]
    assert "punctuation" not in PrepareSettings().to_json()  # old data are as if prepared now
    assert reading(PrepareSettings(punctuation=True).to_json())["punctuation"] is True
