"""The Tree-LSTM over trees known in advance (pruning, substitution): all nodes of one height at once.

A balanced tree of 16 words takes 4 rounds instead of 15, for all sequences together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from chef.model.tree_lstm.reference import Cell, compose


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
