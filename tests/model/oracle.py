"""The Gumbel Tree-LSTM once more, slow and obvious: one sequence, one node and one formula at a time.

Nothing here is shared with `chef.model.tree_lstm` but the parameters. Autograd goes through every
candidate of every level, so its gradients are the truth that any faster way must reach.
"""

import math

import torch
from torch import Tensor

from chef.model.tree_lstm import GumbelTreeLSTM

State = tuple[Tensor, Tensor]


def parent(lstm: GumbelTreeLSTM, left: State, right: State) -> State:
    """Eq. 2-4."""
    size = lstm.hidden
    gates = lstm.composition.weight @ torch.cat([left[0], right[0]]) + lstm.composition.bias
    i = torch.sigmoid(gates[:size])
    f_left = torch.sigmoid(gates[size : 2 * size] + 1)
    f_right = torch.sigmoid(gates[2 * size : 3 * size] + 1)
    o = torch.sigmoid(gates[3 * size : 4 * size])
    g = torch.tanh(gates[4 * size :])
    c = f_left * left[1] + f_right * right[1] + i * g
    return o * torch.tanh(c), c


def encode(lstm: GumbelTreeLSTM, items: Tensor, noise: Tensor | None = None) -> tuple[State, list[int]]:
    """One sequence (n, in) -> its root and merges. noise (>= n-1, >= n-1): as in training; None: greedy."""
    size = lstm.hidden
    nodes: list[State] = []
    for item in items:
        both = lstm.leaf.weight @ item + lstm.leaf.bias
        nodes.append((both[:size], both[size:]))
    merges = []
    for level in range(len(items) - 1):
        parents = [parent(lstm, nodes[j], nodes[j + 1]) for j in range(len(nodes) - 1)]
        scores = torch.stack([lstm.query @ h for h, _ in parents]) / math.sqrt(size)
        if noise is not None:
            scores = scores + noise[level, : len(parents)]
        best = max(range(len(parents)), key=lambda j: scores[j].item())
        merges.append(best)
        hard = torch.eye(len(parents), dtype=scores.dtype)[best]
        weights = hard
        if noise is not None:
            soft = torch.exp(scores) / torch.exp(scores).sum()
            weights = hard + soft - soft.detach()
        nodes = [mix(weights, j, nodes, parents) for j in range(len(parents))]
    return nodes[0], merges


def mix(weights: Tensor, j: int, nodes: list[State], parents: list[State]) -> State:
    """Node j of the next level: the parent if the merge is here, else the old node, moved if right of it."""
    here, before = weights[j], weights[:j].sum()
    after = 1 - here - before
    h, c = (here * parents[j][part] + after * nodes[j][part] + before * nodes[j + 1][part] for part in (0, 1))
    return h, c


def encode_structure(lstm: GumbelTreeLSTM, items: Tensor, merges: list[int]) -> State:
    """One sequence encoded along a given structure."""
    leaves = items @ lstm.leaf.weight.T + lstm.leaf.bias
    nodes = [(leaf[: lstm.hidden], leaf[lstm.hidden :]) for leaf in leaves]
    for position in merges:
        nodes[position : position + 2] = [parent(lstm, nodes[position], nodes[position + 1])]
    return nodes[0]
