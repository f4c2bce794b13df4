"""H-T (Salvador et al. 2021): triplets, and a self-supervised recipe loss that needs no photos."""

from __future__ import annotations

from itertools import permutations

import torch
from torch import Tensor, nn

from chef.model.heads import unit
from chef.model.joint import JointModel, RecipeEncoder, RecipeEncoding
from chef.train.distributed import Gallery, gather
from chef.train.loss import InfoNCE, TripletLoss
from chef.train.objectives.base import Addition, Embeddings, Retrieval, StepInput


class RecipeParts(Addition):
    """A retrieval loss between the title, ingredients and instructions of a recipe.

    A linear projection of one part, say the title, must retrieve another part, say the ingredients, of the
    same recipe from the batch; the mean over the six ordered pairs of parts. It covers the recipes with a
    photo and, if the data have any, a batch of recipes without one. The parts as further encoders and
    MiniLM read them are compared among themselves. loss: scores the retrieval.
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

    def forward(self, model: JointModel, step: StepInput, embeddings: Embeddings) -> Tensor:
        return self.of(embeddings.encoding, step.groups)

    def of_texts(self, model: JointModel, step: StepInput) -> Tensor | None:
        if step.texts is None:
            return None
        return self.of(model.encode_recipes(step.texts, noise=step.texts_noise))

    def of(self, encoding: RecipeEncoding, groups: Tensor | None = None) -> Tensor:
        """The loss of these recipes: their share of the mean over the batch."""
        parts = encoding.all_vectors
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


class Hierarchical(Retrieval):
    """H-T: triplets with all in-batch negatives, plus the loss between the parts of a recipe."""

    def __init__(self, recipe: RecipeEncoder, margin: float) -> None:
        loss = TripletLoss(margin, "all")
        super().__init__(loss, [(1.0, RecipeParts(recipe, loss))])
