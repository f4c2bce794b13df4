"""The Gumbel Tree-LSTM as the paper writes it: every candidate at every level, n²/2 compositions a sequence.

It runs in exported graphs and on devices without a faster implementation, and is the benchmarks' "flat".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True)
class Cell:
    """The parameters of the composition (Eq. 2-4) and the query that scores its results."""

    weight: Tensor  # (5D, 2D)
    bias: Tensor  # (5D,)
    query: Tensor  # (D,)

    @property
    def hidden(self) -> int:
        return len(self.query)

    @property
    def scale(self) -> float:
        return 1 / math.sqrt(self.hidden)

    @property
    def halves(self) -> tuple[Tensor, Tensor]:
        """The part of the weight for the left child's h and the part for the right child's, (5D, D) each."""
        return self.weight[:, : self.hidden], self.weight[:, self.hidden :]


def encode_reference(
    cell: Cell, leaves: Tensor, lengths: Tensor, noise: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Roots h, c (N, D) and merges (N, L-1) of the trees over padded leaves (N, L, 2D).

    The root of a finished sequence stays at position 0.
    """
    h, c = leaves.chunk(2, dim=-1)
    chosen = []
    for level in range(leaves.shape[1] - 1):
        candidates = compose(cell, (h[:, :-1], c[:, :-1]), (h[:, 1:], c[:, 1:]))
        pairs = lengths - 1 - level  # candidates left in each sequence
        places = torch.arange(h.shape[1] - 1, device=h.device)
        scores = candidates[0] @ cell.query.to(h.dtype) * cell.scale
        scores = scores if noise is None else scores + noise[:, level, : len(places)]
        pick = _pick(scores, places < pairs[:, None], straight_through=noise is not None)
        chosen.append(torch.where(pairs > 0, pick.argmax(1), -1))
        h, c = _merge((h, c), candidates, pick.to(h.dtype), pairs > 0)
    merged = torch.stack(chosen, 1) if chosen else lengths.new_empty(leaves.shape[0], 0)
    return h[:, 0], c[:, 0], merged


def compose(cell: Cell, left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """The parents of pairs of nodes (Eq. 2-4): h, c (..., D) of both children give h, c of the parents."""
    gates = F.linear(torch.cat([left[0], right[0]], dim=-1), cell.weight, cell.bias)
    i, f_left, f_right, o, g = gates.chunk(5, dim=-1)
    # +1: a new node starts out remembering its children.
    parent = torch.sigmoid(f_left + 1) * left[1] + torch.sigmoid(f_right + 1) * right[1]
    parent = parent + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(parent), parent


def _pick(scores: Tensor, valid: Tensor, straight_through: bool) -> Tensor:
    """The chosen candidate of each row as a one-hot (N, n), with the gradient of the softmax if asked for."""
    scores = scores.masked_fill(~valid, torch.finfo(scores.dtype).min)
    hard = F.one_hot(scores.argmax(1), scores.shape[1]).to(scores.dtype)
    if not straight_through:
        return hard
    soft = scores.softmax(1)
    return hard + (soft - soft.detach())  # adds exactly 0 in the forward pass


def _merge(
    states: tuple[Tensor, Tensor], candidates: tuple[Tensor, Tensor], pick: Tensor, active: Tensor
) -> tuple[Tensor, Tensor]:
    """The states one level up: unchanged left of the picked pair, then the parent, then the rest shifted."""
    up_to = pick.cumsum(1)
    here, left, right = (mask[:, :, None] for mask in (pick, 1 - up_to, up_to - pick))
    h, c = (
        torch.where(
            active[:, None, None],
            here * parents + left * nodes[:, :-1] + right * nodes[:, 1:],
            nodes[:, :-1],
        )
        for nodes, parents in zip(states, candidates, strict=True)
    )
    return h, c
