"""The peers' heads: no layer is shared, each side finds its own way to the space."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from chef.model.heads import Heads, unit
from chef.model.noise import Noise, RandomNoise
from chef.model.norm import BatchNorm
from chef.model.registry import HeadsKind

_DROPOUT = 0.4  # of the afternoon's MLPs
_RECIPE_NOISE, _IMAGE_NOISE = 3, 4  # parts of the sample's noise; the encoders have 0 to 2


def build_heads(kind: HeadsKind, recipe: int, image: int, space: int) -> Heads | SeparateHeads:
    """The heads of a registry entry for recipe and image features of these widths."""
    if kind == "shared":
        return Heads(recipe, image, space)
    sides = {"single": _Single, "aligned": _Aligned, "linear": _Linear, "mlp": _MLP}
    return SeparateHeads(sides[kind](recipe, space), sides[kind](image, space))


class SeparateHeads(nn.Module):
    """One side for recipes, one for images, both to L2-normalised points."""

    def __init__(self, recipe: nn.Module, image: nn.Module) -> None:
        super().__init__()
        self.recipe = recipe
        self.image = image

    def embed_recipes(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, recipe) -> (B, space), of length 1. noise: where training's dropout comes from."""
        return unit(self.recipe(features, noise.part(_RECIPE_NOISE) if noise else None))

    def embed_images(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, image) -> (B, space), of length 1. noise: where training's dropout comes from."""
        return unit(self.image(features, noise.part(_IMAGE_NOISE) if noise else None))


class _Linear(nn.Module):
    """H-T: one FC."""

    def __init__(self, inputs: int, space: int) -> None:
        super().__init__()
        self.only = nn.Linear(inputs, space)

    def forward(self, features: Tensor, noise: Noise | None) -> Tensor:
        out: Tensor = self.only(features)
        return out


class _Single(_Linear):
    """pic2rec: FC, tanh."""

    def forward(self, features: Tensor, noise: Noise | None) -> Tensor:
        return torch.tanh(super().forward(features, noise))


class _Aligned(_Single):
    """ACME: FC, tanh, L2, batch norm. What is searched is the L2-normalised result."""

    def __init__(self, inputs: int, space: int) -> None:
        super().__init__(inputs, space)
        self.align = BatchNorm(space)

    def forward(self, features: Tensor, noise: Noise | None) -> Tensor:
        out: Tensor = self.align(unit(super().forward(features, noise)))
        return out


class _MLP(nn.Module):
    """The afternoon's: FC, ReLU, dropout, FC, with dropout that belongs to the sample."""

    def __init__(self, inputs: int, space: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, space)
        self.last = nn.Linear(space, space)

    def forward(self, features: Tensor, noise: Noise | None) -> Tensor:
        middle = torch.relu(self.first(features))
        if self.training:
            middle = (noise or RandomNoise()).dropout(middle[:, None], _DROPOUT)[:, 0]
        out: Tensor = self.last(middle)
        return out
