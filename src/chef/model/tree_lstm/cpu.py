"""The Gumbel Tree-LSTM on a CPU: the same trees with about 3n compositions instead of n²/2.

After the merge of pair k only the candidates k-1 and k change; all others are kept. Nodes and candidates
of all sequences lie in flat pools, and a level is a table of positions in them. Sequences of all lengths
share the pools, and none pays for padding.

The gradient is exactly the straight-through gradient that autograd finds through every candidate at every
level. A candidate that is not chosen matters through its score only, so its gradient is d q / sqrt(D) with a
number d for each level it lives at. The vector-Jacobian product of one unit of score with respect to the two
children is therefore computed once per candidate and scaled by d at each level; the weights see the sum of d
over the levels. Where choices are taught (`Lesson`), d is known as soon as the choice is made.

Under autocast the products with the weight, and nothing else, are in half precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

_AT_ONCE = 1024  # candidates whose gradients stay in a core's cache


@dataclass(frozen=True)
class Cell:
    """The parameters of the composition (Eq. 2-4) and the query that scores its results."""

    weight: Tensor  # (5D, 2D)
    bias: Tensor  # (5D,)
    query: Tensor  # (D,)
    products: torch.dtype | None = None  # of the large matrix products on a CPU, if not that of the weight

    @property
    def hidden(self) -> int:
        return len(self.query)

    @property
    def scale(self) -> float:
        return 1 / math.sqrt(self.hidden)

    @cached_property
    def halves(self) -> tuple[Tensor, Tensor]:
        """The part of the weight for the left child's h and the part for the right child's, (5D, D) each."""
        left, right = torch.split(self.weight, self.hidden, 1)
        return self.rounded(left), self.rounded(right)

    def rounded(self, x: Tensor) -> Tensor:
        """x as it enters a product."""
        return x if self.products is None else x.to(self.products)

    def single(self) -> Cell:
        """The same in single precision."""
        return Cell(self.weight.float(), self.bias.float(), self.query.float())


def encode_cpu(
    cell: Cell, leaves: Tensor, lengths: Tensor, noise: Tensor | None, which: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Roots h, c (N, D) and merges (N, longest - 1) of the trees over leaves (sum of lengths, 2D).

    which: of fewer, different leaves, where each of the items (sum of lengths,) is; without a gradient.
    """
    keep = torch.is_grad_enabled()
    if which is not None:
        forest = grow(cell, leaves, lengths, noise, False, which)
        h, c = forest.nodes[forest.roots].chunk(2, dim=1)
        return h, c, forest.merges
    arguments = (leaves, cell.weight, cell.bias, cell.query, lengths, noise, None, keep, cell.products)
    h, c, merges, _ = _CpuTree.apply(*arguments)  # type: ignore[no-untyped-call]
    return h, c, merges


def teach_cpu(cell: Cell, leaves: Tensor, lengths: Tensor, last: Tensor) -> Tensor:
    """The loss (N,) of the choices of trees over leaves (sum of lengths, 2D); see `GumbelTreeLSTM.teach`."""
    keep = torch.is_grad_enabled()
    arguments = (leaves, cell.weight, cell.bias, cell.query, lengths, None, last, keep, cell.products)
    losses: Tensor = _CpuTree.apply(*arguments)[3]  # type: ignore[no-untyped-call]
    return losses


