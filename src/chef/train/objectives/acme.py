"""ACME (Wang et al. 2019): batch-hard triplets, a modality critic, and translation to the other side."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.model.noise import Noise
from chef.text.vocabulary import PAD, UNK
from chef.train.gather import gather
from chef.train.loss import TripletLoss
from chef.train.objectives.base import Objective, StepInput
from chef.train.objectives.critic import Critic

_PENALTY_NOISE = 5  # part of the sample's noise; encoders and heads have 0 to 4


class Acme(Objective):
    """Eq. 1 with the hardest negatives, plus two things that make both modalities alike.

    The critic tells recipes from pictures by their points, and both sides learn to leave it no clue.
    Translation: a recipe's point must tell its picture, a picture's point its ingredients. The published
    model paints the picture's pixels with a GAN; here it is the picture's features, as the image tower
    gives them: they hold what the tower sees of the dish, cost nothing to compare with, and exist for
    any tower. They are a target only: the tower is not taught to be easily told.
    """

    labels: Tensor  # (vocabulary,) an ingredient's number, or `ingredients` for other words

    def __init__(
        self,
        model: JointModel,
        ingredients: list[int],
        margin: float,
        critic_weight: float,
        penalty: float,
        translation_weight: float,
    ) -> None:
        super().__init__()
        space, width = model.config.space, model.tower.width
        self.triplet = TripletLoss(margin, "batch-hard")
        self.critic = Critic(space, penalty)
        self.critic_weight, self.translation_weight = critic_weight, translation_weight
        self.picture = _translator(space, width)
        self.ingredients = _translator(space, len(ingredients))
        labels = torch.full((model.config.vocabulary,), len(ingredients))
        labels[ingredients] = torch.arange(len(ingredients))
        # Made from the data again when a run goes on, so a checkpoint need not hold it.
        self.register_buffer("labels", labels, persistent=False)

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        features = model.image_features(step.batch.images)
        images = model.embed_images(features, noise=step.noise)
        recipes = model.embed_recipes(step.batch.recipes, noise=step.noise)
        gallery = gather(images, recipes, step.groups)
        size = len(gallery.images)
        value: Tensor = self.triplet(images, recipes, gallery)
        value = value + self.critic_weight * self.told_apart(images, recipes, step.noise) / size
        translation = self.translated(images, recipes, features, step.batch.recipes.ingredients)
        return value + self.translation_weight * translation / size

    def told_apart(self, images: Tensor, recipes: Tensor, noise: Noise) -> Tensor:
        """The critic's loss, summed over these pairs."""
        between = noise.part(_PENALTY_NOISE).uniform(like=images)
        value: Tensor = self.critic(images, recipes, between)
        return value

    def translated(self, images: Tensor, recipes: Tensor, features: Tensor, words: Tensor) -> Tensor:
        """How badly each side tells the other: means over features and ingredients, summed over the pairs."""
        guess = self.picture(recipes)
        picture = F.smooth_l1_loss(guess, features.detach().to(guess.dtype), reduction="none").mean(1).sum()
        logits = self.ingredients(images)
        # One column more than there are ingredients takes padding and unknown words.
        wanted = logits.new_zeros(logits.shape[0], logits.shape[1] + 1).scatter_(1, self.labels[words], 1.0)
        told = F.binary_cross_entropy_with_logits(logits, wanted[:, :-1], reduction="none").mean(1).sum()
        return picture + told


def build_acme(model: JointModel, data: Prepared, **settings: float) -> Acme:
    """The objective with the ingredients of the training recipes."""
    split = data.split("train")
    seen = {word for i in range(len(split)) for word in split.tokens(i)["ingredients"]}
    return Acme(model, sorted(seen - {PAD, UNK}), **settings)


def _translator(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, inputs), nn.ReLU(), nn.Linear(inputs, outputs))
