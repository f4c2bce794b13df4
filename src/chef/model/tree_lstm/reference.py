"""The Gumbel Tree-LSTM as the paper writes it: every candidate at every level, n²/2 compositions a sequence.

It runs in exported graphs and on devices without a faster implementation, and is the benchmarks' "flat".
Trees known in advance (pruning, substitution) are encoded one height at a time: a balanced tree of 16 words
takes 4 rounds instead of 15, for all sequences together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from chef.model.tree_lstm.cpu import Cell


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
        scores = scores.masked_fill(places >= pairs[:, None], torch.finfo(scores.dtype).min)
        pick = F.one_hot(scores.argmax(1), scores.shape[1]).to(scores.dtype)
        if noise is not None:  # straight through: the gradient of the softmax, and exactly 0 forward
            soft = scores.softmax(1)
            pick = pick + (soft - soft.detach())
        chosen.append(torch.where(pairs > 0, pick.argmax(1), -1))
        # One level up: unchanged left of the picked pair, then the parent, then the rest shifted.
        pick = pick.to(h.dtype)
        up_to = pick.cumsum(1)
        here, left, right = (mask[:, :, None] for mask in (pick, 1 - up_to, up_to - pick))
        active = (pairs > 0)[:, None, None]
        h, c = (
            torch.where(active, here * parents + left * nodes[:, :-1] + right * nodes[:, 1:], nodes[:, :-1])
            for nodes, parents in zip((h, c), candidates, strict=True)
        )
    merged = torch.stack(chosen, 1) if chosen else lengths.new_empty(leaves.shape[0], 0)
    return h[:, 0], c[:, 0], merged


def teach_reference(cell: Cell, leaves: Tensor, lengths: Tensor, last: Tensor) -> Tensor:
    """The loss (N,) of the choices over padded leaves (N, L, 2D); see `GumbelTreeLSTM.teach`."""
    h, c = leaves.chunk(2, dim=-1)
    total = leaves.new_zeros(len(leaves), dtype=torch.promote_types(leaves.dtype, torch.float32))
    nearest = lengths.new_zeros(leaves.shape[:2])  # edges from each node to the nearest leaf below it
    for level in range(leaves.shape[1] - 2):
        places = torch.arange(h.shape[1] - 1, device=h.device)
        valid = places < (lengths - 1 - level)[:, None]
        right = valid & (places != last[:, None]) & (places != last[:, None] - 1)
        between = (lengths - level == 3) & (last == 1)
        left, other = nearest[:, :1], nearest[:, 2:3]
        nearer = torch.where(places == 0, left <= other, (places == 1) & (other <= left))
        right = torch.where(between[:, None], nearer, right)
        parents = compose(cell, (h[:, :-1], c[:, :-1]), (h[:, 1:], c[:, 1:]))
        scores = (parents[0] @ cell.query.to(h.dtype) * cell.scale).to(total.dtype)
        lowest = torch.finfo(scores.dtype).min
        chance = scores.masked_fill(~valid, lowest).log_softmax(1).masked_fill(~right, lowest)
        some = right.any(1)
        total = total - torch.where(some, chance.logsumexp(1), 0.0)
        pick = scores.masked_fill(~torch.where(some[:, None], right, valid), lowest).argmax(1)
        last = last - (pick < last).long()
        h, c = (_moved_up(nodes, new, pick) for nodes, new in zip((h, c), parents, strict=True))
        joined = torch.minimum(nearest[:, :-1], nearest[:, 1:]) + 1
        nearest = _moved_up(nearest[:, :, None], joined[:, :, None], pick)[:, :, 0]
    return total


def _moved_up(nodes: Tensor, parents: Tensor, pick: Tensor) -> Tensor:
    """The nodes one level up: unchanged left of the picked pair, then the parent, then the rest shifted."""
    places = torch.arange(parents.shape[1], device=nodes.device)[:, None]
    at = pick[:, None, None]
    return torch.where(places < at, nodes[:, :-1], torch.where(places == at, parents, nodes[:, 1:]))


def compose(cell: Cell, left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """The parents of pairs of nodes (Eq. 2-4): h, c (..., D) of both children give h, c of the parents."""
    gates = F.linear(torch.cat([left[0], right[0]], dim=-1), cell.weight, cell.bias)
    i, f_left, f_right, o, g = gates.chunk(5, dim=-1)
    # +1: a new node starts out remembering its children.
    parent = torch.sigmoid(f_left + 1) * left[1] + torch.sigmoid(f_right + 1) * right[1]
    parent = parent + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(parent), parent


@dataclass(frozen=True)
class KnownForest:
    """Trees as positions in one pool: leaves, then the merged nodes by height."""

    rounds: list[tuple[Tensor, Tensor]]  # left and right children, height by height
    roots: Tensor  # (N,)


def encode_known(cell: Cell, leaves: Tensor, lengths: Tensor, merges: Tensor) -> tuple[Tensor, Tensor]:
    """Roots h, c (N, D) of given trees over leaves (sum of lengths, 2D); merges (N, >= longest - 1)."""
    forest = read_forest(lengths, merges.cpu(), leaves.device)
    nodes = len(leaves) + sum(len(left) for left, _ in forest.rounds)
    pool = leaves.new_empty(nodes, leaves.shape[1])
    pool[: len(leaves)] = leaves
    used = len(leaves)
    for left, right in forest.rounds:
        children = (pool[side].chunk(2, dim=1) for side in (left, right))
        parents = compose(cell, *((h, c) for h, c in children))
        pool[used : used + len(left)] = torch.cat(parents, dim=1).to(pool.dtype)
        used += len(left)
    h, c = pool[forest.roots].chunk(2, dim=1)
    return h, c


def read_forest(lengths: Tensor, merges: Tensor, device: torch.device) -> KnownForest:
    """Replay the merges (on the CPU) and sort the resulting nodes by height."""
    counts, chosen = lengths.numpy(), merges.numpy()
    leaves, longest = int(counts.sum()), int(counts.max())
    table = (np.cumsum(counts) - counts)[:, None] + np.arange(longest)
    height = np.zeros(leaves + int((counts - 1).sum()), np.int64)
    lefts, rights, made = [], [], leaves
    for level in range(longest - 1):
        rows = np.flatnonzero(counts > level + 1)
        pick = chosen[rows, level]
        left, right = table[rows, pick], table[rows, pick + 1]
        new = made + np.arange(len(rows))
        made += len(rows)
        height[new] = np.maximum(height[left], height[right]) + 1
        # Everything right of the pair moves one position left; finished rows keep their root at 0.
        moved = np.arange(table.shape[1] - 1) > pick[:, None]
        above = np.where(moved, table[rows, 1:], table[rows, :-1])
        above[np.arange(len(rows)), pick] = new
        table = table[:, :-1].copy()
        table[rows] = above
        lefts.append(left)
        rights.append(right)
    return _by_height(height, leaves, lefts, rights, table[:, 0], device)


def _by_height(
    height: np.ndarray, leaves: int, lefts: list[np.ndarray], rights: list[np.ndarray], roots: np.ndarray,
    device: torch.device,
) -> KnownForest:  # fmt: skip
    """Renumber the nodes so that those of one height are adjacent."""
    order = np.argsort(height, kind="stable")  # leaves have height 0 and keep their numbers
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    left, right = (number[np.concatenate([np.empty(0, np.int64), *side])] for side in (lefts, rights))
    inner = order[leaves:] - leaves
    ends = np.cumsum(np.bincount(height)[1:]).tolist()
    rounds = [
        (
            torch.from_numpy(left[inner[start:end]]).to(device),
            torch.from_numpy(right[inner[start:end]]).to(device),
        )
        for start, end in zip([0, *ends], ends, strict=False)
    ]
    return KnownForest(rounds, torch.from_numpy(number[roots]).to(device))
