"""The self-supervised recipe loss of H-T (Salvador et al. 2021): a recipe's own parts find each other."""

from __future__ import annotations

from itertools import permutations

import torch
from torch import Tensor, nn

from chef.model.heads import unit
from chef.model.joint import JointModel
from chef.model.recipe_encoder import RecipeEncoder, RecipeEncoding
from chef.train.gather import Gallery, gather
from chef.train.loss import InfoNCE, TripletLoss
from chef.train.objectives.base import Addition, Points, StepInput


class RecipeParts(Addition):
    """How badly title, ingredients and instructions of a recipe find each other in the batch; needs no photo.

    A linear projection of one part, say the title, must find the other part, say the ingredients, of the
    same recipe, and the other way round; the mean over the six ordered pairs of parts. It is taken over
    the recipes with a photo and, added to that, over a batch of recipes without one, where the data have
    such. What further readers make of the parts, and MiniLM, find each other too, each among themselves.
    loss: what says how well they are found.
    """

    wants_texts = True

    def __init__(self, recipe: RecipeEncoder, loss: TripletLoss | InfoNCE) -> None:
        super().__init__()
        self.loss = loss
        self.pairs: list[tuple[int, int]] = []
        widths: list[int] = []
        for reading in recipe.readings:
            self.pairs += permutations(range(len(widths), len(widths) + len(reading)), 2)
            widths += reading
        self.projections = nn.ModuleList(nn.Linear(widths[a], widths[b]) for a, b in self.pairs)

    def forward(self, model: JointModel, step: StepInput, points: Points) -> Tensor:
        value = self.of(points.encoding, step.groups)
        if step.texts is not None:
            value = value + self.of(model.encode_recipes(step.texts, noise=step.texts_noise))
        return value

    def of(self, encoding: RecipeEncoding, groups: Tensor | None = None) -> Tensor:
        """The loss of these recipes: this share of the batch's mean."""
        parts = [*encoding.vectors, *(part for other in encoding.others for part in other.vectors)]
        parts += encoding.context
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
