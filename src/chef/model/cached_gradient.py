"""The exact straight-through gradient of the cached Gumbel Tree-LSTM.

It is the gradient that autograd finds through every candidate of every level. A candidate that is
not chosen matters through its score alone, so its gradient is d q / sqrt(D) with a number d for each
level it lives at. What one unit of score asks of its two children is therefore computed once per
candidate and scaled by d at each level; the weights see the sum of d over the levels.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from chef.model.cached_tree import Candidates, Cell, Choice, Forest, grow


def encode_cached(
    cell: Cell, leaves: Tensor, lengths: Tensor, noise: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Roots h, c (N, D) and merges (N, longest - 1) of the trees over leaves (sum of lengths, 2D)."""
    keep = torch.is_grad_enabled()
    arguments = (leaves, cell.weight, cell.bias, cell.query, lengths, noise, keep)
    h, c, merges = _CachedTree.apply(*arguments)  # type: ignore[no-untyped-call]
    return h, c, merges


class _CachedTree(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        leaves: Tensor,
        weight: Tensor,
        bias: Tensor,
        query: Tensor,
        lengths: Tensor,
        noise: Tensor | None,
        keep: bool,
    ) -> tuple[Tensor, Tensor, Tensor]:
        keep = keep and any(ctx.needs_input_grad)
        forest = grow(Cell(weight, bias, query), leaves, lengths, noise, keep)
        h, c = forest.nodes[forest.roots].chunk(2, dim=1)
        if keep:
            ctx.save_for_backward(weight, bias, query)
            ctx.forest, ctx.leaves = forest, len(leaves)
        ctx.mark_non_differentiable(forest.merges)
        return h.contiguous(), c.contiguous(), forest.merges

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_h: Tensor, grad_c: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        with torch.autocast("cpu", enabled=False):
            cell = Cell(*ctx.saved_tensors)
            grads = _Backward(cell, ctx.forest).run(torch.cat([grad_h, grad_c], dim=1), ctx.leaves)
        needed = [grad if need else None for grad, need in zip(grads, ctx.needs_input_grad, strict=False)]
        return (*needed, None, None, None)


class _Backward:
    """One pass from the roots to the leaves."""

    def __init__(self, cell: Cell, forest: Forest) -> None:
        self.cell, self.forest, self.pool = cell, forest, forest.candidates
        self.made = slice(0, self.pool.used)
        self.grads = torch.zeros_like(forest.nodes)  # of every node's [h | c], so far
        self.total = cell.query.new_zeros(self.pool.used)  # of every candidate's score, over the levels
        self.sampled = any(level.choice is not None for level in forest.levels)

    def run(self, roots: Tensor, leaves: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of leaves, weight, bias and query, given that of the roots [h | c]."""
        self.grads[self.forest.roots] = roots
        if self.sampled:
            self._unit_scores()
        gates = []
        for level in reversed(self.forest.levels):
            d = None if level.choice is None else self._score_gradient(level.choice)
            gate, left, right = _pull_back(
                self.cell, self.pool, self.forest.nodes, level.chosen, self.grads[level.parents]
            )
            gates.append(gate)
            # The children are gone above this level, so nothing has reached them yet.
            self.grads[self.pool.left[level.chosen]] = left
            self.grads[self.pool.right[level.chosen]] = right
            if level.choice is not None and d is not None:
                self._spread(level.choice, d)
        return self.grads[:leaves], *self._parameters(gates)

    def _unit_scores(self) -> None:
        """What one unit of each candidate's score asks of its gates and of its children."""
        ask = torch.cat([self.cell.query * self.cell.scale, torch.zeros_like(self.cell.query)])
        every = torch.arange(self.pool.used)
        self.unit_gates, self.unit_left, self.unit_right = _pull_back(
            self.cell, self.pool, self.forest.nodes, every, ask.expand(len(every), -1)
        )

    def _score_gradient(self, choice: Choice) -> Tensor:
        """d (P,), the gradient of the scores of one level.

        With the sample y, its running sum C, candidates P and nodes S, the level above is
        new_j = y_j P_j + (1 - C_j) S_j + (C_j - y_j) S_{j+1}. With G the gradient of new,
        dL/dy_k = <G_k, P_k> - <G_k, S_{k+1}> + sum over j >= k of <G_j, S_{j+1} - S_j>;
        the softmax turns it into d.
        """
        nodes, g = self.forest.nodes, self.grads[choice.after]
        parent = torch.linalg.vecdot(g, self.pool.states[choice.candidate])
        left, right = (torch.linalg.vecdot(g, nodes[child]) for child in (choice.left, choice.right))
        here, moved = (torch.zeros_like(choice.soft) for _ in range(2))
        here[choice.where] = parent - right
        moved[choice.where] = right - left
        dy = here + moved.flip(1).cumsum(1).flip(1)
        d = choice.soft * (dy - (choice.soft * dy).sum(1, keepdim=True))
        return d[choice.where]

    def _spread(self, choice: Choice, d: Tensor) -> None:
        """Hand the scores' gradient to the children; a node is at most one pair's left and one's right."""
        self.grads[choice.left] += d[:, None] * self.unit_left[choice.candidate]
        self.grads[choice.right] += d[:, None] * self.unit_right[choice.candidate]
        self.total[choice.candidate] += d

    def _parameters(self, gates: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of weight, bias and query, from those of the chosen candidates' gates."""
        if not gates:  # lone leaves
            return torch.zeros_like(self.cell.weight), torch.zeros_like(self.cell.bias), self.cell.query * 0
        chosen = torch.cat([level.chosen for level in reversed(self.forest.levels)])
        every = torch.cat(gates)
        left, right = self.pool.left[chosen], self.pool.right[chosen]
        if self.sampled:
            scored = self.unit_gates * self.total[:, None]
            scored[chosen] += every
            every, left, right = scored, self.pool.left[self.made], self.pool.right[self.made]
        h = self.forest.nodes[:, : self.cell.hidden]
        # A node is a child of several candidates: their gates' gradients meet there before the product.
        met = (every.new_zeros(len(h), every.shape[1]).index_add_(0, child, every) for child in (left, right))
        weight = torch.cat([gate.T @ h for gate in met], dim=1)
        query = self.total @ self.pool.states[self.made, : self.cell.hidden] * self.cell.scale
        return weight, every.sum(0), query


def _pull_back(
    cell: Cell, pool: Candidates, nodes: Tensor, which: Tensor, grad: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The vector-Jacobian product of Eq. 2-4: from candidates' [h | c] to gates, left and right child."""
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
    left, right = (gates @ half for half in cell.halves)
    return gates, torch.cat([left, grad_c * f_left], dim=1), torch.cat([right, grad_c * f_right], dim=1)
