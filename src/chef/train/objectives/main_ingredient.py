"""Teaching the ingredient tree what a dish mainly is, where the recipe's own amounts say it."""

from __future__ import annotations

import torch
from torch import Tensor

from chef.data.heaviest import gold
from chef.data.prepared import Prepared, PreparedSplit
from chef.errors import ChefError
from chef.model.encoders import PooledEncoder, TreeEncoder
from chef.model.joint import JointModel
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.train.objectives.base import Addition, Points, StepInput
from chef.train.taught_tree import taught_losses


class MainIngredient(Addition):
    """The tree's choices against leaving the heaviest ingredient for last, over recipes where it is known.

    heaviest: (training pairs,) its position in the list of each recipe; -1 where it is not known.
    """

    def __init__(self, heaviest: Tensor) -> None:
        super().__init__()
        self.register_buffer("heaviest", heaviest, persistent=False)

    def forward(self, model: JointModel, step: StepInput, points: Points) -> Tensor:
        batch, encoder = step.batch.recipes, model.recipe.ingredients
        last = self.get_buffer("heaviest")[step.batch.index]
        # Where nothing is known a sequence counts as one leaf, which leaves no choice and costs nothing.
        lengths = torch.where(last >= 0, batch.ingredient_lengths.to(last.device, non_blocking=True), 1)
        words = model.recipe.words(batch.ingredients)
        losses = taught_losses(tree_of(encoder), words, lengths, last.clamp(min=0))
        return losses.sum() / len(points.gallery.images)


def build_main_ingredient(model: JointModel, data: Prepared) -> MainIngredient:
    """The teacher for a model with an ingredient tree; its truths are the masses of the training recipes."""
    tree_of(model.recipe.ingredients)
    return MainIngredient(heaviest_places(data.split("train")))


def heaviest_places(split: PreparedSplit) -> Tensor:
    """For each recipe where its heaviest ingredient, water aside, stands in its list; -1: not known."""
    places = []
    for row in range(len(split)):
        wanted = gold(split.recipe(row), water=False)
        tokens = [item.token for item in split.ingredients(row)]
        places.append(tokens.index(wanted) if wanted is not None and wanted in tokens else -1)
    return torch.tensor(places, dtype=torch.long)


def tree_of(encoder: torch.nn.Module | None) -> GumbelTreeLSTM:
    """The Tree-LSTM inside an encoder; one without a tree cannot be taught."""
    inner = encoder.encoder if isinstance(encoder, PooledEncoder) else encoder
    if not isinstance(inner, TreeEncoder):
        raise ChefError("this model reads the ingredients without a tree", "leave main_weight out")
    return inner.lstm
