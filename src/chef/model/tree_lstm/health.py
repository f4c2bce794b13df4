"""Whether a Tree-LSTM chooses where to merge, or leaves it to the noise."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from chef.model.tree_lstm.cpu import Cell
from chef.model.tree_lstm.reference import compose

_GUMBEL = math.pi / math.sqrt(6)  # standard deviation of the noise


def choices(cell: Cell, leaves: Tensor, lengths: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """For each level, of the sequences that have a choice: the entropy of it over the largest possible, and
    the spread of the scores over that of the noise."""
    for scores in level_scores(cell, leaves, lengths):
        count = (scores > -torch.inf).sum(1)
        scores, count = scores[count > 1], count[count > 1]
        chances = scores.softmax(1)
        entropy = -(chances * chances.clamp_min(1e-30).log()).sum(1) / count.float().log()
        known = scores.masked_fill(scores == -torch.inf, 0)
        mean = known.sum(1) / count
        square = ((known - mean[:, None]) ** 2 * (scores > -torch.inf)).sum(1) / count
        yield entropy, square.sqrt() / _GUMBEL


def level_scores(cell: Cell, leaves: Tensor, lengths: Tensor) -> Iterator[Tensor]:
    """The scores (N, candidates) at each level of the trees that the best scores build; -inf: none."""
    h, c = leaves.chunk(2, dim=-1)
    for level in range(leaves.shape[1] - 1):
        parents = compose(cell, (h[:, :-1], c[:, :-1]), (h[:, 1:], c[:, 1:]))
        places = torch.arange(h.shape[1] - 1, device=h.device)
        scores = parents[0] @ cell.query * cell.scale
        scores = scores.masked_fill(places >= (lengths - 1 - level)[:, None], -torch.inf)
        yield scores
        pick = scores.argmax(1)[:, None]
        active = (lengths - 1 - level > 0)[:, None, None]
        keep, here = (places < pick)[:, :, None], (places == pick)[:, :, None]
        h, c = (
            torch.where(
                active, torch.where(here, new, torch.where(keep, old[:, :-1], old[:, 1:])), old[:, :-1]
            )
            for old, new in zip((h, c), parents, strict=True)
        )
