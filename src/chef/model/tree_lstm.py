"""The Gumbel Tree-LSTM (Eq. 2-4 of the paper, after Choi et al. 2018): it learns which nodes to join.

At each level all adjacent pairs are candidate parents. The score of a candidate is <q, h> / sqrt(D).
In training a straight-through Gumbel-softmax sample picks the pair that is joined: the forward pass
takes one candidate, the gradient is that of the softmax. In evaluation the best score is taken.
On a CPU candidates are cached from level to level (`chef.model.cached_tree`), with the same results.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.cached_gradient import encode_cached
from chef.model.cached_tree import Cell
from chef.model.noise import RandomNoise


class TreeStates(NamedTuple):
    """The roots of a batch of trees, and the merges that made them."""

    h: Tensor  # (N, D)
    c: Tensor  # (N, D)
    merges: Tensor  # (N, L-1) long; entries behind a sequence's own length - 1 merges are -1


class GumbelTreeLSTM(nn.Module):
    """Encodes sequences (N, L, in) as the root states (N, D) of trees that it builds itself.

    >>> lstm = GumbelTreeLSTM(300, 600)
    >>> h, c, merges = lstm(torch.randn(2, 5, 300), torch.tensor([5, 3]))
    >>> Tree.from_merges(["salt", "flour", "milk"], merges[1].tolist())
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.leaf = nn.Linear(inputs, 2 * hidden)
        self.composition = nn.Linear(2 * hidden, 5 * hidden)
        self.query = nn.Parameter(torch.empty(hidden))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.kaiming_normal_(self.leaf.weight)
        nn.init.zeros_(self.leaf.bias)
        nn.init.orthogonal_(self.composition.weight)
        nn.init.zeros_(self.composition.bias)
        nn.init.normal_(self.query, std=0.01)

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Tensor | None = None, merges: Tensor | None = None
    ) -> TreeStates:
        """Encode x (N, L, in), whose i-th sequence has lengths[i] items, 1 to L.

        noise: (N, >= L-1, >= L-1), Gumbel noise of sequence, level and candidate; used in training
        only, drawn here if not given. merges: (N, >= L-1) long, a structure to encode instead of
        choosing one.
        """
        levels = x.shape[1] - 1
        if merges is None and noise is None and self.training:
            noise = RandomNoise().gumbel(len(x), levels, like=x)
        noise = noise if self.training else None
        if merges is None and _cacheable(x):
            return self._encode_cached(x, lengths, noise)
        groups = _groups(lengths, x.shape[1])
        if len(groups) == 1:
            return self._encode(x, lengths, noise, merges)
        roots = []
        for rows, length in groups:
            given = None if noise is None else noise[rows], None if merges is None else merges[rows]
            roots.append(self._encode(x[rows, :length], lengths[rows], *given))
        back = torch.cat([rows for rows, _ in groups]).argsort()
        h, c = (torch.cat([states[part] for states in roots])[back] for part in (0, 1))
        chosen = [F.pad(states.merges, (0, levels - states.merges.shape[1]), value=-1) for states in roots]
        return TreeStates(h, c, torch.cat(chosen)[back])

    def _encode_cached(self, x: Tensor, lengths: Tensor, noise: Tensor | None) -> TreeStates:
        """All sequences at once, padding left out, in the precision of the weights."""
        with torch.autocast("cpu", enabled=False):
            kept = torch.arange(x.shape[1]) < lengths[:, None]
            leaves = self.leaf(x[kept].to(self.query.dtype))
            cell = Cell(self.composition.weight, self.composition.bias, self.query)
            h, c, merges = encode_cached(cell, leaves, lengths, noise)
        return TreeStates(h, c, F.pad(merges, (0, x.shape[1] - 1 - merges.shape[1]), value=-1))

    def _encode(self, x: Tensor, lengths: Tensor, noise: Tensor | None, merges: Tensor | None) -> TreeStates:
        """All sequences level by level; a sequence that is done waits at position 0 for the others."""
        h, c = self.leaf(x).chunk(2, dim=-1)
        chosen = []
        for level in range(x.shape[1] - 1):
            candidates = self._compose(h, c)
            pairs = lengths - 1 - level  # candidates that each sequence still has
            places = torch.arange(h.shape[1] - 1, device=h.device)
            if merges is None:
                scores = candidates[0] @ self.query / math.sqrt(self.hidden)
                scores = scores if noise is None else scores + noise[:, level, : len(places)]
                pick = _pick(scores, places < pairs[:, None], straight_through=noise is not None)
            else:
                pick = (merges[:, level, None] == places).to(h.dtype)
            chosen.append(torch.where(pairs > 0, pick.argmax(1), -1))
            h, c = _merge((h, c), candidates, pick.to(h.dtype), pairs > 0)
        merged = torch.stack(chosen, 1) if chosen else lengths.new_empty(x.shape[0], 0)
        return TreeStates(h[:, 0], c[:, 0], merged)

    def _compose(self, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """The parent of every adjacent pair (Eq. 2-4): (N, n, D) states give (N, n-1, D) candidates."""
        gates = self.composition(torch.cat([h[:, :-1], h[:, 1:]], dim=-1))
        i, f_left, f_right, o, g = gates.chunk(5, dim=-1)
        # +1: a new node starts out remembering its children.
        parent = torch.sigmoid(f_left + 1) * c[:, :-1] + torch.sigmoid(f_right + 1) * c[:, 1:]
        parent = parent + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(parent), parent


def _cacheable(x: Tensor) -> bool:
    """The cache saves arithmetic, which a CPU lacks; its bookkeeping would make a GPU wait at each level.

    An exported graph cannot depend on the trees.
    """
    return x.device.type == "cpu" and not torch.compiler.is_exporting()


def _groups(lengths: Tensor, longest: int) -> list[tuple[Tensor, int]]:
    """Rows to encode together, with the length to encode them at.

    A CPU pays for work on padding, so sequences of one length go together. A GPU pays for launches
    too, so there a few lengths share a group. An exported graph cannot depend on the lengths.
    """
    if torch.compiler.is_exporting():
        return [(torch.arange(lengths.shape[0], device=lengths.device), longest)]
    present = sorted(set(lengths.tolist()))
    if lengths.device.type != "cpu":
        present = sorted({min(-(-length // 4) * 4, longest) for length in present})
    shorter = [0, *present]
    return [
        (((lengths > below) & (lengths <= length)).nonzero()[:, 0], length)
        for below, length in zip(shorter, present, strict=False)
    ]


def _pick(scores: Tensor, valid: Tensor, straight_through: bool) -> Tensor:
    """The chosen candidate of each row as a one-hot (N, n); its gradient is the softmax's if asked for."""
    scores = scores.masked_fill(~valid, torch.finfo(scores.dtype).min)
    hard = F.one_hot(scores.argmax(1), scores.shape[1]).to(scores.dtype)
    if not straight_through:
        return hard
    soft = scores.softmax(1)
    return hard + (soft - soft.detach())  # adds exactly 0 in the forward pass


def _merge(
    states: tuple[Tensor, Tensor], candidates: tuple[Tensor, Tensor], pick: Tensor, active: Tensor
) -> tuple[Tensor, Tensor]:
    """The states one level up: left of the picked pair as before, the parent, the rest moved by one."""
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
