from __future__ import annotations

import math

import torch

from chef.train.gather import Gallery
from chef.train.objectives.base import Points
from chef.train.objectives.distillation import Distillation
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
            found = [float(anchors[i] @ others[j]) for j in range(PAIRS)]
            pairs = zip(chances(wanted, temperature), chances(found, temperature), strict=True)
            total += sum(p * math.log(p / q) for p, q in pairs)
    return total / (2 * PAIRS)


@torch.no_grad()
def test_divergence_by_hand():
    model, given = small_model("t+l+l").eval(), step()
    images, recipes = model.embed_images(given.batch.images), model.embed_recipes(given.batch.recipes)
    points = Points(images, recipes, None, Gallery(images, recipes))
    found = Distillation(teachers(), 0.1)(model, given, points)
    assert found > 0.01
    torch.testing.assert_close(float(found), by_hand(images, recipes, 0.1))


def test_a_student_like_its_only_teacher_has_nothing_to_learn():
    known = teachers(1)
    images, recipes = known[0]
    points = Points(images, recipes, None, Gallery(images, recipes))
    given = step()
    found = Distillation(known, 0.05)(small_model("t+l+l"), given, points)
    torch.testing.assert_close(found, torch.zeros_like(found), rtol=0, atol=1e-12)


def test_a_checkpoint_need_not_hold_what_teachers_say():
    assert not Distillation(teachers(), 0.05).state_dict()
