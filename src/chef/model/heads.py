"""From encoder features to the shared space: three fully connected layers, the middle one shared."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.noise import Noise
from chef.model.norm import BatchNorm


class Heads(nn.Module):
    """The FC stacks of recipes and images, both to L2-normalised points of the shared space.

    The paper: FC, an FC shared by both sides, FC, each as wide as the space; "the role of the shared
    layer is to align the mean and standard deviation" of both. So each side's features are normalised
    before its first layer (they come in very different scales), and again after the shared layer,
    where per-side batch norm is what aligns mean and deviation; tanh between layers as in the
    published code:

        batch norm - FC - tanh - shared FC - batch norm - tanh - FC - L2

    Nothing here is random, so the noise that other heads take has no use.
    """

    def __init__(self, recipe: int, image: int, space: int) -> None:
        super().__init__()
        self.shared = nn.Linear(space, space)
        self.recipe = _Side(recipe, space)
        self.image = _Side(image, space)

    def embed_recipes(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, recipe) -> (B, space), of length 1."""
        return self.recipe(features, self.shared)  # type: ignore[no-any-return]

    def embed_images(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, image) -> (B, space), of length 1."""
        return self.image(features, self.shared)  # type: ignore[no-any-return]


class _Side(nn.Module):
    def __init__(self, inputs: int, space: int) -> None:
        super().__init__()
        self.scale = BatchNorm(inputs)
        self.first = nn.Linear(inputs, space)
        self.align = BatchNorm(space)
        self.last = nn.Linear(space, space)

    def forward(self, features: Tensor, shared: nn.Linear) -> Tensor:
        middle = shared(torch.tanh(self.first(self.scale(features))))
        return unit(self.last(torch.tanh(self.align(middle))))


def unit(x: Tensor) -> Tensor:
    """Each row of x (B, D) at length 1. Half precision would leave lengths 1 % away from 1."""
    return F.normalize(x.float() if x.dtype != torch.float64 else x, dim=-1)


def mean_point(points: Sequence[Tensor]) -> Tensor:
    """The mean of several points (B, D) of each item, at length 1; a single one as it is."""
    return points[0] if len(points) == 1 else unit(torch.stack(list(points)).mean(0))
