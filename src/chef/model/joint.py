"""The joint model: a recipe encoder and an image tower that share one embedding space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from chef.errors import ChefError
from chef.model.heads import build_heads, mean_point
from chef.model.image import build_tower
from chef.model.noise import Noise
from chef.model.norm import use_batch_statistics
from chef.model.recipe_encoder import Merges, RecipeEncoder, RecipeEncoding
from chef.model.registry import ModelConfig, variant
from chef.model.towers import ImageTower
from chef.model.words import Words, WordVectors, build_words

if TYPE_CHECKING:
    import numpy as np

    from chef.data.batches import RecipeBatch


class JointModel(nn.Module):
    """Embeds dish photos and recipes as points of length 1 in one space.

    Built from its configuration alone, with fresh weights; `tower` is an already loaded image tower, `words`
    and `context` an already loaded MiniLM.

    >>> model = JointModel(ModelConfig("t+t+l", vocabulary=len(vocabulary)))
    >>> similarity = model.embed_images(images) @ model.embed_recipes(batch).T
    """

    def __init__(
        self,
        config: ModelConfig,
        tower: ImageTower | None = None,
        words: Words | None = None,
        context: Words | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        self.variant = variant(config.variant)
        if words is None:
            words = build_words(config.words, config.vocabulary, config.word)
        if context is None and config.context:
            context = build_words(config.context, config.vocabulary, config.word)
        self.recipe = RecipeEncoder(self.variant, words, config.hidden, config.dropout, context)
        self.tower = build_tower(config.tower) if tower is None else tower
        word = (context or words).width
        named = self.tower.description.get("vector") == word  # the tower names dishes in such vectors
        self.heads = build_heads(
            self.variant.heads,
            self.recipe.outputs,
            self.tower.width,
            config.space,
            word,
            named,
            [sum(widths) for widths in self.recipe.readings],
        )

    def embed_images(self, images: Tensor, *, noise: Noise | None = None, views: int | None = None) -> Tensor:
        """Images (B, 3, H, W), or precomputed features of the tower (B, F), -> (B, space).

        noise: the source of randomness in training, torch's generator if not given. views: 2 for the mean
        of an image and its mirror image; if not given, 1 for training and features, else
        `ModelConfig.image_views`.
        """
        if views is None:
            views = 1 if self.training or images.dim() == 2 else self.config.image_views
        points = [self.heads.embed_images(self.image_features(images), noise)]
        if views == 2:
            points.append(self.heads.embed_images(self.image_features(images.flip(3)), noise))
        return mean_point(points)

    def image_features(self, images: Tensor) -> Tensor:
        """The tower's features of images, (B, F); features are returned unchanged."""
        return self.tower.features(images) if images.dim() == 4 else images

    def embed_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> Tensor:
        """Recipes -> (B, space).

        noise: the source of randomness in training, torch's generator if not given.
        merges: trees to keep, as `trees` returns them, instead of choosing anew.
        """
        encoding = self.encode_recipes(batch, noise=noise, merges=merges)
        return self.heads.embed_recipes(encoding.vector, noise)

    def encode_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> RecipeEncoding:
        """Recipes part by part before the heads, with their trees and attention weights."""
        encoding: RecipeEncoding = self.recipe(batch, noise=noise, merges=merges)
        return encoding

    @torch.no_grad()
    def trees(self, batch: RecipeBatch) -> Merges:
        """The trees the model builds for ingredients, sentences and instructions, as merge positions.

        >>> merges = model.eval().trees(batch)
        >>> Tree.from_merges(["salt", "flour"], merges.ingredients[0].tolist())
        """
        return self.encode_recipes(batch).merges

    def set_word_vectors(self, vectors: np.ndarray) -> None:
        """Start from pre-trained word vectors (vocabulary, word), which are fine-tuned. PAD stays zero."""
        if not isinstance(self.recipe.words, WordVectors):
            raise ChefError(f"{self.variant.name} takes no word vectors", "it reads words with MiniLM")
        words = self.recipe.words.weight
        if vectors.shape != tuple(words.shape):
            raise ChefError(
                f"word vectors of shape {vectors.shape} do not fit a model of {tuple(words.shape)}",
                "prepare the data and train the model with the same vocabulary and word size",
            )
        with torch.no_grad():
            words.copy_(torch.from_numpy(vectors))
            words[0] = 0

    def use_batch_statistics(self, wanted: bool) -> None:
        """Evaluate with the statistics of the current batch, as ACME's published code does.

        An image's vector then depends on the rest of its batch, and a single image cannot be embedded; the
        default, the statistics of training, is what search needs.
        """
        use_batch_statistics(self, wanted)