class _CpuTree(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        leaves: Tensor,
        weight: Tensor,
        bias: Tensor,
        query: Tensor,
        lengths: Tensor,
        noise: Tensor | None,
        last: Tensor | None,
        keep: bool,
        products: torch.dtype | None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        keep = keep and any(ctx.needs_input_grad)
        lesson = None if last is None else Lesson(last, len(leaves) + int((lengths - 1).sum()), leaves)
        forest = grow(Cell(weight, bias, query, products), leaves, lengths, noise, keep, lesson=lesson)
        h, c = forest.nodes[forest.roots].chunk(2, dim=1)
        if keep:
            ctx.save_for_backward(weight, bias, query)
            ctx.forest, ctx.leaves, ctx.taught = forest, len(leaves), lesson is not None
            ctx.products = products
        ctx.mark_non_differentiable(forest.merges)
        losses = leaves.new_zeros(len(lengths)) if lesson is None else lesson.losses
        return h.contiguous(), c.contiguous(), forest.merges, losses

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, grad_h: Tensor, grad_c: Tensor, _: Tensor, grad_losses: Tensor
    ) -> tuple[Tensor | None, ...]:
        with torch.autocast("cpu", enabled=False):
            weight, bias, query = ctx.saved_tensors
            cell = Cell(weight, bias, query, ctx.products)
            backward = _Backward(cell, ctx.forest, grad_losses if ctx.taught else None)
            grads = backward.run(torch.cat([grad_h, grad_c], dim=1), ctx.leaves)
        needed = [grad if need else None for grad, need in zip(grads, ctx.needs_input_grad, strict=False)]
        return (*needed, None, None, None, None, None)


class Nodes:
    """The leaves followed by the merged nodes: their states [h | c] and products with the weight.

    The products are kept because a node is a child of several candidates.
    """

    def __init__(self, cell: Cell, leaves: Tensor, capacity: int) -> None:
        self.cell = cell
        self.states = leaves.new_empty(capacity, leaves.shape[1])
        self.as_left, self.as_right = (leaves.new_empty(capacity, len(cell.bias)) for _ in range(2))
        self.states[: len(leaves)] = leaves
        h = cell.rounded(leaves[:, : cell.hidden])
        left, right = cell.halves
        self.as_left[: len(h)] = h @ left.T
        self.as_left[: len(h)] += cell.bias
        self.as_right[: len(h)] = h @ right.T
        self.used = len(leaves)

    def add(self, states: Tensor, lefts: Tensor, rights: Tensor) -> Tensor:
        """Add nodes to the pool; returns their positions in it.

        lefts: which of them have a right neighbour, and so may be left children; rights: the reverse.
        """
        new = slice(self.used, self.used + len(states))
        self.used = new.stop
        self.states[new] = states
        h = self.cell.rounded(states[:, : self.cell.hidden])
        left, right = self.cell.halves
        self.as_left[new.start + lefts] = (h[lefts] @ left.T) + self.cell.bias
        self.as_right[new.start + rights] = (h[rights] @ right.T).to(states.dtype)
        return torch.arange(new.start, new.stop)


class Candidates:
    """Every parent that was considered: its children, score, state [h | c] and, if kept, gates."""

    def __init__(self, cell: Cell, like: Tensor, capacity: int, keep_gates: bool) -> None:
        self.cell = cell
        self.states = like.new_empty(capacity, 2 * cell.hidden)
        self.gates = like.new_empty(capacity if keep_gates else 0, 5 * cell.hidden)
        self.scores = like.new_empty(capacity)
        self.left, self.right = (torch.empty(capacity, dtype=torch.long) for _ in range(2))
        self.used = 0

    def add(self, nodes: Nodes, left: Tensor, right: Tensor) -> Tensor:
        """Compose pairs of nodes (Eq. 2-4); returns the positions of the results in the pool."""
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
    """The P pairs that one level was sampled from, flat, in sequences with more than one."""

    where: Tensor  # (N, n) bool: the positions of the P pairs in the level's table
    soft: Tensor  # (N, n) the softmax of scores plus noise, or what a lesson says instead; 0 elsewhere
    candidate: Tensor  # (P,) the pair's candidate
    left: Tensor  # (P,) its children
    right: Tensor  # (P,)
    after: Tensor  # (P,) the node at the pair's position one level up


@dataclass(frozen=True)
class Level:
    """One merge in every unfinished sequence."""

    chosen: Tensor  # (R,) the candidates that became nodes
    parents: Tensor  # (R,) the nodes that they became
    choice: Choice | None  # in training only


