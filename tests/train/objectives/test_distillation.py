import math
from pathlib import Path

import numpy as np
import pytest
import torch

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import load
from chef.train.distributed import Gallery
from chef.train.loop import train
from chef.train.objectives.base import Embeddings
from chef.train.objectives.distillation import Distillation, teacher_embeddings
from chef.train.start import same_vocabulary
from tests.train.conftest import assert_resumes, new_trainer, small
from tests.train.objectives.pieces import PAIRS, small_model, step, teachers


def chances(row: list[float], temperature: float) -> list[float]:
    weights = [math.exp(value / temperature) for value in row]
    return [weight / sum(weights) for weight in weights]


def by_hand(images: torch.Tensor, recipes: torch.Tensor, temperature: float) -> float:
    """Anchor by anchor, item by item."""
    known = teachers()
    total = 0.0
    for side, (anchors, others) in enumerate(((images, recipes), (recipes, images))):
        for i in range(PAIRS):
            wanted = [
                sum(float(of[side][i] @ of[1 - side][j]) for of in known) / len(known) for j in range(PAIRS)
            ]
            student = [float(anchors[i] @ others[j]) for j in range(PAIRS)]
            pairs = zip(chances(wanted, temperature), chances(student, temperature), strict=True)
            total += sum(p * math.log(p / q) for p, q in pairs)
    return total / (2 * PAIRS)


@torch.no_grad()
def test_divergence_by_hand():
    model, given = small_model("t+l+l").eval(), step()
    images, recipes = model.embed_images(given.batch.images), model.embed_recipes(given.batch.recipes)
    embeddings = Embeddings(images, recipes, None, Gallery(images, recipes))
    value = Distillation(teachers(), 0.1)(model, given, embeddings)
    assert value > 0.01
    torch.testing.assert_close(float(value), by_hand(images, recipes, 0.1))


def test_a_checkpoint_need_not_hold_what_teachers_say():
    assert not Distillation(teachers(), 0.05).state_dict()


@pytest.fixture(scope="module")
def teacher(prepared, tmp_path_factory) -> Path:
    run = tmp_path_factory.mktemp("teacher") / "run"
    train(Prepared(prepared), small(model="s+l+l", epochs=1), run)
    return run


def test_teacher_embeddings_are_those_of_the_loaded_model(prepared, teacher):
    data = Prepared(prepared)
    ((images, recipes),) = teacher_embeddings(str(teacher), data, torch.device("cpu"))
    split, chef = data.split("train"), load(teacher)
    assert len(images) == len(recipes) == len(split)
    photos = [split.recipe(i).images[0] for i in range(3)]
    np.testing.assert_allclose(images[:3], chef.embed_images(photos), atol=1e-5)
    wanted = chef.embed_recipes([split.recipe(i) for i in range(3)])
    np.testing.assert_allclose(recipes[:3], wanted, atol=1e-5)


def test_a_student_of_two_teachers_resumes_with_the_same_bits(prepared, teacher, tmp_path):
    data = Prepared(prepared)
    taught = {"distill": f"{teacher}, {teacher}", "distill_weight": 3.0, "freeze_epochs": 0}
    settings = small(model="s+l+l", epochs=1, seed=1, **taught)
    objective = new_trainer(data, settings, tmp_path / "built").objective
    assert objective.weights == [3.0]
    assert isinstance(objective.additions[0], Distillation)
    assert_resumes(data, settings, tmp_path)


def test_a_teacher_with_another_vocabulary_is_refused(prepared_with_texts, teacher, tmp_path):
    data = Prepared(prepared_with_texts)
    assert not same_vocabulary(teacher / "best", data)
    with pytest.raises(ChefError, match="has another vocabulary"):
        train(data, small(distill=str(teacher)), tmp_path / "run")
    with pytest.raises(ChefError, match="no model in"):
        train(data, small(distill="nowhere"), tmp_path / "other")
