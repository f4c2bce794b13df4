"""Heads: from encoder features to the shared space.

The paper's three fully connected layers with a shared one in the middle, the separate heads of its peers, and
heads of several models side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.batch_norm import BatchNorm
from chef.model.noise import Noise, RandomNoise
from chef.model.registry import HeadsKind

_DROPOUT = 0.4  # of the MLP heads
_PLAIN = 0.3  # what weighs against the crowding of a querybank
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

    word: width of MiniLM's vectors; named: whether the image features end with the dish's name as such a
    vector. With a tower that names no dishes, named heads are plain MLPs. readings: the widths of the recipe
    features from each of several models in one, MiniLM's last.
    """
    if kind == "shared":
        return Heads(recipe, image, space)
    if kind == "members":
        return MemberHeads(readings, image, space, word, named)
    if kind == "named":
        if not named:
            return build_heads("mlp", recipe, image, space)
        title, name = _Named(recipe, space, slice(0, word)), _Named(image, space, slice(image - word, image))
        # Both start with the same matrix: words with similar vectors start close to each other in the space.
        name.name.weight.data.copy_(title.name.weight.data)
        return SeparateHeads(title, name)
    sides = {"single": _Single, "aligned": _Aligned, "linear": _Linear, "mlp": _MLP}
    return SeparateHeads(sides[kind](recipe, space), sides[kind](image, space))


class Heads(nn.Module):
    """The FC stacks of recipes and images, both to L2-normalised points of the shared space.

    The paper: FC, an FC shared by both sides, FC, each as wide as the space; "the role of the shared
    layer is to align the mean and standard deviation" of both. So each side's features are normalised
    before its first layer (their scales differ a lot), and again after the shared layer,
    where a batch norm for each side aligns mean and deviation; tanh between layers as in the
    published code:

        batch norm - FC - tanh - shared FC - batch norm - tanh - FC - L2

    Nothing here is random: the noise, which other heads take, is not used.
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
    """An ensemble that shares a tower, each member with its part of the space: cosines are a mean of theirs.

    All members see the photo; the last, which reads with MiniLM, sees the dish's name too. Their errors
    differ, so together they make fewer. Each has its own loss (`shares`), or they would learn as one model.
    """

    def __init__(self, readings: Sequence[int], image: int, space: int, word: int, named: bool) -> None:
        super().__init__()
        count = len(readings)
        *widths, last = self._widths = [len(share) for share in torch.arange(space).tensor_split(count)]
        self._length = 1 / math.sqrt(count)  # of each member's part of a point
        self._readings = list(readings)
        self._seen = image - word if named else image
        self.readers = nn.ModuleList(
            Heads(width, self._seen, share) for width, share in zip(readings[:-1], widths, strict=True)
        )
        self.context = build_heads("named", readings[-1], image, last, word, named)

    def embed_recipes(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, recipe) -> (B, space), of length 1."""
        *read, context = torch.split(features, self._readings, dim=1)
        points = [
            cast(Heads, head).embed_recipes(part) for head, part in zip(self.readers, read, strict=True)
        ]
        return self.join([*points, self.context.embed_recipes(context, noise)])

    def embed_images(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """(B, image) -> (B, space), of length 1."""
        points = [cast(Heads, head).embed_images(features[:, : self._seen]) for head in self.readers]
        return self.join([*points, self.context.embed_images(features, noise)])

    def shares(self, points: Tensor) -> list[Tensor]:
        """Each member's part of points (B, space) of length 1, itself of length 1."""
        return [part / self._length for part in torch.split(points, self._widths, dim=1)]

    def join(self, points: Sequence[Tensor]) -> Tensor:
        """The points (B, space), of length 1, whose shares these are."""
        return torch.cat([part * self._length for part in points], 1)


class Querybank(nn.Module):
    """Points that are near to everything become shorter: they would be found by queries that mean others.

    After Bogolin et al. 2022 (querybank normalisation) and Conneau et al. 2018 (CSLS): a point's nearest
    training points of the other side say how crowded its place is, and it is divided by that. A score is the
    product of two points, no longer their cosine; lengths are about 1.
    """

    images: Tensor  # (N, space)
    recipes: Tensor  # (N, space)
    usual: Tensor  # (2,) the mean crowding of the images and of the recipes

    def __init__(self, size: int, space: int, nearest: int) -> None:
        super().__init__()
        self.nearest = nearest
        for name in ("images", "recipes"):
            self.register_buffer(name, torch.zeros(size, space))
        self.register_buffer("usual", torch.zeros(2))

    def fill(self, images: Tensor, recipes: Tensor) -> None:
        """Take training points, each of length 1."""
        self.images.copy_(images)
        self.recipes.copy_(recipes)
        self.usual[0] = self._crowding(self.images, self.recipes).mean()
        self.usual[1] = self._crowding(self.recipes, self.images).mean()

    def scale_images(self, points: Tensor) -> Tensor:
        """(B, space) of length 1 -> (B, space)."""
        return points * (_PLAIN + self.usual[0]) / (_PLAIN + self._crowding(points, self.recipes))

    def scale_recipes(self, points: Tensor) -> Tensor:
        """(B, space) of length 1 -> (B, space)."""
        return points * (_PLAIN + self.usual[1]) / (_PLAIN + self._crowding(points, self.images))

    def _crowding(self, points: Tensor, bank: Tensor) -> Tensor:
        """(B, 1) the mean cosine with the nearest points of a bank."""
        # The bank first: ONNX would keep a transposed copy of it.
        near = (bank.to(points.dtype) @ points.T).topk(min(self.nearest, len(bank)), dim=0).values
        return near.mean(0).clamp(min=0)[:, None]


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
    """FC, ReLU, dropout, FC; the dropout mask is a function of the sample."""

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
    """chef-base: an MLP with a linear shortcut for the dish's name.

    A recipe's title and the name that a tower gives a photo are vectors of the same words. The same matrix
    maps both to the space, and the MLP starts at zero: before the first step the name alone matches photos
    and recipes, and training only has to learn what the name leaves out.
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


def unit(x: Tensor) -> Tensor:
    """Each row of x (B, D) normalised to length 1; half precision would be off by 1 %."""
    return F.normalize(x.float() if x.dtype != torch.float64 else x, dim=-1)


def mean_point(points: Sequence[Tensor]) -> Tensor:
    """The mean of several points (B, D) of each item, of length 1; a single one unchanged."""
    return points[0] if len(points) == 1 else unit(torch.stack(list(points)).mean(0))
