from __future__ import annotations

import math

import torch

from chef.train.objectives.acme import Acme
from tests.train.loss_oracle import triplet
from tests.train.objectives.pieces import INGREDIENTS, PAIRS, objective, small_model, step


def parts() -> tuple[Acme, dict[str, torch.Tensor], torch.Tensor]:
    model = small_model("acme")
    own = objective(model)
    given = step()
    features = model.image_features(given.batch.images)
    points = {
        "images": model.embed_images(features),
        "recipes": model.embed_recipes(given.batch.recipes),
        "features": features,
        "words": given.batch.recipes.ingredients,
    }
    return own, points, own(model, given)


def test_the_whole_is_the_sum_of_its_weighted_terms() -> None:
    own, points, value = parts()
    given = step()
    groups = given.groups.tolist()
    wanted = triplet(points["images"], points["recipes"], "batch-hard", 0.3, groups=groups)
    wanted = wanted + 0.005 * own.told_apart(points["images"], points["recipes"], given.noise) / PAIRS
    wanted = wanted + 0.002 * own.translated(**points) / PAIRS
    torch.testing.assert_close(value, wanted)


def test_translation_by_hand() -> None:
    own, points, _ = parts()
    total = torch.zeros(()).double()
    for i in range(PAIRS):
        apart = own.picture(points["recipes"][i]) - points["features"][i]
        smooth = torch.where(apart.abs() < 1, apart**2 / 2, apart.abs() - 0.5)
        total = total + smooth.mean()
        scores = own.ingredients(points["images"][i]).detach()
        chances = 1 / (1 + (-scores).exp())
        inside = [word in points["words"][i].tolist() for word in INGREDIENTS]
        losses = [-math.log(p if there else 1 - p) for p, there in zip(chances, inside, strict=True)]
        total = total + sum(losses) / len(losses)
    torch.testing.assert_close(own.translated(**points), total)


def test_the_tower_is_a_target_not_a_pupil() -> None:
    own, points, _ = parts()
    features = points["features"].detach().requires_grad_()
    own.translated(points["images"].detach(), points["recipes"], features, points["words"]).backward()
    assert features.grad is None


def test_penalty_is_taken_at_the_samples_own_places() -> None:
    model = small_model("acme")
    own = objective(model)
    given = step()
    images, recipes = torch.randn(2, PAIRS, 12).double()
    whole = own.told_apart(images, recipes, given.noise)
    halves = [own.told_apart(images[s], recipes[s], step(s).noise) for s in (slice(0, 3), slice(3, 8))]
    torch.testing.assert_close(whole, sum(halves))
