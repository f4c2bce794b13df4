"""Heads that share no layer, as the peers have them: each side finds its own way to the space.

And those of several models in one, which are heads side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn

from chef.errors import ChefError
from chef.model.heads import Heads, unit
from chef.model.noise import Noise, RandomNoise
from chef.model.norm import BatchNorm
from chef.model.registry import HeadsKind

_DROPOUT = 0.4  # of the afternoon's MLPs
_RECIPE_NOISE, _IMAGE_NOISE = 3, 4  # parts of the sample's noise; the encoders have 0 to 2


def build_heads(
    kind: HeadsKind,
    recipe: int,
    image: int,
    space: int,
    word: int = 0,
    named: bool = False,
    readings: Sequence[int] = (),
) -> Heads | SeparateHeads | MemberHeads:
    """The heads of a registry entry for recipe and image features of these widths.

    word: length of MiniLM's vectors; named: whether the image's features end with the dish's name in such a
    vector. A tower that names no dishes leaves named heads with their MLPs. readings: how wide the recipe's
    features are from each of several models in one, MiniLM's last.
    """
    if kind == "shared":
        return Heads(recipe, image, space)
    if kind == "members":
        return MemberHeads(readings, image, space, word, named)
    if kind == "named":
        return _named(recipe, image, space, word) if named else build_heads("mlp", recipe, image, space)
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


class MemberHeads(nn.Module):
    """Several models that share a tower, each with its share of the space: a cosine is the mean of theirs.

    The readers see the photo; the last of all, which reads with MiniLM, sees the dish's name too. They err
    differently, so together they err less. Each has a loss of its own (`shares`), or they would learn as one.
    """

    def __init__(self, readings: Sequence[int], image: int, space: int, word: int, named: bool) -> None:
        super().__init__()
        self.members = len(readings)
        if space % self.members:
            raise ChefError(
                f"a space of {space} dimensions cannot be shared by {self.members} models",
                f"give a multiple of {self.members}",
            )
        share = space // self.members
        self._readings = list(readings)
        self._seen = image - word if named else image
        self.readers = nn.ModuleList(Heads(width, self._seen, share) for width in readings[:-1])
        self.context = build_heads("named", readings[-1], image, share, word, named)

    def embed_recipes(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, recipe) -> (B, space), of length 1."""
        *read, context = torch.split(features, self._readings, dim=1)
        points = [
            cast(Heads, head).embed_recipes(part) for head, part in zip(self.readers, read, strict=True)
        ]
        return joined(*points, self.context.embed_recipes(context, noise))

    def embed_images(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, image) -> (B, space), of length 1."""
        points = [cast(Heads, head).embed_images(features[:, : self._seen]) for head in self.readers]
        return joined(*points, self.context.embed_images(features, noise))


def joined(*points: Tensor) -> Tensor:
    """Points (B, D) of several models as one (B, models x D) of length 1, its cosines the mean of theirs."""
    return torch.cat(points, 1) / math.sqrt(len(points))


def shares(points: Tensor, members: int) -> tuple[Tensor, ...]:
    """The points of length 1 that `joined` made one of."""
    return (points * math.sqrt(members)).chunk(members, dim=1)


def _named(recipe: int, image: int, space: int, word: int) -> SeparateHeads:
    sides = _Named(recipe, space, slice(0, word)), _Named(image, space, slice(image - word, image))
    # One matrix for both at the start: what lies together among word vectors lies together in the space.
    sides[1].name.weight.data.copy_(sides[0].name.weight.data)
    return SeparateHeads(*sides)


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


class _Named(_MLP):
    """chef-base's: the afternoon's MLP, and past it a straight way for the dish's name.

    The title of a recipe and the name that a tower gives to a photo are vectors of the same words. Both go
    into the space by the same matrix, and the MLP starts at zero: before the first step a photo and a
    recipe meet by the name alone, and training has to learn only what the name leaves out.
    """

    def __init__(self, inputs: int, space: int, place: slice) -> None:
        super().__init__(inputs, space)
        self.place = place
        self.name = nn.Linear(place.stop - place.start, space, bias=False)
        nn.init.orthogonal_(self.name.weight)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, features: Tensor, noise: Noise | None) -> Tensor:
        name: Tensor = self.name(unit(features[:, self.place]).to(features.dtype))
        return name + super().forward(features, noise)
