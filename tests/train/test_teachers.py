from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import load
from chef.train.loop import train
from chef.train.teachers import reads_alike, teacher_points
from tests.train.conftest import small
from tests.train.test_every_model import stopped
from tests.train.test_loop import assert_equal


@pytest.fixture(scope="module")
def teacher(prepared, tmp_path_factory) -> Path:
    run = tmp_path_factory.mktemp("teacher") / "run"
    train(Prepared(prepared), small(model="s+l+l", epochs=1), run)
    return run


def test_points_are_those_of_the_loaded_model(prepared, teacher):
    data = Prepared(prepared)
    ((images, recipes),) = teacher_points(str(teacher), data, torch.device("cpu"))
    split, chef = data.split("train"), load(teacher)
    assert len(images) == len(recipes) == len(split)
    photos = [split.recipe(i).images[0] for i in range(3)]
    np.testing.assert_allclose(images[:3], chef.embed_images(photos), atol=1e-5)
    wanted = chef.embed_recipes([split.recipe(i) for i in range(3)])
    np.testing.assert_allclose(recipes[:3], wanted, atol=1e-5)


def test_a_student_of_two_teachers_goes_on_with_the_same_bits(prepared, teacher, tmp_path):
    data = Prepared(prepared)
    settings = small(model="s+l+l", distill=f"{teacher}, {teacher}", epochs=1, freeze_epochs=0, seed=1)
    train(data, settings, tmp_path / "whole")
    stopped(data, settings, tmp_path / "cut")
    train(data, settings, tmp_path / "cut")
    assert_equal(tmp_path / "whole", tmp_path / "cut")


def test_a_student_grows_like_its_teacher(prepared, teacher, tmp_path):
    """Taught by similarities alone, its photos see the recipes more as the teacher's do."""
    data = Prepared(prepared)
    ((images, recipes),) = teacher_points(str(teacher), data, torch.device("cpu"))
    wanted = (images @ recipes.T).flatten()
    likeness = []
    for name, weight in (("alone", 0.0), ("taught", 30.0)):
        settings = small(
            model="s+l+l", distill=str(teacher), distill_weight=weight, seed=1, epochs=4, freeze_epochs=0
        )
        train(data, settings, tmp_path / name)
        ((images, recipes),) = teacher_points(str(tmp_path / name), data, torch.device("cpu"))
        likeness.append(float(torch.corrcoef(torch.stack([wanted, (images @ recipes.T).flatten()]))[0, 1]))
    assert likeness[1] > likeness[0] + 0.1


def test_a_teacher_with_other_words_is_refused(prepared_with_texts, teacher, tmp_path):
    data = Prepared(prepared_with_texts)
    assert not reads_alike(teacher / "best", data)
    with pytest.raises(ChefError, match="reads other words"):
        train(data, small(distill=str(teacher)), tmp_path / "run")
    with pytest.raises(ChefError, match="no model in"):
        train(data, small(distill="nowhere"), tmp_path / "other")
