"""H-T (Salvador et al. 2021): triplets, and a recipe loss that needs no photos."""

from __future__ import annotations

from chef.model.recipe_encoder import RecipeEncoder
from chef.train.loss import TripletLoss
from chef.train.objectives.base import Retrieval
from chef.train.objectives.recipe_parts import RecipeParts


class Hierarchical(Retrieval):
    """Triplets with all in-batch negatives, plus the self-supervised loss between a recipe's own parts."""

    def __init__(self, recipe: RecipeEncoder, margin: float) -> None:
        loss = TripletLoss(margin, "all")
        super().__init__(loss, [(1.0, RecipeParts(recipe, loss))])
