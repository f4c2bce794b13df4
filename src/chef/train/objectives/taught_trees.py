"""Teaching trees what the teacher says: the ingredient tree its main ingredient, sentence trees their action.

The leaf that is merged last is a child of the root, or one edge below if it stands between others: it is
among the shallowest leaves, which the tree names. Where the teacher says which leaf that should be, each
choice of the Gumbel Tree-LSTM can be judged (`GumbelTreeLSTM.teach`). Leaves that are equally near to the
root are told apart by the score of the leaf itself, which learns the teacher's probabilities. The trees see
every word here, those that training hides from the retrieval loss too: a label of a hidden word teaches
nothing.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from chef.data.batches import RecipeBatch
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.encoders import TreeEncoder
from chef.model.joint import JointModel
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.text.vocabulary import PAD
from chef.train.labels import TreeLabels
from chef.train.objectives.base import Addition, Embeddings, StepInput

_EVERY = 4  # sentences: a step learns from one in four, the others follow in later epochs


class TaughtTrees(Addition):
    """The loss of the trees' choices against the teacher's labels, where they are known.

    labels: of all training recipes, or of those with a photo. They stay on the host, where the trees' work on
    a GPU is planned.
    """

    def __init__(
        self,
        model: JointModel,
        data: Prepared,
        labels: TreeLabels,
        main_weight: float = 1.0,
        action_weight: float = 1.0,
    ) -> None:
        super().__init__()
        self.main_weight, self.action_weight, self.labels = main_weight, action_weight, labels
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
        # The row of each training pair among the labels; the same of all training recipes, or empty.
        self.rows = np.array(rows)
        self.text_rows = np.array([places.get(name, -1) for name in everything])
        self.knows_texts = bool(everything) and bool(self.text_rows.min() >= 0)

    def forward(self, model: JointModel, step: StepInput, embeddings: Embeddings) -> Tensor:
        recipes = step.batch.recipes if step.whole is None else step.whole
        return self._loss(model, step, recipes, self.rows[step.batch.index.numpy()])

    def of_texts(self, model: JointModel, step: StepInput) -> Tensor | None:
        texts = step.texts if step.whole_texts is None else step.whole_texts
        if not self.knows_texts or texts is None or step.texts_index is None:
            return None
        return self._loss(model, step, texts, self.text_rows[step.texts_index.numpy()])

    def _loss(self, model: JointModel, step: StepInput, batch: RecipeBatch, rows: np.ndarray) -> Tensor:
        """The loss of these recipes, for each pair of the step; a sentence counts as much as its share of a
        recipe."""
        value = torch.zeros((), device=batch.title.device)
        if self.main_weight:
            value = value + self.main_weight * self._main(model, batch, rows)
        if self.action_weight:
            value = value + self.action_weight * self._actions(model, step, batch, rows)
        return value / step.pairs

    def _main(self, model: JointModel, batch: RecipeBatch, rows: np.ndarray) -> Tensor:
        known = torch.from_numpy(self.labels.main[rows, : batch.ingredients.shape[1]].astype(np.float32))
        chances = known.to(batch.ingredients.device, non_blocking=True)
        if batch.order is not None:
            chances = chances.gather(1, batch.order)
            known = chances.cpu()
        sure, last = known.max(1)
        lstm, words = tree_of(model.recipe.ingredients), model.recipe.words(batch.ingredients)
        # A recipe without a known one counts as a single leaf, which has no choice and no loss.
        losses = lstm.teach(words, torch.where(sure > 0, batch.ingredient_lengths, 1), last)
        named = _chances_of_leaves(lstm, words, batch.ingredients)
        return (sure.to(losses) * losses).sum() - (chances * named).sum()

    def _actions(self, model: JointModel, step: StepInput, batch: RecipeBatch, rows: np.ndarray) -> Tensor:
        steps = batch.steps.numpy()
        recipe = np.repeat(rows, steps)
        place = np.arange(len(recipe)) - np.repeat(np.cumsum(steps) - steps, steps)
        actions = self.labels.actions[self.labels.first[recipe] + place].astype(np.int64)
        drawn = np.flatnonzero((actions >= 0) & ((recipe + place + step.seeds[1]) % _EVERY == 0))
        if not len(drawn):
            return torch.zeros((), device=batch.sentences.device)
        chosen, last = torch.from_numpy(drawn), torch.from_numpy(actions[drawn])
        sentences = batch.sentences.index_select(0, chosen.to(batch.sentences.device, non_blocking=True))
        lstm, words = tree_of(model.recipe.sentences), model.recipe.words(sentences)
        losses = lstm.teach(words, batch.sentence_lengths[chosen], last)
        at = last.to(sentences.device, non_blocking=True)[:, None]
        losses = losses - _chances_of_leaves(lstm, words, sentences).gather(1, at)[:, 0]
        return losses.sum() * len(rows) * _EVERY / len(recipe)


def _chances_of_leaves(lstm: GumbelTreeLSTM, words: Tensor, ids: Tensor) -> Tensor:
    """(N, L) the logarithm of how likely each leaf is the one that a tree names, by its score alone."""
    return (-lstm.leaf_scores(words).float()).masked_fill(ids == PAD, -1e9).log_softmax(1)


def tree_of(encoder: torch.nn.Module | None) -> GumbelTreeLSTM:
    """The Tree-LSTM inside an encoder; an error if it has none."""
    if not isinstance(encoder, TreeEncoder):
        raise ChefError("this model has no such tree", "leave main_weight or action_weight out")
    return encoder.lstm
