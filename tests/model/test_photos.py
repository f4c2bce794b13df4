import json

import numpy as np
import pytest
import torch

import chef
from chef.bundled import shipped
from chef.errors import ChefError
from chef.model.export import add_photo_graph
from chef.model.folder import read_config
from chef.model.photos import GRAPH, PhotoSide
from tests.index.small import photo, write_model


@pytest.mark.skipif("chef-base" not in shipped(), reason="the bundled model is not here")
def test_the_bundled_photo_side_is_that_of_the_model():
    folder = shipped()["chef-base"]
    config, model = read_config(folder), chef.load("chef-base")
    assert config["fingerprint"] == model.fingerprint, "run experiments/calibrate.py"
    side = PhotoSide(folder, config)
    pictures = [side.transform.evaluate(photo(colour)) for colour in ("red", "white")]
    vectors, features = side.embed([picture.numpy() for picture in pictures])

    images = torch.stack(pictures)
    np.testing.assert_allclose(vectors, model.encoder.embed_tensor(images), atol=1e-5)
    np.testing.assert_allclose(features, model.encoder.image_features(images)[0], atol=1e-3)
    many = model.embed_images([photo("red")] * 5)  # on the photo side, too
    np.testing.assert_array_equal(many, np.repeat(vectors[:1], 5, 0))


@pytest.mark.slow
def test_a_photo_graph_is_added_to_a_model(tmp_path):
    folder = write_model(tmp_path)
    before = chef.load(folder).embed_images([photo("red")])
    assert add_photo_graph(folder) < 1e-5
    model = chef.load(folder)
    assert model.encoder.photos is not None
    np.testing.assert_allclose(model.embed_images([photo("red")]), before, atol=1e-5)
    np.testing.assert_allclose(model.embed_images([photo("red")], views=2).shape, before.shape)  # torch
    (folder / GRAPH).write_bytes(b"")
    with pytest.raises(ChefError, match=f"{GRAPH} is damaged"):
        PhotoSide(folder, json.loads((folder / "config.json").read_text())).embed([np.zeros((3, 64, 64))])
