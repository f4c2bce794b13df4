"""Teaching trees what the teacher says: the ingredient tree its main ingredient, sentence trees their action.

The leaf that is merged last is a child of the root, or one edge below if it stands between others: it is
among the shallowest leaves, which the tree names. Where the teacher says which leaf that should be, each
choice of the Gumbel Tree-LSTM can be judged: a pair without that leaf is right, a pair with it is wrong as
long as there is another. If the leaf stands between the two last nodes, it should join the one whose own
leaves are nearer, because those of the other will be as far from the root as possible. The loss is the
cross-entropy of the right pairs, summed over the levels; the tree grows by the best right pair. Leaves that
are equally near to the root are told apart by the score of the leaf itself, which learns the teacher's
probabilities.
"""

from __future__ import annotations

import torch
from torch import Tensor

from chef.data.batches import RecipeBatch
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.encoders import TreeEncoder
from chef.model.joint import JointModel
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.reference import compose
from chef.text.vocabulary import PAD
from chef.train.labels import TreeLabels
from chef.train.objectives.base import Addition, Embeddings, StepInput

_EVERY = 4  # sentences: a step learns from one in four, the others follow in later epochs


class TaughtTrees(Addition):
    """The loss of the trees' choices against the teacher's labels, where they are known.

    labels: of all training recipes, or of those with a photo.
    """

    main: Tensor
    actions: Tensor
    first: Tensor
    rows: Tensor  # (training pairs,) the row of each among the labels
    text_rows: Tensor  # the same of all training recipes; empty if those without a photo have no labels

    def __init__(
        self,
        model: JointModel,
        data: Prepared,
        labels: TreeLabels,
        main_weight: float = 1.0,
        action_weight: float = 1.0,
    ) -> None:
        super().__init__()
        self.main_weight, self.action_weight = main_weight, action_weight
        for weight, encoder in (
            (main_weight, model.recipe.ingredients),
            (action_weight, model.recipe.sentences),
        ):
            if weight:
                tree_of(encoder)  # an error before training
        places = {name: row for row, name in enumerate(labels.ids)}
        try:
            rows = [places[name] for name in data.split("train").ids]
        except KeyError as error:
            raise ChefError(
                f"no label of recipe {error.args[0]!r}", "label the prepared data again"
            ) from error
        everything = data.split("train", with_image=False).ids if len(places) > len(rows) else []
        text_rows = [places.get(name, -1) for name in everything]
        self.knows_texts = bool(text_rows) and min(text_rows) >= 0
        for name, values in (("main", labels.main), ("actions", labels.actions), ("first", labels.first)):
            self.register_buffer(name, torch.from_numpy(values), persistent=False)
        self.register_buffer("rows", torch.tensor(rows), persistent=False)
        self.register_buffer("text_rows", torch.tensor(text_rows), persistent=False)

    def forward(self, model: JointModel, step: StepInput, embeddings: Embeddings) -> Tensor:
        total = self._loss(model, step, step.batch.recipes, self.rows[step.batch.index])
        if self.knows_texts and step.texts is not None and step.texts_index is not None:
            total = total + self._loss(model, step, step.texts, self.text_rows[step.texts_index])
        return total / len(embeddings.gallery.images)

    def _loss(self, model: JointModel, step: StepInput, batch: RecipeBatch, rows: Tensor) -> Tensor:
        """The summed loss of these recipes; a sentence counts as much as its share of a recipe."""
        value = torch.zeros((), device=rows.device)
        if self.main_weight:
            value = value + self.main_weight * self._main(model, batch, rows)
        if self.action_weight:
            value = value + self.action_weight * self._actions(model, step, batch, rows)
        return value

    def _main(self, model: JointModel, batch: RecipeBatch, rows: Tensor) -> Tensor:
        chances = self.main[rows][:, : batch.ingredients.shape[1]].float()
        if batch.order is not None:
            chances = chances.gather(1, batch.order)
        sure, last = chances.max(1)
        lstm, words = tree_of(model.recipe.ingredients), model.recipe.words(batch.ingredients)
        lengths = batch.ingredient_lengths.to(rows.device, non_blocking=True)
        # A recipe without a known one counts as a single leaf, which has no choice and no loss.
        losses = merge_last_losses(lstm, words, torch.where(sure > 0, lengths, 1), last)
        leaves = -lstm.leaf_scores(words).float()
        chosen = leaves.masked_fill(batch.ingredients == PAD, -1e9).log_softmax(1)
        return (sure * losses).sum() - (chances * chosen).sum()

    def _actions(self, model: JointModel, step: StepInput, batch: RecipeBatch, rows: Tensor) -> Tensor:
        begins = (batch.steps.cumsum(0) - batch.steps).repeat_interleave(batch.steps)
        place = (torch.arange(len(begins)) - begins).to(rows.device, non_blocking=True)
        recipe = rows.repeat_interleave(batch.steps.to(rows.device, non_blocking=True))
        last = self.actions[self.first[recipe] + place].long()
        chosen = ((last >= 0) & ((recipe + place + step.seeds[1]) % _EVERY == 0)).nonzero()[:, 0]
        if not len(chosen):
            return torch.zeros((), device=rows.device)
        lstm, words = tree_of(model.recipe.sentences), model.recipe.words(batch.sentences[chosen])
        lengths = (batch.sentences[chosen] != PAD).sum(1)
        losses = merge_last_losses(lstm, words, lengths, last[chosen])
        leaves = -lstm.leaf_scores(words).float()
        named = leaves.masked_fill(batch.sentences[chosen] == PAD, -1e9).log_softmax(1)
        losses = losses - named.gather(1, last[chosen][:, None])[:, 0]
        return losses.sum() * len(rows) * _EVERY / len(recipe)


def tree_of(encoder: torch.nn.Module | None) -> GumbelTreeLSTM:
    """The Tree-LSTM inside an encoder; an error if it has none."""
    if not isinstance(encoder, TreeEncoder):
        raise ChefError("this model has no such tree", "leave main_weight or action_weight out")
    return encoder.lstm


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