class Lesson:
    """Which leaf of each sequence should be merged last, and what the choices so far have cost.

    A pair without that leaf is right. If it stands between the two last nodes, it should join the one whose
    own leaves are nearer. A choice costs the cross-entropy of the right pairs, and the best of them is taken.

    last: (N,) positions of leaves; nodes: how many there will be.
    """

    def __init__(self, last: Tensor, nodes: int, like: Tensor) -> None:
        self.last = last.clone()  # of the leaf, one level up after another
        self.nearest = last.new_zeros(nodes)  # edges from each node to the nearest leaf below it
        self.losses = like.new_zeros(len(last))

    def choose(self, scores: Tensor, valid: Tensor, nodes: Tensor) -> tuple[Tensor, Tensor]:
        """Scores (N, n) of the pairs of adjacent nodes (N, n + 1) -> the picked pairs (N,), and d (N, n)."""
        places, last = torch.arange(scores.shape[1]), self.last[:, None]
        right = valid & (places != last) & (places != last - 1)
        if scores.shape[1] > 1:
            between = (valid.sum(1) == 2) & (self.last == 1)
            left, other = (self.nearest[nodes[:, place : place + 1]] for place in (0, 2))
            nearer = torch.where(places == 0, left <= other, (places == 1) & (other <= left))
            right = torch.where(between[:, None], nearer, right)
        some, lowest = right.any(1), torch.finfo(scores.dtype).min
        among = scores.masked_fill(~right, lowest)
        losses = torch.logsumexp(scores, 1) - torch.logsumexp(among, 1)
        self.losses += losses.masked_fill(~some, 0)
        d = (scores.softmax(1) - among.softmax(1)).masked_fill(~some[:, None], 0)
        pick = torch.where(some[:, None], among, scores).argmax(1)
        self.last = self.last - (pick < self.last).long()
        return pick, d

    def join(self, parents: Tensor, left: Tensor, right: Tensor) -> None:
        """Take note of new nodes and their children."""
        self.nearest[parents] = torch.minimum(self.nearest[left], self.nearest[right]) + 1


@dataclass(frozen=True)
class Forest:
    """The trees of a batch: the pools, the levels and the positions of the roots."""

    nodes: Tensor  # (T, 2D) the pool's states
    candidates: Candidates
    levels: list[Level]
    roots: Tensor  # (N,) positions in nodes
    merges: Tensor  # (N, longest - 1)


def grow(
    cell: Cell,
    leaves: Tensor,
    lengths: Tensor,
    noise: Tensor | None,
    keep: bool,
    which: Tensor | None = None,
    lesson: Lesson | None = None,
) -> Forest:
    """Build the trees over leaves (sum of lengths, 2D), one sequence after another.

    noise: (N, levels, pairs), added to the scores; None: greedy. keep: store what the backward pass needs.
    which: see `encode_cpu`; not with `keep`, since a leaf has one gradient. lesson: judges each choice.
    """
    longest = int(lengths.max())
    pools = Nodes(cell, leaves, len(leaves) + int((lengths - 1).sum()))
    # n-1 candidates at the start; every merge except the last adds at most two.
    pool = Candidates(cell, leaves, int((3 * lengths - 5).clamp(min=0).sum()), keep)
    nodes = _table(lengths, longest)
    nodes = nodes if which is None else which[nodes]
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
        pick, d = (scores.argmax(1), None) if lesson is None else lesson.choose(scores, valid, nodes)
        rows = (pairs > 0).nonzero()[:, 0]
        chosen = candidates[rows, pick[rows]]
        lefts, rights = (pick[rows] < pairs[rows] - 1).nonzero()[:, 0], (pick[rows] > 0).nonzero()[:, 0]
        parents = pools.add(pool.states[chosen], lefts, rights)
        # The table of nodes one level up; finished rows keep their root at 0.
        above = torch.where(places <= pick[:, None], nodes[:, :-1], nodes[:, 1:])
        above[rows, pick[rows]] = parents
        if lesson is not None:
            lesson.join(parents, pool.left[chosen], pool.right[chosen])
        if keep:
            where = valid & (pairs > 1)[:, None]  # the last merge has no choice
            soft = (scores.softmax(1) if d is None else d).to(leaves.dtype) * where
            choice = None
            if noise is not None or lesson is not None:
                left, right = nodes[:, :-1][where], nodes[:, 1:][where]
                choice = Choice(where, soft, candidates[where], left, right, above[where])
            levels.append(Level(chosen, parents, choice))
        merges.append(torch.where(pairs > 0, pick, -1))
        # The table of candidates one level up: only the two pairs with the new node are composed.
        is_left = torch.arange(candidates.shape[1] - 1) <= pick[:, None]
        candidates = torch.where(is_left, candidates[:, :-1], candidates[:, 1:])
        rows = torch.cat([rows[rights], rows[lefts]])
        new = pick[rows]
        new[: len(rights)] -= 1
        candidates[rows, new] = pool.add(pools, above[rows, new], above[rows, new + 1])
        nodes = above
    merged = torch.stack(merges, 1) if merges else lengths.new_empty(len(lengths), 0)
    return Forest(pools.states, pool, levels, nodes[:, 0], merged)


