from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from PIL import Image

from chef.data.batches import recipe_batch
from chef.index import Index
from chef.model.artefact import load
from chef.model.joint import JointModel
from chef.model.recipe_encoder import Merges
from chef.recipe import Recipe
from chef.serve.shared_chef import SharedChef, joined, parted
from tests.model.small_words import config_of, fill_table
from tests.serve.small import recipe_json, write_model


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return load(write_model(tmp_path_factory.mktemp("model") / "made"))


@pytest.fixture
def shared(plain):
    sizes = []
    made = SharedChef(plain, window=0.5, most=8, watch=lambda kind, size: sizes.append((kind, size)))
    made.sizes = sizes
    yield made
    made.thread.close()


def recipes():
    long = ["2 apples", "300 g beef", "1 cup rice", "3 carrots", "100 g green beans"]
    return [
        Recipe.from_json({"id": "a", **recipe_json()}),
        Recipe.from_json(
            {"id": "b", "title": "Apples", "ingredients": long, "instructions": ["Fry. Serve."]}
        ),
        Recipe.from_json({"id": "c", "title": "Nothing else"}),
    ]


def test_embeds_of_many_threads_meet_and_are_the_same_as_alone(plain, shared):
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda recipe: shared.embed_recipes([recipe])[0], recipes()))
    assert shared.sizes == [("recipe", 3)]
    np.testing.assert_allclose(together, [plain.embed_recipes([r])[0] for r in recipes()], atol=1e-6)


def test_photos_of_many_threads_meet(plain, shared):
    photos = [Image.new("RGB", (40, 40), colour) for colour in ("red", "green", "blue")]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda photo: shared.embed_images([photo])[0], photos))
    assert shared.sizes == [("photo", 3)]
    np.testing.assert_allclose(together, plain.embed_images(photos), atol=1e-5)


def test_trees_are_the_same(plain, shared):
    for recipe in recipes():
        assert shared.explain(recipe) == plain.explain(recipe)


def test_kept_trees_go_through(plain, shared):
    batch = shared.batch([shared.read(recipe) for recipe in recipes()[:1]])
    merges = shared.model.trees(batch)
    kept = shared.model.embed_recipes(batch, merges=Merges(merges.ingredients, None, None))
    np.testing.assert_allclose(kept.numpy(), plain.embed_recipes(recipes()[:1]), atol=1e-6)


def test_a_collection_takes_it_for_its_own_model(collection, plain):
    index = Index(collection)
    shared = SharedChef(index.chef, window=0.0, most=8)
    assert Index(collection, shared).search(text="rice", k=1)[0].id
    shared.thread.close()


@pytest.mark.parametrize("name", ["t+t+l", "chef-base"])
def test_batches_joined_and_parted_are_what_they_were(plain, name):
    model = plain.model
    if name != "t+t+l":
        torch.manual_seed(0)
        model = JointModel(config_of(name, vocabulary=10, word=6, hidden=8, space=12)).eval()
        fill_table(model.recipe.context)
    words = [
        {"title": [3, 4, 5], "ingredients": [6], "sentences": [[2, 3], [4]]},
        {"title": [3], "ingredients": [6, 7, 8, 9], "sentences": [[2, 3, 4, 5, 6]]},
        {"title": [9, 2], "ingredients": [], "sentences": []},
    ]
    batches = [recipe_batch(words[:2]), recipe_batch(words[2:])]
    whole = recipe_batch(words)
    for name in whole.__dataclass_fields__:
        assert torch.equal(getattr(joined(batches), name), getattr(whole, name))
    with torch.no_grad():
        parts = parted(model.encode_recipes(whole), batches)
        for part, batch in zip(parts, batches, strict=True):
            alone = model.encode_recipes(batch)
            torch.testing.assert_close(part.vector, alone.vector, atol=1e-6, rtol=0)
            for got, wanted in zip(part.merges, alone.merges, strict=True):
                assert (got is None) == (wanted is None)
                assert got is None or got.shape == wanted.shape
