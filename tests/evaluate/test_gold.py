import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from chef.data.texts import PrepareSettings, TextMaker
from chef.errors import ChefError
from chef.evaluate.gold import gold_actions, gold_main, read_labels
from chef.food.canonical import CanonicalMap
from chef.model.tree import Tree
from chef.recipe import Ingredient, Recipe, Step

LINES = ("For the pie:", "200 ml water", "1 pinch salt", "1 kg apples")
STEPS = ("Peel and core the apples. Cut them.", "Now heat the oven.", "Wait. " * 60 + "Serve.")
LABELS = {"id": "pie", "main": [3], "ok": [1], "actions": {"step0": ["Peel", "core"], "step1": ["heat"]}}


@pytest.fixture(scope="module")
def model():
    """One recipe; its ingredient tree has the last leaf on top, its sentence trees the first word."""
    recipe = Recipe("pie", "Apple Pie", tuple(map(Ingredient, LINES)), tuple(map(Step, STEPS)))
    text = TextMaker(CanonicalMap.load(), PrepareSettings())(recipe)
    trees = [Tree.right(words) for words in text.sentences]
    return SimpleNamespace(
        texts=[text], ingredient_trees=[Tree.left(text.ingredients)], sentence_trees=[trees], orders=None
    )


@pytest.fixture
def labels(tmp_path):
    def write(**changes):
        (tmp_path / "gold.jsonl").write_text(json.dumps(LABELS | changes) + "\n")
        return read_labels(tmp_path / "gold.jsonl")

    return write


def test_a_heading_is_no_leaf_and_the_places_are_those_of_the_list(model, labels):
    result = gold_main(model, labels(), seed=0)
    assert (result.n, result.model["strict"], result.model["accepted"]) == (1, 100, 100)
    assert result.controls["first-listed"].values == {"strict": 0, "accepted": 100}
    assert result.controls["heaviest"]["strict"] == result.controls["named-in-title"]["strict"] == 100
    assert 0 < result.controls["random-tree"]["strict"] < 100
    assert gold_main(model, labels(main=[2], ok=[]), seed=0).model["accepted"] == 0


def test_in_a_shuffled_list_each_leaf_keeps_its_line(model, labels):
    (text,) = model.texts
    order = [2, 0, 1]  # apples, water, salt
    shuffled = replace(text, ingredients=[text.ingredients[place] for place in order])
    tree = Tree.left(shuffled.ingredients)
    parts = {"texts": [shuffled], "ingredient_trees": [tree], "orders": [order]}
    result = gold_main(SimpleNamespace(**parts), labels(), seed=0)
    assert result.model.values == {"strict": 0, "accepted": 0}  # salt
    for name in ("first-listed", "heaviest", "named-in-title"):
        assert result.controls[name]["strict"] == 100


def test_the_word_of_the_first_sentence_of_a_step_counts(model, labels):
    result = gold_actions(model, labels(), seed=0)
    assert (result.n, result.model["right"]) == (2, 50)  # peel, now
    assert result.controls["first-word"]["right"] == 50
    assert result.controls["first-verb"]["right"] == 100
    unlabelled = gold_actions(model, labels(actions={"step0": ["core"], "step2": []}), seed=0)
    assert (unlabelled.n, unlabelled.model["right"]) == (1, 0)


def test_files_that_are_no_labels(tmp_path):
    with pytest.raises(ChefError, match="no such file"):
        read_labels(tmp_path / "none.jsonl")
    (tmp_path / "other.jsonl").write_text('{"id": "pie"}\n')
    with pytest.raises(ChefError, match="not a file of labels"):
        read_labels(tmp_path / "other.jsonl")
