from __future__ import annotations

import json

import numpy as np
import pytest

from chef.evaluate import figures
from chef.model.tree import Tree
from tests.evaluate.dishes import dishes, population, subject


@pytest.fixture(scope="module")
def model():
    return subject("t+t+l", population(dishes(40)))


@pytest.fixture
def quick(monkeypatch):
    """t-SNE itself is tested with `chef.measure.projection`."""
    monkeypatch.setattr(figures, "tsne", lambda vectors: vectors[:, :2])


def test_both_modalities_lie_on_one_plane(model, quick, monkeypatch):
    monkeypatch.setattr(figures, "PAIRS", 10)
    found = figures.space(model, seed=0)
    rows = [model.population.ids.index(one) for one in found["ids"]]
    assert len(set(rows)) == 10
    np.testing.assert_allclose(found["image"], model.images[rows, :2], atol=1e-3)
    np.testing.assert_allclose(found["recipe"], model.recipes[rows, :2], atol=1e-3)
    assert figures.space(model, seed=0) == found
    assert figures.space(model, seed=1)["ids"] != found["ids"]


def test_before_and_after_pruning(model, quick):
    found = figures.pruning_space(model, seed=0)
    assert found["what"] == "remove-last 1"
    assert len(found["ids"]) == len(found["after"]) == 40
    before, after = np.array(found["before"]), np.array(found["after"])
    long = [len(model.texts[model.population.ids.index(one)].ingredients) > 1 for one in found["ids"]]
    assert np.array_equal((before != after).any(axis=1), long)


def test_ingredient_trees_mark_the_main_ingredient(model):
    found = figures.ingredient_trees(model, seed=0)
    assert len(found) == 8
    for shown in found:
        row = model.population.ids.index(shown["id"])
        tree = Tree.from_json(shown["tree"])
        assert tree == model.ingredient_trees[row]
        assert shown["kind"] == "ingredients"
        assert [tree.tokens[leaf] for leaf in shown["marked"]] == [shown["main"]]
        assert shown["main"] == model.population.recipes[row].ingredients[0].token
        assert shown["photo"].startswith("data:image/jpeg")
    assert json.loads(json.dumps(found)) == found


def test_sentence_trees_mark_the_verbs(model):
    found = figures.sentence_trees(model, seed=0)
    assert len({shown["id"] for shown in found}) == len(found) == 8
    for shown in found:
        tree = Tree.from_json(shown["tree"])
        assert tree in model.sentence_trees[model.population.ids.index(shown["id"])]
        assert {tree.tokens[leaf] for leaf in shown["marked"]} <= {"fry", "add", "stir"}
        assert shown["marked"][0] == 0


def test_depths(model):
    assert figures.depths(model)[0].keys() == {"ingredient", "depth", "recipes"}


def test_a_photo_becomes_a_thumbnail_once(model, monkeypatch):
    made = []
    monkeypatch.setattr(figures, "thumbnail", lambda photo: made.append(photo) or "thumb")
    photo = figures.thumbnails(model.population)
    assert [photo(3), photo(3), photo(4)] == ["thumb"] * 3
    assert len(made) == 2
