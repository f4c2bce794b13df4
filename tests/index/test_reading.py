from __future__ import annotations

import numpy as np

import chef
from chef.index.reading import read_recipes, title_words, tokens_of
from tests.index.small import recipe, recipes, write_model


def test_one_pass_says_what_embedding_and_explaining_say(model):
    loaded = chef.load(model)
    given = [*recipes(), recipe("bare", "Bare", [], [""])]
    readings = read_recipes(loaded, given)
    np.testing.assert_allclose(
        np.stack([reading.vector for reading in readings]), loaded.embed_recipes(given), atol=1e-6
    )
    for one, reading in zip(given, readings, strict=True):
        explanation = loaded.explain(one)
        assert reading.main_ingredient == explanation.main_ingredient
        actions = [step.action for step in explanation.steps]
        assert reading.actions == list(dict.fromkeys(word for word in actions if word))


def test_a_model_without_trees_names_no_main_ingredient(tmp_path):
    loaded = chef.load(write_model(tmp_path, "s+l+l"))
    reading = read_recipes(loaded, recipes()[:1])[0]
    assert reading.main_ingredient is None
    assert reading.actions == []


def test_tokens_are_unique_and_in_order(model):
    made = chef.load(model).read(
        recipe("x", "X", ["1 onion", "2 eggs", "1 onion, diced", "1 frumious bandersnatch"])
    )
    assert tokens_of(made.recipe) == ["onion", "eggs", "frumious_bandersnatch"]


def test_title_words():
    assert title_words("Chillies & Yoghurts, chillies!") == ["chili", "yogurt"]
    assert title_words("🍕") == []
