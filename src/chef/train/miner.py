"""Miners: which negatives of an anchor enter the triplet loss.

A miner takes similarity (B, M), the cosine of each anchor to each candidate; positive (B,), its cosine to its
match; allowed (B, M), True where the candidate is a negative; and the margin. It returns weights (B, M): how
much each candidate counts, summing to 1 for an anchor with a negative to use and to 0 for one without.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

Miner = Callable[[Tensor, Tensor, Tensor, float], Tensor]


def all_negatives(similarity: Tensor, positive: Tensor, allowed: Tensor, margin: float) -> Tensor:
    """Every negative in the batch, all alike."""
    weights = allowed.to(similarity.dtype)
    return weights / weights.sum(dim=1, keepdim=True).clamp(min=1)


def batch_hard(similarity: Tensor, positive: Tensor, allowed: Tensor, margin: float) -> Tensor:
    """The hardest negative: the one most similar to the anchor."""
    hardest = similarity.masked_fill(~allowed, -torch.inf).argmax(dim=1, keepdim=True)
    chosen = torch.zeros_like(similarity).scatter_(1, hardest, 1.0)
    return chosen * allowed  # an anchor without negatives chooses nothing


def semi_hard(similarity: Tensor, positive: Tensor, allowed: Tensor, margin: float) -> Tensor:
    """The hardest of the negatives less similar than the match, yet within the margin; none where none is."""
    gap = positive[:, None] - similarity
    return batch_hard(similarity, positive, allowed & (gap > 0) & (gap < margin), margin)


MINERS: dict[str, Miner] = {"all": all_negatives, "batch-hard": batch_hard, "semi-hard": semi_hard}
