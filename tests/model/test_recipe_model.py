from __future__ import annotations

import numpy as np
import torch
from PIL import Image

import chef
from tests.model.test_artefact import RECIPE, prepared, write  # noqa: F401


def test_many_are_embedded_as_each_alone_and_threads_stay_as_they_were(tmp_path, prepared):  # noqa: F811
    write(tmp_path / "model", prepared)
    model = chef.load(tmp_path / "model")
    threads = torch.get_num_threads()
    draw = np.random.default_rng(0)
    photos = [Image.fromarray(draw.integers(0, 255, (90, 120, 3), np.uint8)) for _ in range(19)]
    alone = np.concatenate([model.embed_images([photo]) for photo in photos])
    np.testing.assert_allclose(model.embed_images(photos), alone, atol=1e-5)
    recipes = [RECIPE, *(prepared.split("train").recipe(place) for place in range(5))]
    alone = np.concatenate([model.embed_recipes([recipe]) for recipe in recipes])
    np.testing.assert_allclose(model.embed_recipes(recipes), alone, atol=1e-5)
    assert torch.get_num_threads() == threads
