"""H-T (Salvador et al. 2021): triplets, and a recipe loss that needs no photos."""

from __future__ import annotations

from itertools import permutations

import torch
from torch import Tensor, nn

from chef.model.heads import unit
from chef.model.joint import JointModel
from chef.model.recipe_encoder import RecipeEncoder, RecipeEncoding
from chef.train.gather import Gallery, gather
from chef.train.loss import TripletLoss
from chef.train.objectives.base import Objective, StepInput


class Hierarchical(Objective):
    """Triplets with all in-batch negatives, plus the self-supervised loss between a recipe's own parts.

    The recipe loss: a linear projection of one part, say the title, must find the other part, say the
    ingredients, of the same recipe in the batch, and the other way round; the mean over the six ordered
    pairs of title, ingredients and instructions. It is taken over the recipes with a photo and, added
    to that, over a batch of recipes without one, where the data have such.
    """

    wants_texts = True

    def __init__(self, recipe: RecipeEncoder, margin: float) -> None:
        super().__init__()
        parts = (recipe.title, recipe.ingredients, recipe.instructions)
        widths = [part.outputs for part in parts if part is not None]
        self.loss = TripletLoss(margin, "all")
        self.pairs = list(permutations(range(len(widths)), 2))
        self.projections = nn.ModuleList(nn.Linear(widths[a], widths[b]) for a, b in self.pairs)

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        images = model.embed_images(step.batch.images, noise=step.noise)
        encoding = model.encode_recipes(step.batch.recipes, noise=step.noise)
        recipes = model.heads.embed_recipes(encoding.vector, step.noise)
        value: Tensor = self.loss(images, recipes, gather(images, recipes, step.groups))
        value = value + self.recipe_loss(encoding, step.groups)
        if step.texts is not None:
            value = value + self.recipe_loss(model.encode_recipes(step.texts))
        return value

    def recipe_loss(self, encoding: RecipeEncoding, groups: Tensor | None = None) -> Tensor:
        """How badly the parts of these recipes find each other: this share of the batch's mean."""
        parts = encoding.vectors
        guesses = [
            unit(project(parts[a])) for (a, _), project in zip(self.pairs, self.projections, strict=True)
        ]
        truths = [unit(parts[b]) for _, b in self.pairs]
        # One exchange between the processes for all pairs of parts.
        whole = gather(torch.cat(guesses, 1), torch.cat(truths, 1), groups)
        widths = [guess.shape[1] for guess in guesses]
        columns = zip(
            torch.split(whole.images, widths, 1), torch.split(whole.recipes, widths, 1), strict=True
        )
        values = [
            self.loss(guess, truth, Gallery(all_guesses, all_truths, whole.offset, whole.groups))
            for guess, truth, (all_guesses, all_truths) in zip(guesses, truths, columns, strict=True)
        ]
        return torch.stack(values).mean()
