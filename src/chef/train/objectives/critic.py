"""A critic of modalities after Wasserstein GANs with a gradient penalty (Gulrajani et al. 2017).

It scores points; it wants pictures to score high and recipes low. Gradients are turned round between the
critic and the points, so in one backward pass the critic learns to tell the two apart and the points learn
to look alike: no second optimizer, nothing that alternates.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class Critic(nn.Module):
    """The loss of a small MLP that tells pictures from recipes. It minimises it, the points maximise it."""

    def __init__(self, space: int, penalty: float = 10.0) -> None:
        super().__init__()
        self.weight = penalty
        self.score = nn.Sequential(nn.Linear(space, space), nn.LeakyReLU(0.2), nn.Linear(space, 1))

    def forward(self, images: Tensor, recipes: Tensor, between: Tensor) -> Tensor:
        """Summed over the pairs. images, recipes: (B, space); between: (B,), 0 to 1, for the penalty."""
        # The gradient's own gradient is too fine for half precision.
        with torch.autocast(images.device.type, enabled=False):
            low, high = self.score(turned_round(recipes)).sum(), self.score(turned_round(images)).sum()
            value: Tensor = low - high + self.weight * self.penalty(images, recipes, between)
        return value

    def penalty(self, images: Tensor, recipes: Tensor, between: Tensor) -> Tensor:
        """(|gradient of the score| - 1)^2 at a point between each picture and its recipe, summed.

        It keeps the critic from growing without bound; the points themselves feel nothing of it.
        """
        share = between[:, None].to(images.dtype)
        points = (share * images.detach() + (1 - share) * recipes.detach()).requires_grad_()
        (slope,) = torch.autograd.grad(self.score(points).sum(), points, create_graph=True)
        value: Tensor = (slope.norm(dim=1) - 1).square().sum()
        return value


def turned_round(x: Tensor) -> Tensor:
    """x itself, whose gradient comes back with its sign turned round."""
    return _TurnedRound.apply(x)  # type: ignore[no-any-return,no-untyped-call]


class _TurnedRound(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return -gradients[0]
