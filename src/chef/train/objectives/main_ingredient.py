"""Teaching the ingredient tree the main ingredient, where the amounts in the recipe tell it.

The leaf that is merged last is a child of the root, or one edge below if it stands between others: it is
among the shallowest leaves, which the tree names. Where the data say which leaf that should be (the heaviest
ingredient), each choice of the Gumbel Tree-LSTM can be judged: a pair without that leaf is right, a pair with
it is wrong as long as there is another. If the leaf stands between the two last nodes, it should join the one
whose own leaves are nearer, because those of the other will be as far from the root as possible. The loss is
the cross-entropy of the right pairs, summed over the levels; the tree grows by the best right pair.
"""

from __future__ import annotations

import torch
from torch import Tensor

from chef.data.prepared import Prepared, PreparedSplit
from chef.data.texts import gold
from chef.errors import ChefError
from chef.model.encoders import PooledEncoder, TreeEncoder
from chef.model.joint import JointModel
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.reference import compose
from chef.train.objectives.base import Addition, Embeddings, StepInput


class MainIngredient(Addition):
    """The loss of the tree's choices against merging the heaviest ingredient last, where it is known.

    It is computed from the masses in the training recipes, for a model with an ingredient tree.
    """

    heaviest: Tensor  # (training pairs,) its position in the list of each recipe; -1: not known

    def __init__(self, model: JointModel, data: Prepared) -> None:
        super().__init__()
        tree_of(model.recipe.ingredients)  # an error before the data are read
        self.register_buffer("heaviest", heaviest_positions(data.split("train")), persistent=False)

    def forward(self, model: JointModel, step: StepInput, embeddings: Embeddings) -> Tensor:
        batch, encoder = step.batch.recipes, model.recipe.ingredients
        last = self.heaviest[step.batch.index]
        # A recipe without a known one counts as a single leaf, which has no choice and no loss.
        lengths = torch.where(last >= 0, batch.ingredient_lengths.to(last.device, non_blocking=True), 1)
        words = model.recipe.words(batch.ingredients)
        losses = merge_last_losses(tree_of(encoder), words, lengths, last.clamp(min=0))
        return losses.sum() / len(embeddings.gallery.images)


def heaviest_positions(split: PreparedSplit) -> Tensor:
    """The position of each recipe's heaviest ingredient, except water, in its list; -1: not known."""
    positions = []
    for row in range(len(split)):
        wanted = gold(split.recipe(row), water=False)
        tokens = [item.token for item in split.ingredients(row)]
        positions.append(tokens.index(wanted) if wanted is not None and wanted in tokens else -1)
    return torch.tensor(positions, dtype=torch.long)


def tree_of(encoder: torch.nn.Module | None) -> GumbelTreeLSTM:
    """The Tree-LSTM inside an encoder; an error if it has none."""
    inner = encoder.encoder if isinstance(encoder, PooledEncoder) else encoder
    if not isinstance(inner, TreeEncoder):
        raise ChefError("this model has no ingredient tree", "leave main_weight out")
    return inner.lstm


def merge_last_losses(lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, last: Tensor) -> Tensor:
    """The loss (N,) of the choices against merging leaf `last[i]` of sequence i last.

    x: (N, L, in), lengths: (N,), last: (N,) positions; all on one device. Sequences of two leaves or fewer
    have no choice and no loss.

    >>> merge_last_losses(encoder.lstm, words, lengths, heaviest).mean().backward()
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
        eligible = torch.where(some[:, None], right, valid)
        pick = scores.masked_fill(~eligible, lowest).argmax(1)
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
