"""The losses: the margin triplet loss of Eq. 1, its miners, and InfoNCE with a learned temperature.

Both take images (B, D) and recipes (B, D), L2-normalised, row i of one matching row i of the other, and
optionally the `Gallery` of the whole batch when these rows are one process's share of it. The value is this
share of the full-batch loss: the shares of all processes add up to the loss of the whole batch.

A miner decides which negatives of an anchor enter the triplet loss. It takes similarity (B, M), the cosine
of each anchor to each candidate; positive (B,), its cosine to its match; allowed (B, M), True where the
candidate is a negative; and the margin. It returns weights (B, M), which sum to 1 for an anchor with a usable
negative and to 0 for one without.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from chef.train.distributed import Gallery

Miner = Callable[[Tensor, Tensor, Tensor, float], Tensor]


def all_negatives(similarity: Tensor, positive: Tensor, allowed: Tensor, margin: float) -> Tensor:
    """Every negative in the batch, equally weighted."""
    weights = allowed.to(similarity.dtype)
    return weights / weights.sum(dim=1, keepdim=True).clamp(min=1)


def batch_hard(similarity: Tensor, positive: Tensor, allowed: Tensor, margin: float) -> Tensor:
    """The hardest negative: the one most similar to the anchor."""
    hardest = similarity.masked_fill(~allowed, -torch.inf).argmax(dim=1, keepdim=True)
    chosen = torch.zeros_like(similarity).scatter_(1, hardest, 1.0)
    return chosen * allowed  # an anchor without negatives chooses nothing


def semi_hard(similarity: Tensor, positive: Tensor, allowed: Tensor, margin: float) -> Tensor:
    """The hardest of the negatives that are less similar than the match but within the margin, if any."""
    gap = positive[:, None] - similarity
    return batch_hard(similarity, positive, allowed & (gap > 0) & (gap < margin), margin)


MINERS: dict[str, Miner] = {"all": all_negatives, "batch-hard": batch_hard, "semi-hard": semi_hard}


class TripletLoss(nn.Module):
    """Eq. 1: the mean of max(0, margin - cos(positive) + cos(negative)), summed over both directions.

    The paper prints min(d(positive) - d(negative) - margin, 0) with d the cosine similarity: minimising that
    pushes true pairs apart, so the sign is corrected here. The miner chooses the negatives; with
    `intra_modal`, items of the anchor's own modality are negatives too, as in the published code.

    >>> TripletLoss()(images, recipes).backward()
    """

    def __init__(self, margin: float = 0.3, miner: str = "batch-hard", intra_modal: bool = False) -> None:
        super().__init__()
        self.margin = margin
        self.intra_modal = intra_modal
        self.mine = MINERS[miner]

    def forward(self, images: Tensor, recipes: Tensor, gallery: Gallery | None = None) -> Tensor:
        gallery = gallery or Gallery(images, recipes)
        same = _same(gallery, len(images))
        total = self._direction(images, gallery.recipes, gallery.images, gallery.offset, same)
        total = total + self._direction(recipes, gallery.images, gallery.recipes, gallery.offset, same)
        return total / len(gallery.images)

    def _direction(self, anchors: Tensor, others: Tensor, own: Tensor, offset: int, same: Tensor) -> Tensor:
        similarity, allowed = cosines(anchors, others), ~same
        positive = similarity.diagonal(offset)
        if self.intra_modal:
            similarity = torch.cat([similarity, cosines(anchors, own)], dim=1)
            allowed = torch.cat([allowed, allowed], dim=1)
        with torch.no_grad():
            weights = self.mine(similarity, positive, allowed, self.margin)
        hinge = (self.margin - positive[:, None] + similarity).clamp(min=0)
        return (weights * hinge).sum()


class InfoNCE(nn.Module):
    """Cross-entropy of each anchor's match against all items, mean of both directions, temperature learned.

    The stronger loss with large batches. The temperature never falls below 0.01, as in CLIP.

    >>> InfoNCE()(images, recipes).backward()
    """

    LEAST = 0.01

    def __init__(self, temperature: float = 0.07) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(-math.log(temperature)))

    @property
    def temperature(self) -> float:
        return math.exp(-self.log_scale.item())

    def forward(self, images: Tensor, recipes: Tensor, gallery: Gallery | None = None) -> Tensor:
        gallery = gallery or Gallery(images, recipes)
        with torch.no_grad():  # in place: clamped in the forward pass, its gradient would stay 0 for ever
            self.log_scale.clamp_(max=-math.log(self.LEAST))
        excluded = _same(gallery, len(images))
        excluded.diagonal(gallery.offset).fill_(False)
        target = torch.arange(len(images), device=images.device) + gallery.offset
        total = torch.zeros((), device=images.device)
        for anchors, others in ((images, gallery.recipes), (recipes, gallery.images)):
            logits = cosines(anchors, others) * self.log_scale.exp()
            logits = logits.masked_fill(excluded, -torch.inf)
            total = total + nn.functional.cross_entropy(logits, target, reduction="sum")
        return total / (2 * len(gallery.images))


def cosines(anchors: Tensor, items: Tensor) -> Tensor:
    """(B, D) and (N, D), of length 1 -> (B, N)."""
    # Half precision would round cosines to 1/128, too coarse for the margin: use at least float32.
    least = torch.promote_types(anchors.dtype, torch.float32)
    with torch.autocast(anchors.device.type, enabled=False):
        return anchors.to(least) @ items.to(least).T


def _same(gallery: Gallery, count: int) -> Tensor:
    """(count, N) True where an item is the anchor's own match or in its group."""
    rows = torch.arange(gallery.offset, gallery.offset + count, device=gallery.images.device)
    labels = gallery.groups
    if labels is None:
        labels = torch.arange(len(gallery.images), device=gallery.images.device)
    return labels[rows][:, None] == labels[None, :]
