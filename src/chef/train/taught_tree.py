"""Teaching a tree which leaf to leave for last.

A leaf that is merged last hangs right under the root, or one edge below where it stands between others: it
is among the shallowest, which the tree names.
Where the data know which leaf that should be (the heaviest ingredient of a recipe), each choice of the
Gumbel Tree-LSTM can be judged: a pair without that leaf is right, a pair with it is wrong, as long as
there is another. Where it stands between two last nodes, it is right to join it with the one whose own leaves
are nearer, for the other's will be as far from the root as they can. The loss is the cross-entropy of the
right pairs, summed over the levels; the tree grows on by the best right pair.
"""

from __future__ import annotations

import torch
from torch import Tensor

from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.reference import compose


def taught_losses(lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, last: Tensor) -> Tensor:
    """How far the choices are from leaving leaf `last[i]` of sequence i for last, (N,).

    x: (N, L, in), lengths: (N,), last: (N,) positions; all on one device. Sequences of two leaves or fewer
    leave no choice and cost nothing.

    >>> taught_losses(encoder.lstm, words, lengths, heaviest).mean().backward()
    """
    cell = lstm.cell
    h, c = lstm.leaf(x).chunk(2, dim=-1)
    total = x.new_zeros(len(x), dtype=torch.float32)
    nearest = lengths.new_zeros(x.shape[:2])  # edges from each node to the nearest leaf below it
    for level in range(x.shape[1] - 2):
        places = torch.arange(h.shape[1] - 1, device=x.device)
        valid = places < (lengths - 1 - level)[:, None]
        right = valid & (places != last[:, None]) & (places != last[:, None] - 1)
        between = (lengths - level == 3) & (last == 1)
        left, other = nearest[:, :1], nearest[:, 2:3]
        nearer = torch.where(places == 0, left <= other, (places == 1) & (other <= left))
        right = torch.where(between[:, None], nearer, right)
        parents = compose(cell, (h[:, :-1], c[:, :-1]), (h[:, 1:], c[:, 1:]))
        scores = (parents[0] @ cell.query.to(h.dtype) * cell.scale).float()
        lowest = torch.finfo(scores.dtype).min
        chance = scores.masked_fill(~valid, lowest).log_softmax(1).masked_fill(~right, lowest)
        some = right.any(1)
        total = total - torch.where(some, chance.logsumexp(1), 0.0)
        open_ = torch.where(some[:, None], right, valid)
        pick = scores.masked_fill(~open_, lowest).argmax(1)
        last = last - (pick < last).long()
        h, c = (_moved_up(nodes, new, pick) for nodes, new in zip((h, c), parents, strict=True))
        joined = torch.minimum(nearest[:, :-1], nearest[:, 1:]) + 1
        nearest = _moved_up(nearest[:, :, None], joined[:, :, None], pick)[:, :, 0]
    return total


def _moved_up(nodes: Tensor, parents: Tensor, pick: Tensor) -> Tensor:
    """The nodes one level up: left of the picked pair as before, the parent, the rest moved by one."""
    places = torch.arange(parents.shape[1], device=nodes.device)[:, None]
    at = pick[:, None, None]
    return torch.where(places < at, nodes[:, :-1], torch.where(places == at, parents, nodes[:, 1:]))
