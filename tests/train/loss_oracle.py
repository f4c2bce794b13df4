"""The losses by brute force: python loops over anchors and negatives, as one would write them on paper."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from chef.train.loss import MINERS, InfoNCE, TripletLoss


def triplet(
    images: Tensor,
    recipes: Tensor,
    miner: str,
    margin: float = 0.3,
    intra_modal: bool = False,
    groups: Sequence[int] | None = None,
) -> Tensor:
    count = len(images)
    labels = list(groups or range(count))
    total = images.new_zeros(())
    for anchors, others in ((images, recipes), (recipes, images)):
        for i in range(count):
            positive = anchors[i] @ others[i]
            pool = [others[j] for j in range(count) if labels[j] != labels[i]]
            if intra_modal:
                pool += [anchors[j] for j in range(count) if labels[j] != labels[i]]
            cosines = [anchors[i] @ negative for negative in pool]
            chosen = _mine(cosines, positive, miner, margin)
            hinges = [torch.clamp(margin - positive + cosine, min=0) for cosine in chosen]
            if hinges:
                total = total + sum(hinges) / len(hinges) / count
    return total


def _mine(cosines: list[Tensor], positive: Tensor, miner: str, margin: float) -> list[Tensor]:
    if miner == "semi-hard":
        cosines = [cosine for cosine in cosines if positive - margin < cosine < positive]
    if miner == "all":
        return cosines
    return [max(cosines, key=Tensor.item)] if cosines else []


def info_nce(
    images: Tensor,
    recipes: Tensor,
    scale: Tensor,
    groups: Sequence[int] | None = None,
) -> Tensor:
    count = len(images)
    labels = list(groups or range(count))
    total = images.new_zeros(())
    for anchors, others in ((images, recipes), (recipes, images)):
        for i in range(count):
            rivals = [j for j in range(count) if j == i or labels[j] != labels[i]]
            weights = [torch.exp(scale * (anchors[i] @ others[j])) for j in rivals]
            total = total - torch.log(weights[rivals.index(i)] / sum(weights))
    return total / (2 * count)


def brute_force(
    loss: TripletLoss | InfoNCE, images: Tensor, recipes: Tensor, groups: Sequence[int] | None, scale: Tensor
) -> Tensor:
    """The same loss as that of a module."""
    if isinstance(loss, InfoNCE):
        return info_nce(images, recipes, scale, groups)
    miner = next(name for name, mine in MINERS.items() if mine is loss.mine)
    return triplet(images, recipes, miner, loss.margin, loss.intra_modal, groups)


def embeddings(count: int, dimension: int, seed: int) -> tuple[Tensor, Tensor]:
    """float64 images and recipes, some pairs well matched and some badly, so that every miner has work."""
    generator = torch.Generator().manual_seed(seed)
    images = torch.randn(count, dimension, generator=generator, dtype=torch.float64)
    spread = torch.linspace(0.1, 3.0, count, dtype=torch.float64)[:, None]
    recipes = images + spread * torch.randn(count, dimension, generator=generator, dtype=torch.float64)
    return tuple(torch.nn.functional.normalize(rows, dim=1).requires_grad_() for rows in (images, recipes))


SCALE = -math.log(0.07)
