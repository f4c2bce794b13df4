import base64
import json
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from chef.evaluate import figures
from chef.evaluate.results import DrawnTree
from chef.evaluate.substitution import Swapper, choose_queries
from chef.typed_json import from_json, to_json
from tests.evaluate.dishes import dishes, evaluated, population
from tests.evaluate.test_substitution import TOKENS, top


@pytest.fixture(scope="module")
def model():
    return evaluated("t+t+l", population(dishes(40)))


@pytest.fixture
def quick(monkeypatch):
    """t-SNE itself is tested with `chef.measure.projection`."""
    monkeypatch.setattr(figures, "tsne", lambda vectors: vectors[:, :2])


def test_both_modalities_lie_on_one_plane(model, quick, monkeypatch):
    monkeypatch.setattr(figures, "PAIRS", 10)
    plane = figures.space(model, seed=0)
    rows = [model.population.ids.index(one) for one in plane.ids]
    assert len(set(rows)) == 10
    np.testing.assert_allclose(plane.points["image"], model.images[rows, :2], atol=1e-3)
    np.testing.assert_allclose(plane.points["recipe"], model.recipes[rows, :2], atol=1e-3)
    assert figures.space(model, seed=0) == plane
    assert figures.space(model, seed=1).ids != plane.ids


def test_before_and_after_pruning(model, quick):
    plane = figures.pruning_space(model, seed=0)
    assert plane.what == "remove-last 1"
    assert len(plane.ids) == len(plane.points["after"]) == 40
    before, after = (np.array(plane.points[name]) for name in ("before", "after"))
    long = [len(model.texts[model.population.ids.index(one)].ingredients) > 1 for one in plane.ids]
    assert np.array_equal((before != after).any(axis=1), long)


def test_ingredient_trees_mark_the_main_ingredient(model):
    trees = figures.ingredient_trees(model, seed=0)
    assert len(trees) == 8
    for drawn in trees:
        row = model.population.ids.index(drawn.id)
        assert drawn.tree == model.ingredient_trees[row]
        assert drawn.kind == "ingredients"
        assert [drawn.tree.tokens[leaf] for leaf in drawn.marked] == [drawn.main]
        assert drawn.main == model.population.recipes[row].ingredients[0].token
        assert drawn.photo.startswith("data:image/jpeg")
    assert from_json(list[DrawnTree], json.loads(json.dumps(to_json(trees))), "") == trees


def test_sentence_trees_mark_the_verbs(model):
    trees = figures.sentence_trees(model, seed=0)
    assert len({drawn.id for drawn in trees}) == len(trees) == 8
    for drawn in trees:
        assert drawn.tree in model.sentence_trees[model.population.ids.index(drawn.id)]
        assert {drawn.tree.tokens[leaf] for leaf in drawn.marked} <= {"fry", "add", "stir"}
        assert drawn.marked[0] == 0


@pytest.fixture(scope="module")
def swapped():
    recipes = dishes(108)
    splits = ["test" if number < 20 else "train" for number in range(108)]
    return evaluated("t+l+l", population(recipes, splits))


def examples(swapped, seed=0):
    queries = choose_queries(swapped.population, None)
    return figures.swap_examples(swapped, queries, seed)


def test_up_to_three_queries_of_each_pair_test_ones_first(swapped):
    shown = examples(swapped)
    pairs = [one.pair for one in shown]
    assert {pair: pairs.count(pair) for pair in pairs}["chicken->fish"] == 3
    assert not any(pair.startswith("apple->") for pair in pairs)  # 12 queries: not in the table either
    seen = [one.query.seen for one in shown if one.pair == "chicken->fish"]
    assert seen == [False] * 3  # there are 6 of the test split
    assert examples(swapped) == shown
    assert examples(swapped, seed=1) != shown


def test_the_dishes_are_what_the_changed_recipe_finds(swapped):
    ids = swapped.population.ids
    for one in examples(swapped)[:6]:
        a, b = one.pair.split("->")
        row = ids.index(one.query.id)
        vector = Swapper(swapped).kept([(row, a, b)])[0].astype(float)
        assert ids.index(one.dishes["recipe-to-image"][0].id) == top(vector, swapped.images, {row})
        assert ids.index(one.dishes["recipe-to-recipe"][0].id) == top(vector, swapped.recipes, {row})
        for dish in one.dishes["recipe-to-image"] + one.dishes["recipe-to-recipe"]:
            place = ids.index(dish.id)
            recipe = swapped.population.recipes[place]
            assert (dish.title, dish.photo) == (
                recipe.title,
                figures.thumbnail(swapped.population.photos(place)),
            )
            assert dish.contains == bool({item.token for item in recipe.ingredients} & TOKENS[b])
            assert dish.seen == (swapped.population.splits[place] == "train")
        assert {len(dishes) for dishes in one.dishes.values()} == {5}


@pytest.mark.parametrize(("size", "shown"), [((900, 600), (160, 107)), ((50, 40), (50, 40))])
def test_a_thumbnail_is_a_jpeg_in_a_data_address_and_never_enlarged(size, shown):
    out = BytesIO()
    Image.new("RGB", size, "orange").save(out, "PNG")
    kind, _, data = figures.thumbnail(out.getvalue()).partition(",")
    image = Image.open(BytesIO(base64.b64decode(data)))
    assert (kind, image.format, image.size) == ("data:image/jpeg;base64", "JPEG", shown)