def _table(counts: Tensor, width: int) -> Tensor:
    """(N, width): positions of the items of each sequence in a flat list; any valid one beyond its count."""
    starts = counts.cumsum(0) - counts
    return (starts[:, None] + torch.arange(width)).clamp(max=max(int(counts.sum()) - 1, 0))


class _Backward:
    """The backward pass, from the roots to the leaves; losses: the gradient of a lesson's, (N,)."""

    def __init__(self, cell: Cell, forest: Forest, losses: Tensor | None = None) -> None:
        self.cell, self.forest, self.pool, self.losses = cell, forest, forest.candidates, losses
        self.made = slice(0, self.pool.used)
        self.grads = torch.zeros_like(forest.nodes)  # with respect to every node's [h | c], so far
        self.total = cell.query.new_zeros(self.pool.used)  # d of every candidate, summed over levels
        self.sampled = any(level.choice is not None for level in forest.levels)

    def run(self, roots: Tensor, leaves: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of leaves, weight, bias and query from that of the roots [h | c]."""
        self.grads[self.forest.roots] = roots
        if self.sampled:
            # The gradient of one unit of each candidate's score with respect to its gates and children.
            unit = torch.cat([self.cell.query * self.cell.scale, torch.zeros_like(self.cell.query)])
            count, half = self.pool.used, self.cell.products or unit.dtype
            self.unit_gates = unit.new_empty(count, len(self.cell.bias), dtype=half)
            self.unit_left, self.unit_right = (unit.new_empty(count, len(unit), dtype=half) for _ in range(2))
            whole = (self.unit_gates, self.unit_left, self.unit_right)
            for some in torch.split(torch.arange(count), _AT_ONCE):
                parts = _compose_backward(
                    self.cell, self.pool, self.forest.nodes, some, unit.expand(len(some), -1)
                )
                for place, part in zip(whole, parts, strict=True):
                    place[some[0] : some[-1] + 1] = part
        gates = []
        for level in reversed(self.forest.levels):
            d = None if level.choice is None else self._score_gradient(level.choice)
            gate, left, right = _compose_backward(
                self.cell, self.pool, self.forest.nodes, level.chosen, self.grads[level.parents]
            )
            gates.append(gate)
            # The children do not exist above this level, so they have no gradient yet.
            self.grads[self.pool.left[level.chosen]] = left
            self.grads[self.pool.right[level.chosen]] = right
            if (choice := level.choice) is not None and d is not None:
                # Pass the gradient of the scores on to the children.
                self.grads[choice.left] += d[:, None] * self.unit_left[choice.candidate]
                self.grads[choice.right] += d[:, None] * self.unit_right[choice.candidate]
                self.total[choice.candidate] += d
        return self.grads[:leaves], *self._parameters(gates)

    def _score_gradient(self, choice: Choice) -> Tensor:
        """d (P,), the gradient of the scores of one level.

        Of a taught choice it is known but for the gradient of the loss. Otherwise, with the sample y, its
        running sum C, candidates P and nodes S, the level above is new_j = y_j P_j + (1 - C_j) S_j +
        (C_j - y_j) S_{j+1}. With G the gradient of new, dL/dy_k = <G_k, P_k> - <G_k, S_{k+1}> +
        sum over j >= k of <G_j, S_{j+1} - S_j>; the softmax turns it into d.
        """
        if self.losses is not None:
            return (choice.soft * self.losses[:, None])[choice.where]
        nodes, g = self.forest.nodes, self.grads[choice.after]
        parent = torch.linalg.vecdot(g, self.pool.states[choice.candidate])
        left, right = (torch.linalg.vecdot(g, nodes[child]) for child in (choice.left, choice.right))
        here, moved = (torch.zeros_like(choice.soft) for _ in range(2))
        here[choice.where] = parent - right
        moved[choice.where] = right - left
        dy = here + moved.flip(1).cumsum(1).flip(1)
        d = choice.soft * (dy - (choice.soft * dy).sum(1, keepdim=True))
        return d[choice.where]

    def _parameters(self, gates: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of weight, bias and query from those of the chosen candidates' gates."""
        if not gates:  # single leaves only
            return torch.zeros_like(self.cell.weight), torch.zeros_like(self.cell.bias), self.cell.query * 0
        chosen = torch.cat([level.chosen for level in reversed(self.forest.levels)])
        every = torch.cat(gates)
        left, right = self.pool.left[chosen], self.pool.right[chosen]
        if self.sampled:
            scored = self.unit_gates * self.total[:, None]
            scored[chosen] += every
            every, left, right = scored, self.pool.left[self.made], self.pool.right[self.made]
        h = self.cell.rounded(self.forest.nodes[:, : self.cell.hidden])
        # A node is a child of several candidates: sum the gradients of their gates before the product.
        summed = (
            every.new_zeros(len(h), every.shape[1]).index_add_(0, child, every) for child in (left, right)
        )
        weight = torch.cat([self.cell.rounded(gate).T @ h for gate in summed], dim=1).to(every.dtype)
        query = self.total @ self.pool.states[self.made, : self.cell.hidden] * self.cell.scale
        return weight, every.sum(0), query


def _compose_backward(
    cell: Cell, pool: Candidates, nodes: Tensor, which: Tensor, grad: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The backward pass of Eq. 2-4: from candidates' [h | c] to gates, left and right child."""
    size = cell.hidden
    i, f_left, f_right, o, g = pool.gates[which].chunk(5, dim=1)
    grad_h, grad_c = grad.chunk(2, dim=1)
    squashed = pool.states[which, size:].tanh_()
    grad_c = grad_c + grad_h * o * (1 - squashed * squashed)
    gates = torch.empty_like(pool.gates[: len(which)])
    outer = (
        grad_c * g * i,
        grad_c * nodes[pool.left[which], size:] * f_left,
        grad_c * nodes[pool.right[which], size:] * f_right,
        grad_h * squashed * o,
    )
    for part, product, gate in zip(gates.chunk(5, dim=1), outer, (i, f_left, f_right, o), strict=False):
        torch.mul(product, 1 - gate, out=part)
    torch.mul(grad_c * i, 1 - g * g, out=gates[:, 4 * size :])
    rounded = cell.rounded(gates)
    left, right = ((rounded @ half).to(gates.dtype) for half in cell.halves)
    return gates, torch.cat([left, grad_c * f_left], dim=1), torch.cat([right, grad_c * f_right], dim=1)
