"""The Gumbel Tree-LSTM (Eq. 2-4 of the paper, after Choi et al. 2018): it learns which nodes to join.

At each level all adjacent pairs are candidate parents. The score of a candidate is <q, h> / sqrt(D).
In training a straight-through Gumbel-softmax sample picks the pair that is joined: the forward pass
takes one candidate, the gradient is that of the softmax. In evaluation the best score is taken.

The trees, states and gradients are the same by every way; which one runs shows in the time alone:
`cached_tree` on a CPU, `fast_tree` on a GPU, `known_tree` for given trees, `obvious_tree` elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.cached_gradient import encode_cached
from chef.model.cached_tree import Cell
from chef.model.devices import has_triton
from chef.model.known_tree import encode_known
from chef.model.noise import RandomNoise
from chef.model.obvious_tree import encode_obvious


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

    @property
    def cell(self) -> Cell:
        return Cell(self.composition.weight, self.composition.bias, self.query)

    def forward(
        self, x: Tensor, lengths: Tensor, *, noise: Tensor | None = None, merges: Tensor | None = None
    ) -> TreeStates:
        """Encode x (N, L, in), whose i-th sequence has lengths[i] items, 1 to L.

        lengths: best on the CPU, even where x is not: all launches are planned from them.
        noise: (N, >= L-1, >= L-1), Gumbel noise of sequence, level and candidate; used in training
        only, drawn here if not given. merges: (N, >= L-1) long, a structure to encode instead of
        choosing one.
        """
        if merges is not None:
            return self._encode_known(x, lengths.cpu(), merges)
        if noise is None and self.training:
            noise = RandomNoise().gumbel(len(x), x.shape[1] - 1, like=x)
        noise = noise if self.training else None
        if torch.compiler.is_exporting():  # a graph cannot depend on the lengths, nor on the trees
            return TreeStates(*encode_obvious(self.cell, self.leaf(x), lengths, noise))
        if x.device.type == "cpu":
            h, c, chosen = self._encode_cached(x, lengths, noise)
        elif x.device.type == "cuda" and has_triton():
            h, c, chosen = self._encode_fast(x, lengths.cpu(), noise)
        else:
            h, c, chosen = encode_obvious(self.cell, self.leaf(x), lengths.to(x.device), noise)
        return TreeStates(h, c, F.pad(chosen, (0, x.shape[1] - 1 - chosen.shape[1]), value=-1))

    def _encode_cached(
        self, x: Tensor, lengths: Tensor, noise: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """All sequences at once, padding left out, in the precision of the weights."""
        with torch.autocast("cpu", enabled=False):
            leaves = self.leaf(_items(x, lengths).to(self.query.dtype))
            return encode_cached(self.cell, leaves, lengths, noise)

    def _encode_fast(self, x: Tensor, lengths: Tensor, noise: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """All sequences at once, padding left out, in bf16 under autocast."""
        from chef.model.graphed_tree import encode_fast  # Triton comes with torch for GPUs only

        return encode_fast(self, self.cell, self.leaf(_items(x, lengths)), lengths, noise)

    def _encode_known(self, x: Tensor, lengths: Tensor, merges: Tensor) -> TreeStates:
        h, c = encode_known(self.cell, self.leaf(_items(x, lengths)), lengths, merges)
        within = torch.arange(x.shape[1] - 1) < lengths[:, None] - 1
        return TreeStates(h, c, merges[:, : x.shape[1] - 1].masked_fill(~within.to(merges.device), -1))


def _items(x: Tensor, lengths: Tensor) -> Tensor:
    """The items (sum of lengths, in) of padded sequences, those of one behind those of another."""
    # numpy: torch would wake all cores for this little. index_select: the way back of x[kept] would sort.
    kept = np.flatnonzero(np.arange(x.shape[1]) < lengths.numpy()[:, None])
    return x.flatten(0, 1).index_select(0, torch.from_numpy(kept).to(x.device, non_blocking=True))
