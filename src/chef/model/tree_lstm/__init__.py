"""The Gumbel Tree-LSTM (Eq. 2-4 of the paper, after Choi et al. 2018): it learns which nodes to join.

At each level all adjacent pairs are candidate parents. The score of a candidate is <q, h> / sqrt(D).
In training a straight-through Gumbel-softmax sample picks the pair that is joined: the forward pass
takes one candidate, the gradient is that of the softmax. In evaluation the best score is taken.

Every implementation gives the same trees, states and gradients and differs in speed only: `cpu`, `gpu` (with
its Triton `kernels` and its memory `plan`), `reference` everywhere else and for given trees.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.noise import RandomNoise, has_triton
from chef.model.tree_lstm.cpu import Cell, encode_cpu, teach_cpu
from chef.model.tree_lstm.plan import ForestPlan
from chef.model.tree_lstm.reference import encode_known, encode_reference, teach_reference


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
        nn.init.kaiming_normal_(self.leaf.weight)
        nn.init.zeros_(self.leaf.bias)
        nn.init.orthogonal_(self.composition.weight)
        nn.init.zeros_(self.composition.bias)
        nn.init.normal_(self.query, std=0.01)

    @property
    def cell(self) -> Cell:
        half = torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else None
        return Cell(self.composition.weight, self.composition.bias, self.query, half)

    def forward(
        self,
        x: Tensor,
        lengths: Tensor | ForestPlan,
        *,
        noise: Tensor | None = None,
        merges: Tensor | None = None,
        ids: Tensor | None = None,
    ) -> TreeStates:
        """Encode x (N, L, in), whose i-th sequence has lengths[i] items, 1 to L.

        lengths: best on the CPU, even if x is not, because all launches are planned from them. With a plan
        in their place, x are the items (leaves, in), one sequence after another.
        noise: (N, >= L-1, >= L-1), Gumbel noise of sequence, level and candidate; used in training
        only, drawn here if not given. merges: (N, >= L-1) long, a structure to follow instead of
        choosing one. ids: (N, L), alike where items are; used in evaluation on a CPU, to do them once.
        """
        if isinstance(lengths, ForestPlan):
            from chef.model.tree_lstm.gpu import encode_planned

            return TreeStates(*encode_planned(self.cell, self.leaf(x), lengths, noise))
        if merges is not None:
            lengths = lengths.cpu()
            h, c = encode_known(self.cell, self.leaf(_items(x, lengths)), lengths, merges)
            within = torch.arange(x.shape[1] - 1) < lengths[:, None] - 1
            return TreeStates(h, c, merges[:, : x.shape[1] - 1].masked_fill(~within.to(merges.device), -1))
        if noise is None and self.training:
            noise = RandomNoise().gumbel(len(x), x.shape[1] - 1, like=x)
        noise = noise if self.training else None
        if torch.compiler.is_exporting():  # a graph cannot depend on the lengths, nor on the trees
            return TreeStates(*encode_reference(self.cell, self.leaf(x), lengths, noise))
        if x.device.type == "cpu":
            h, c, chosen = self._encode_cpu(x, lengths, noise, ids)
        elif x.device.type == "cuda" and has_triton():
            from chef.model.tree_lstm.gpu import encode_gpu  # Triton comes with torch for GPUs only

            lengths = lengths.cpu()
            h, c, chosen = encode_gpu(self, self.cell, self.leaf(_items(x, lengths)), lengths, noise)
        else:
            h, c, chosen = encode_reference(self.cell, self.leaf(x), lengths.to(x.device), noise)
        return TreeStates(h, c, F.pad(chosen, (0, x.shape[1] - 1 - chosen.shape[1]), value=-1))

    def teach(self, x: Tensor, lengths: Tensor, last: Tensor) -> Tensor:
        """The loss (N,) of the choices against merging leaf `last[i]` of sequence i last.

        x: (N, L, in). lengths, last: (N,), on the CPU. A pair without that leaf is right, a pair with it is
        wrong as long as there is another; if the leaf stands between the two last nodes, it should join the
        one whose own leaves are nearer. The loss is the cross-entropy of the right pairs, summed over the
        levels, and the tree grows by the best of them. A sequence of two leaves or one has no loss.

        >>> encoder.lstm.teach(words, lengths, main).mean().backward()
        """
        if x.device.type == "cpu":
            items, cell = _items(x, lengths).to(self.query.dtype), self.cell
            with torch.autocast("cpu", enabled=False):
                return teach_cpu(cell, self.leaf(items), lengths, last)
        if x.device.type == "cuda" and has_triton():
            from chef.model.tree_lstm.gpu import teach_gpu

            return teach_gpu(self, self.cell, self.leaf(_items(x, lengths)), lengths, last)
        return teach_reference(self.cell, self.leaf(x), lengths.to(x.device), last.to(x.device))

    def leaf_scores(self, x: Tensor) -> Tensor:
        """(N, L) the query's scores of the leaves themselves; a taught tree merges the lowest last."""
        weight, bias = self.leaf.weight[: self.hidden], self.leaf.bias[: self.hidden]
        return (x @ (self.query @ weight).to(x.dtype) + self.query @ bias) * self.cell.scale

    def _encode_cpu(
        self, x: Tensor, lengths: Tensor, noise: Tensor | None, ids: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """All sequences at once, without padding, in the precision of the weights."""
        items, which, cell = _items(x, lengths).to(self.query.dtype), None, self.cell
        if ids is not None and not (self.training or torch.is_grad_enabled()):
            _, first, each = np.unique(
                _items(ids[:, :, None], lengths).numpy(), return_index=True, return_inverse=True
            )
            items, which = items[torch.from_numpy(first)], torch.from_numpy(each).flatten()
        with torch.autocast("cpu", enabled=False):
            return encode_cpu(cell, self.leaf(items), lengths, noise, which)


def _items(x: Tensor, lengths: Tensor) -> Tensor:
    """The items (sum of lengths, in) of padded sequences, one sequence after another."""
    # numpy: torch would wake all cores for so little work. index_select: the backward pass of x[kept] sorts.
    kept = np.flatnonzero(np.arange(x.shape[1]) < lengths.numpy()[:, None])
    return x.flatten(0, 1).index_select(0, torch.from_numpy(kept).to(x.device, non_blocking=True))
