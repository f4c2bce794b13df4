from __future__ import annotations

import torch

from chef.train.objectives.critic import Critic, turned_round
from tests.train.loss_oracle import embeddings


def critic() -> Critic:
    torch.manual_seed(0)
    return Critic(4, penalty=10.0).double()


def test_points_get_the_gradient_turned_round_and_the_critic_its_own() -> None:
    images, recipes = embeddings(5, 4, 0)
    judge, plain = critic(), critic()
    judge.weight = 0.0
    judge(images, recipes, torch.full((5,), 0.5)).backward()
    turned = {"images": images.grad.clone(), "recipes": recipes.grad.clone()}
    images.grad = recipes.grad = None
    (plain.score(recipes).sum() - plain.score(images).sum()).backward()
    torch.testing.assert_close(turned, {"images": -images.grad, "recipes": -recipes.grad})
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
    found = judge.penalty(images, recipes, between)
    torch.testing.assert_close(found, total)
    found.backward()
    mine = first.weight.grad.clone()
    judge.zero_grad()
    total.backward()
    torch.testing.assert_close(mine, first.weight.grad)


def test_the_points_feel_nothing_of_the_penalty() -> None:
    images, recipes = embeddings(5, 4, 0)
    critic().penalty(images, recipes, torch.full((5,), 0.5)).backward()
    assert images.grad is None
    assert recipes.grad is None


def test_critic_learns_to_tell_and_the_points_to_hide() -> None:
    images, recipes = embeddings(16, 4, 0)
    images = (images.detach() + 1).requires_grad_()
    judge = critic()

    def apart() -> float:
        with torch.no_grad():
            return float(judge.score(images).mean() - judge.score(recipes).mean())

    before = apart()
    optimizer = torch.optim.Adam(judge.parameters(), 0.01)
    for _ in range(60):
        optimizer.zero_grad()
        judge(images, recipes, torch.full((16,), 0.5)).backward()
        optimizer.step()
    told = apart()
    assert told > before + 0.5
    points = torch.optim.Adam([images, recipes], 0.05)
    for _ in range(60):
        points.zero_grad()
        judge(images, recipes, torch.full((16,), 0.5)).backward()
        points.step()
    assert apart() < told / 2


def test_turned_round_changes_nothing_forward() -> None:
    x = torch.randn(3, requires_grad=True)
    y = turned_round(x)
    assert torch.equal(x, y)
    y.sum().backward()
    assert torch.equal(x.grad, -torch.ones(3))
