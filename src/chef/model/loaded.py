"""Chef: a loaded model that takes photos and recipes as people have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from chef.data.batches import RecipeBatch, Tokens, recipe_batch
from chef.data.images import BadImage
from chef.data.settings import PrepareSettings
from chef.errors import ChefError
from chef.loading import loading
from chef.model.explanation import Explanation, explain
from chef.model.joint import JointModel
from chef.model.threads import one_thread
from chef.readers.images import image_bytes
from chef.recipe import Recipe
from chef.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from PIL import Image

    from chef.data.texts import RecipeText, TextMaker

_PHOTOS = 8  # at a time: what a tower makes of more is too large for a core's cache
_RECIPES = 64
_FEW = 4  # photos or recipes that one thread embeds as fast as many


class Chef:
    """Embeds photos and recipes, and says what it sees in a recipe. `chef.load` makes one."""

    def __init__(
        self,
        model: JointModel,
        vocabulary: Vocabulary,
        canonical: Path,
        text: PrepareSettings,
        about: dict[str, Any],
    ) -> None:
        self.model = model
        self.vocabulary = vocabulary
        self.about = about
        self._canonical = canonical
        self._text = text

    @torch.no_grad()
    def embed_images(
        self, images: Iterable[str | Path | Image.Image], views: int | None = None
    ) -> np.ndarray[Any, Any]:
        """Photos, as paths or Pillow images, -> float32 (n, 1024), each of length 1.

        views: 1, or 2 for the mean over a photo and its mirror image; if not given, the model's own choice.
        """
        if views not in (None, 1, 2):
            raise ChefError(f"no {views} views of a photo", "1, or 2 with its mirror image")
        parts = []
        for group in _grouped((self._image(image) for image in images), _PHOTOS):
            with one_thread(len(group) < _FEW):
                # Colours side by side: convolutions take half the time on a CPU.
                pictures = torch.stack(group).contiguous(memory_format=torch.channels_last)
                parts.append(self.model.embed_images(pictures, views=views))
        return self._matrix(parts)

    @torch.no_grad()
    def embed_recipes(self, recipes: Iterable[Recipe]) -> np.ndarray[Any, Any]:
        """Recipes -> float32 (n, 1024), each of length 1."""
        parts = []
        for group in _grouped((self.read(recipe) for recipe in recipes), _RECIPES):
            with one_thread(len(group) < _FEW):
                parts.append(self.model.embed_recipes(self.batch(group)))
        return self._matrix(parts)

    def explain(self, recipe: Recipe) -> Explanation:
        """The ingredient tree with the main ingredient, and each sentence's tree with its action word."""
        return explain(self.model, self.read(recipe), self.batch)

    def read(self, recipe: Recipe) -> RecipeText:
        """The recipe's text as the model reads it: parsed, canonical, cut to length."""
        return self.texts(recipe)

    def batch(self, texts: Sequence[RecipeText]) -> RecipeBatch:
        """Texts as word numbers."""
        return recipe_batch([self._tokens(text) for text in texts])

    @cached_property
    def texts(self) -> TextMaker:
        """Makes recipes' text ready with the model's canonical map and lengths."""
        # Parsing ingredient lines takes a while to load; who embeds photos alone need not wait.
        with loading():
            from chef.data.texts import TextMaker
            from chef.food.canonical import CanonicalMap

            return TextMaker(CanonicalMap.load(self._canonical), self._text)

    def _tokens(self, text: RecipeText) -> Tokens:
        ids = self.vocabulary.ids
        sentences = [ids(sentence) for sentence in text.sentences]
        return Tokens(title=ids(text.title), ingredients=ids(text.ingredients), sentences=sentences)

    def _image(self, image: str | Path | Image.Image) -> Tensor:
        transform = self.model.tower.transform
        if isinstance(image, str | Path):
            data, name = image_bytes(str(image)), str(image)
        else:
            # The same way in for all: what a saved photo would give, this gives.
            buffer = BytesIO()
            image.convert("RGB").save(buffer, "PNG")
            data, name = buffer.getvalue(), "the image"
        try:
            return transform.evaluate(data)
        except BadImage as error:
            raise ChefError(f"{name}: {error.reason}", "give a photo as JPEG, PNG or WebP") from error

    def _matrix(self, parts: list[Tensor]) -> np.ndarray[Any, Any]:
        if not parts:
            return np.zeros((0, self.model.config.space), np.float32)
        return torch.cat(parts).numpy()


def _grouped(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    group: list[Any] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
