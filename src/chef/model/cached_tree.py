"""The Gumbel Tree-LSTM with a cache of candidates: the same trees, for about 3n compositions instead of n²/2.

After the merge of pair k only the candidates k-1 and k change, so all others are kept. Nodes and
candidates of all sequences lie in flat pools; a level is a table of positions in them. Sequences of
every length share the pools and none pays for padding. `chef.model.cached_gradient` is the way back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor


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
        """What the weight does to the left child's h and to the right child's, (5D, D) each."""
        return self.weight[:, : self.hidden], self.weight[:, self.hidden :]


class Nodes:
    """The leaves and, behind them, the merged nodes: states [h | c] and their share in a parent's gates.

    A node is a child of several candidates, so its product with the weight is kept as well.
    """

    def __init__(self, cell: Cell, leaves: Tensor, room: int) -> None:
        self.cell = cell
        self.states = leaves.new_empty(room, leaves.shape[1])
        self.as_left, self.as_right = (leaves.new_empty(room, len(cell.bias)) for _ in range(2))
        self.used = 0
        self.add(leaves)

    def add(self, states: Tensor) -> Tensor:
        """Put nodes into the pool; their positions in it."""
        new = slice(self.used, self.used + len(states))
        self.used = new.stop
        self.states[new] = states
        h = self.states[new, : self.cell.hidden]
        left, right = self.cell.halves
        torch.addmm(self.cell.bias, h, left.T, out=self.as_left[new])
        torch.mm(h, right.T, out=self.as_right[new])
        return torch.arange(new.start, new.stop)


class Candidates:
    """Every parent that was ever considered: its children, score, state [h | c] and, if kept, gates."""

    def __init__(self, cell: Cell, like: Tensor, room: int, keep_gates: bool) -> None:
        self.cell = cell
        self.states = like.new_empty(room, 2 * cell.hidden)
        self.gates = like.new_empty(room if keep_gates else 0, 5 * cell.hidden)
        self.scores = like.new_empty(room)
        self.left, self.right = (torch.empty(room, dtype=torch.long) for _ in range(2))
        self.used = 0

    def add(self, nodes: Nodes, left: Tensor, right: Tensor) -> Tensor:
        """Compose pairs of nodes (Eq. 2-4); the positions of the results in the pool."""
        size = self.cell.hidden
        new = slice(self.used, self.used + len(left))
        self.used = new.stop
        gates = nodes.as_left[left].add_(nodes.as_right[right])
        gates[:, size : 3 * size] += 1  # a new node starts out remembering its children
        gates[:, : 4 * size].sigmoid_()
        gates[:, 4 * size :].tanh_()
        i, f_left, f_right, o, g = gates.chunk(5, dim=1)
        h, c = self.states[new].chunk(2, dim=1)
        torch.mul(f_left, nodes.states[left, size:], out=c)
        c.addcmul_(f_right, nodes.states[right, size:]).addcmul_(i, g)
        torch.mul(o, c.tanh(), out=h)
        self.scores[new] = h @ self.cell.query * self.cell.scale
        self.left[new], self.right[new] = left, right
        if len(self.gates):
            self.gates[new] = gates
        return torch.arange(new.start, new.stop)


@dataclass(frozen=True)
class Choice:
    """What the sample of one level chose from: its P pairs, flat, of sequences with more than one."""

    where: Tensor  # (N, n) bool: the places of the P pairs in the table of the level
    soft: Tensor  # (N, n) the softmax of scores and noise, 0 elsewhere
    candidate: Tensor  # (P,) the pair's candidate
    left: Tensor  # (P,) its children
    right: Tensor  # (P,)
    after: Tensor  # (P,) the node at the pair's position one level up


@dataclass(frozen=True)
class Level:
    """One merge in every sequence that is not done."""

    chosen: Tensor  # (R,) the candidates that became nodes
    parents: Tensor  # (R,) the nodes that they became
    choice: Choice | None  # in training


@dataclass(frozen=True)
class Forest:
    """The trees of a batch: the pools, the levels and where the roots are."""

    nodes: Tensor  # (T, 2D) the pool's states
    candidates: Candidates
    levels: list[Level]
    roots: Tensor  # (N,) positions in nodes
    merges: Tensor  # (N, longest - 1)


def grow(cell: Cell, leaves: Tensor, lengths: Tensor, noise: Tensor | None, keep: bool) -> Forest:
    """Build the trees over leaves (sum of lengths, 2D), those of one sequence behind those of another.

    noise: (N, levels, pairs), added to the scores; None: greedy. keep: remember what the gradient needs.
    """
    longest = int(lengths.max())
    pools = Nodes(cell, leaves, len(leaves) + int((lengths - 1).sum()))
    # n-1 candidates at the start; each merge but the last makes at most two.
    pool = Candidates(cell, leaves, int((3 * lengths - 5).clamp(min=0).sum()), keep)
    nodes = _table(lengths, longest)
    candidates = _table(lengths - 1, longest - 1)
    first = torch.arange(longest - 1) < lengths[:, None] - 1
    pool.add(pools, nodes[:, :-1][first], nodes[:, 1:][first])
    levels, merges = [], []
    for level in range(longest - 1):
        pairs = lengths - 1 - level
        places = torch.arange(longest - 1 - level)
        valid = places < pairs[:, None]
        scores = pool.scores[candidates]
        scores = scores if noise is None else scores + noise[:, level, : len(places)]
        scores = scores.masked_fill(~valid, torch.finfo(scores.dtype).min)
        pick = scores.argmax(1)
        rows = (pairs > 0).nonzero()[:, 0]
        chosen = candidates[rows, pick[rows]]
        parents = pools.add(pool.states[chosen])
        above = _move_up(nodes, pick, rows, parents)
        if keep:
            where = valid & (pairs > 1)[:, None]  # the last merge has no choice
            soft = scores.softmax(1).to(leaves.dtype) * where
            choice = None if noise is None else _choice(where, soft, candidates, nodes, above)
            levels.append(Level(chosen, parents, choice))
        merges.append(torch.where(pairs > 0, pick, -1))
        candidates = _renew(candidates, pick, pairs, above, pool, pools)
        nodes = above
    merged = torch.stack(merges, 1) if merges else lengths.new_empty(len(lengths), 0)
    return Forest(pools.states, pool, levels, nodes[:, 0], merged)


def _table(counts: Tensor, width: int) -> Tensor:
    """(N, width): positions of the items of each sequence in a flat list; behind its count any valid one."""
    starts = counts.cumsum(0) - counts
    return (starts[:, None] + torch.arange(width)).clamp(max=max(int(counts.sum()) - 1, 0))


def _move_up(nodes: Tensor, pick: Tensor, rows: Tensor, parents: Tensor) -> Tensor:
    """The table of nodes one level up; rows that are done have their root at 0 and keep it."""
    left = torch.arange(nodes.shape[1] - 1) <= pick[:, None]
    above = torch.where(left, nodes[:, :-1], nodes[:, 1:])
    above[rows, pick[rows]] = parents
    return above


def _renew(
    candidates: Tensor, pick: Tensor, pairs: Tensor, above: Tensor, pool: Candidates, nodes: Nodes
) -> Tensor:
    """The table of candidates one level up: only the two pairs with the new node in them are composed."""
    left = torch.arange(candidates.shape[1] - 1) <= pick[:, None]
    table = torch.where(left, candidates[:, :-1], candidates[:, 1:])
    as_right = ((pairs > 1) & (pick > 0)).nonzero()[:, 0]
    as_left = (pick < pairs - 1).nonzero()[:, 0]
    rows = torch.cat([as_right, as_left])
    places = torch.cat([pick[as_right] - 1, pick[as_left]])
    table[rows, places] = pool.add(nodes, above[rows, places], above[rows, places + 1])
    return table


def _choice(where: Tensor, soft: Tensor, candidates: Tensor, nodes: Tensor, above: Tensor) -> Choice:
    return Choice(where, soft, candidates[where], nodes[:, :-1][where], nodes[:, 1:][where], above[where])
