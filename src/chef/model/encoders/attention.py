"""Attention over the states of an encoder: which items matter (Chen et al. 2018)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from chef.model.encoders.base import mask


class Attention(nn.Module):
    """Weights softmax(u . tanh(W h + b)) over the items of each sequence, and the weighted sum of h."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.project = nn.Linear(size, size)
        self.context = nn.Linear(size, 1, bias=False)

    def forward(self, states: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """states (N, L, D) -> their weighted sum (N, D) and the weights (N, L), 0 on padding."""
        scores = self.context(torch.tanh(self.project(states)))[:, :, 0]
        weights = scores.masked_fill(~mask(lengths, states), -torch.inf).softmax(1)
        return (weights[:, None] @ states)[:, 0], weights
