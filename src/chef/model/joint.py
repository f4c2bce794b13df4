"""The joint model: a recipe tower and an image tower that meet in one space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from chef.errors import ChefError
from chef.model.config import ModelConfig
from chef.model.heads import mean_point
from chef.model.image import build_tower
from chef.model.noise import Noise
from chef.model.norm import use_batch_statistics
from chef.model.recipe_encoder import Merges, RecipeEncoder, RecipeEncoding
from chef.model.registry import variant
from chef.model.separate_heads import build_heads
from chef.model.towers import ImageTower
from chef.model.words import Words, WordVectors, build_words

if TYPE_CHECKING:
    import numpy as np

    from chef.data.batches import RecipeBatch


class JointModel(nn.Module):
    """Embeds dish photos and recipes as points of length 1 in one space.

    Built from its configuration alone, with fresh weights; `tower` puts a loaded image tower in, `words`
    and `context` a loaded MiniLM.

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
        named = self.tower.description.get("vector") == word  # whether it names dishes in such vectors
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
        """Pictures (B, 3, H, W), or features (B, F) that the tower gave before, -> (B, space).

        noise: where training's randomness comes from, torch's generator if not given. views: 2 takes the
        mean of a picture's point and its mirror image's; if not given, training and features take 1,
        all else what the model was made for (`ModelConfig.image_views`).
        """
        if views is None:
            views = 1 if self.training or images.dim() == 2 else self.config.image_views
        points = [self.heads.embed_images(self.image_features(images), noise)]
        if views == 2:
            points.append(self.heads.embed_images(self.image_features(images.flip(3)), noise))
        return mean_point(points)

    def image_features(self, images: Tensor) -> Tensor:
        """What the tower makes of pictures, (B, F); features stay as they are."""
        return self.tower.features(images) if images.dim() == 4 else images

    def embed_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> Tensor:
        """Recipes -> (B, space).

        noise: where training's randomness comes from, torch's generator if not given.
        merges: trees to keep to, as `trees` gives them, instead of choosing anew.
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
        """Start from pre-trained word vectors (vocabulary, word); they are trained on. PAD stays zero."""
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
        """Evaluate with the statistics of the batch at hand, as ACME's published code does.

        A picture's place then depends on which others are embedded with it, and one alone cannot be
        embedded; the default, the statistics of training, is what a search needs.
        """
        use_batch_statistics(self, wanted)
