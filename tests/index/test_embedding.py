from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

import chef
from chef.errors import ChefError
from chef.index.values import encode_recipes
from chef.teacher.actions import SURE
from tests.index.small import photo, recipe, recipes, write_model


def test_one_pass_says_what_embedding_and_explaining_say(model):
    loaded = chef.load(model)
    given = [*recipes(), recipe("bare", "Bare", [], [""])]
    encoded = encode_recipes(loaded, given)
    np.testing.assert_allclose(
        np.stack([one.vector for one in encoded]), loaded.embed_recipes(given), atol=1e-6
    )
    for source, one in zip(given, encoded, strict=True):
        explanation = loaded.explain(source)
        assert one.main_ingredient == explanation.main_ingredient
        actions = [step.action for step in explanation.steps if step.confidence >= SURE]
        assert one.actions == list(dict.fromkeys(actions))


def test_what_people_are_told_needs_no_trees(tmp_path):
    loaded = chef.load(write_model(tmp_path, "s+l+l"))
    one = encode_recipes(loaded, recipes()[:1])[0]
    assert (one.main_ingredient, one.actions) == ("chicken_thighs", ["fry"])


def test_a_photo_is_the_same_point_by_path_bytes_and_picture(model, tmp_path):
    loaded = chef.load(model)
    data = photo("green", kind="PNG")
    (tmp_path / "dish.png").write_bytes(data)
    wanted = loaded.embed_images([tmp_path / "dish.png"])[0]
    for given in (tmp_path / "dish.png", str(tmp_path / "dish.png"), data, Image.open(BytesIO(data))):
        np.testing.assert_allclose(loaded.embed_images([given])[0], wanted, atol=1e-6)
    np.testing.assert_allclose(loaded.encoder.embed_photos([data] * 11), np.stack([wanted] * 11), atol=1e-6)
    assert loaded.encoder.embed_photos([]).shape == (0, 24)


@pytest.mark.parametrize("data", [b"", b"plain text", photo("red")[:200], photo("red", (4000, 8), "PNG")])
def test_what_is_no_photo_is_an_error_in_one_line(model, data):
    with pytest.raises(ChefError, match="the photo: "):
        chef.load(model).embed_images([data])


NO_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")


@pytest.mark.parametrize(("device", "tolerance"), [("cpu:0", 0), pytest.param("cuda:0", 1e-2, marks=NO_GPU)])
def test_a_twin_says_the_same(model, device, tolerance):
    loaded = chef.load(model)
    assert loaded.to("cpu") is loaded
    twin = loaded.to(device)
    assert twin.model is not loaded.model
    assert (loaded.encoder.device.type, twin.encoder.device.type) == ("cpu", device.split(":")[0])
    for one, other in zip(encode_recipes(loaded, recipes()), encode_recipes(twin, recipes()), strict=True):
        assert (one.main_ingredient, one.actions) == (other.main_ingredient, other.actions)
        np.testing.assert_allclose(one.vector, other.vector, rtol=0, atol=tolerance / 10)
    photos = [photo(colour) for colour in ("red", "green", "orange")]
    ours, theirs = loaded.encoder.embed_photos(photos), twin.encoder.embed_photos(photos)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance)
