from __future__ import annotations

import torch

from chef.model.heads import Heads


def test_points_of_length_one() -> None:
    heads = Heads(recipe=18, image=7, space=16)
    for points in (heads.embed_recipes(torch.randn(5, 18) * 100), heads.embed_images(torch.randn(5, 7))):
        assert points.shape == (5, 16)
        torch.testing.assert_close(points.norm(dim=1), torch.ones(5))


def test_only_the_middle_layer_is_shared() -> None:
    heads = Heads(recipe=18, image=7, space=16)
    heads.embed_recipes(torch.randn(5, 18))[:, 0].sum().backward()
    taught = {name for name, value in heads.named_parameters() if value.grad is not None}
    assert {"shared.weight", "recipe.first.weight", "recipe.last.weight"} <= taught
    assert not any(name.startswith("image.") for name in taught)
    heads.zero_grad()
    heads.embed_images(torch.randn(5, 7))[:, 0].sum().backward()
    assert heads.shared.weight.grad is not None
    assert heads.image.first.weight.grad is not None


def test_three_fully_connected_layers_in_plain_formulas() -> None:
    torch.manual_seed(1)
    heads = Heads(recipe=6, image=4, space=8).double()
    x = torch.randn(9, 6, dtype=torch.float64)

    def norm(values: torch.Tensor) -> torch.Tensor:
        return (values - values.mean(0)) / (values.var(0, unbiased=False) + 1e-5).sqrt()

    side = heads.recipe
    first = torch.tanh(norm(x) @ side.first.weight.T + side.first.bias)
    middle = torch.tanh(norm(first @ heads.shared.weight.T + heads.shared.bias))
    last = middle @ side.last.weight.T + side.last.bias
    torch.testing.assert_close(heads.embed_recipes(x), last / last.norm(dim=1, keepdim=True))


def test_half_precision_still_gives_length_one() -> None:
    heads = Heads(recipe=18, image=7, space=64)
    with torch.autocast("cpu", torch.bfloat16):
        points = heads.embed_recipes(torch.randn(5, 18))
    torch.testing.assert_close(points.norm(dim=1), torch.ones(5))
