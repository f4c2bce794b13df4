"""ACME (Wang et al. 2019): batch-hard triplets, a modality critic, and translation to the other side."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.model.noise import Noise
from chef.text.vocabulary import PAD, UNK
from chef.train.distributed import gather
from chef.train.loss import TripletLoss
from chef.train.objectives.base import Objective, StepInput

_PENALTY_NOISE = 5  # part of the sample's noise; encoders and heads have 0 to 4


class Acme(Objective):
    """Eq. 1 with the hardest negatives, plus two terms that align the modalities.

    The critic tells recipes from photos by their embeddings, and both sides learn to give it no clue.
    Translation: a recipe's embedding must predict its photo, a photo's embedding its ingredients. The
    published model paints the pixels with a GAN; here the features of the image tower are predicted: they
    hold what the tower sees of the dish, cost nothing to compare with, and exist for any tower. They are a
    target only: the tower does not learn to be easy to predict.
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
        # Not in the checkpoint: a resumed run makes it from the data again.
        self.register_buffer("labels", labels, persistent=False)

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        [features] = model.image_features(step.batch.images)
        images = model.embed_images(features, noise=step.noise)
        recipes = model.embed_recipes(step.batch.recipes, noise=step.noise)
        gallery = gather(images, recipes, step.groups)
        size = len(gallery.images)
        value: Tensor = self.triplet(images, recipes, gallery)
        value = value + self.critic_weight * self.critic_loss(images, recipes, step.noise) / size
        translation = self.translation_loss(images, recipes, features, step.batch.recipes.ingredients)
        return value + self.translation_weight * translation / size

    def critic_loss(self, images: Tensor, recipes: Tensor, noise: Noise) -> Tensor:
        """The critic's loss, summed over these pairs."""
        between = noise.part(_PENALTY_NOISE).uniform(like=images)
        value: Tensor = self.critic(images, recipes, between)
        return value

    def translation_loss(self, images: Tensor, recipes: Tensor, features: Tensor, words: Tensor) -> Tensor:
        """The error of both predictions: means over features and ingredients, summed over the pairs."""
        guess = self.picture(recipes)
        picture = F.smooth_l1_loss(guess, features.detach().to(guess.dtype), reduction="none").mean(1).sum()
        logits = self.ingredients(images)
        # The extra column takes padding and unknown words.
        wanted = logits.new_zeros(logits.shape[0], logits.shape[1] + 1).scatter_(1, self.labels[words], 1.0)
        named = F.binary_cross_entropy_with_logits(logits, wanted[:, :-1], reduction="none").mean(1).sum()
        return picture + named


class Critic(nn.Module):
    """A critic that tells photos from recipes, after Wasserstein GANs with gradient penalty (Gulrajani 2017).

    It wants photos to score high and recipes low. Gradients are reversed between the critic and the
    embeddings, so one backward pass teaches the critic to tell the two apart and the embeddings to look
    alike: no second optimizer, no alternation.
    """

    def __init__(self, space: int, penalty: float = 10.0) -> None:
        super().__init__()
        self.weight = penalty
        self.score = nn.Sequential(nn.Linear(space, space), nn.LeakyReLU(0.2), nn.Linear(space, 1))

    def forward(self, images: Tensor, recipes: Tensor, between: Tensor) -> Tensor:
        """Summed over the pairs. images, recipes: (B, space); between: (B,), 0 to 1, for the penalty."""
        # The gradient of a gradient is too fine for half precision.
        with torch.autocast(images.device.type, enabled=False):
            low, high = (self.score(reversed_gradient(points)).sum() for points in (recipes, images))
            value: Tensor = low - high + self.weight * self.penalty(images, recipes, between)
        return value

    def penalty(self, images: Tensor, recipes: Tensor, between: Tensor) -> Tensor:
        """(|gradient of the score| - 1)^2 at a point between each photo and its recipe, summed.

        It keeps the critic from growing without bound; the embeddings get no gradient from it.
        """
        share = between[:, None].to(images.dtype)
        points = (share * images.detach() + (1 - share) * recipes.detach()).requires_grad_()
        (slope,) = torch.autograd.grad(self.score(points).sum(), points, create_graph=True)
        value: Tensor = (slope.norm(dim=1) - 1).square().sum()
        return value


def reversed_gradient(x: Tensor) -> Tensor:
    """x itself, with its gradient multiplied by -1."""
    return 2 * x.detach() - x  # exact: doubling a floating-point number does not round


def build_acme(model: JointModel, data: Prepared, **settings: float) -> Acme:
    """The objective with the ingredients of the training recipes."""
    split = data.split("train")
    seen = {word for i in range(len(split)) for word in split.tokens(i)["ingredients"]}
    return Acme(model, sorted(seen - {PAD, UNK}), **settings)


def _translator(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, inputs), nn.ReLU(), nn.Linear(inputs, outputs))
