import math

import torch

from chef.train.objectives.acme import Acme, Critic
from tests.train.loss_oracle import embeddings, triplet
from tests.train.objectives.pieces import INGREDIENTS, PAIRS, objective, small_model, step


def parts() -> tuple[Acme, dict[str, torch.Tensor], torch.Tensor]:
    model = small_model("acme")
    own = objective(model)
    given = step()
    [features] = model.image_features(given.batch.images)
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
    wanted = wanted + 0.005 * own.critic_loss(points["images"], points["recipes"], given.noise) / PAIRS
    wanted = wanted + 0.002 * own.translation_loss(**points) / PAIRS
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
    torch.testing.assert_close(own.translation_loss(**points), total)


def test_the_tower_is_only_a_target() -> None:
    own, points, _ = parts()
    features = points["features"].detach().requires_grad_()
    own.translation_loss(points["images"].detach(), points["recipes"], features, points["words"]).backward()
    assert features.grad is None


def critic() -> Critic:
    torch.manual_seed(0)
    return Critic(4, penalty=10.0).double()


def test_points_get_the_gradient_reversed_gradient_and_the_critic_its_own() -> None:
    images, recipes = embeddings(5, 4, 0)
    judge, plain = critic(), critic()
    judge.weight = 0.0
    judge(images, recipes, torch.full((5,), 0.5)).backward()
    reversed_ = {"images": images.grad.clone(), "recipes": recipes.grad.clone()}
    images.grad = recipes.grad = None
    (plain.score(recipes).sum() - plain.score(images).sum()).backward()
    torch.testing.assert_close(reversed_, {"images": -images.grad, "recipes": -recipes.grad})
    assert recipes.grad.abs().max() > 0
    for mine, its in zip(judge.score.parameters(), plain.score.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, its.grad)


def test_penalty_by_hand() -> None:
    """The slope of the score written out: the last layer's weights, through the corner, times the first's."""
    images, recipes = embeddings(5, 4, 0)
    judge = critic()
    between = torch.linspace(0.1, 0.9, 5).double()
    first, _, last = judge.score
    total = torch.zeros(()).double()
    for i in range(5):
        point = between[i] * images[i] + (1 - between[i]) * recipes[i]
        middle = first.weight @ point + first.bias
        slope = (last.weight[0] * torch.where(middle > 0, 1.0, 0.2)) @ first.weight
        total = total + (slope.norm() - 1) ** 2
    penalty = judge.penalty(images, recipes, between)
    torch.testing.assert_close(penalty, total)
    penalty.backward()
    assert images.grad is recipes.grad is None  # it teaches the critic alone
    mine = first.weight.grad.clone()
    judge.zero_grad()
    total.backward()
    torch.testing.assert_close(mine, first.weight.grad)
