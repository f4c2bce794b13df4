"""What a collection's model says about recipes and photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chef.data.images import BadImage
from chef.errors import ChefError
from chef.model.encoder import Vectors
from chef.model.recipe_model import RecipeModel
from chef.readers.base import image_bytes
from chef.recipe import Recipe
from chef.teacher.actions import SURE, actions
from chef.teacher.main_ingredient import rank

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True)
class EncodedRecipe:
    """What the model says about one recipe."""

    recipe: Recipe  # parsed
    main_ingredient: str | None
    actions: list[str]
    vector: Vectors
    main_confidence: float | None = None


def encode_recipes(
    model: RecipeModel, recipes: Sequence[Recipe], *, parsed: bool = False
) -> list[EncodedRecipe]:
    """Recipes, encoded in one pass, in the same order.

    parsed: their ingredients have names, amounts and grams already; parsing takes most of the time.

    >>> encode_recipes(chef.load(), [recipe])[0].main_ingredient
    'chicken'
    """
    read = model.texts.from_parsed if parsed else model.texts
    batch = model.encoder.encode([read(recipe) for recipe in recipes])
    encoded = []
    for text, vector in zip(batch.texts, batch.vectors, strict=True):
        main = next(iter(rank(text.recipe)), None)
        told = [one for step in text.recipe.steps for one in actions(step.text) if one]
        words = dict.fromkeys(one.word for one in told if one.confidence >= SURE)
        token, confidence = (main.token, main.confidence) if main else (None, None)
        encoded.append(EncodedRecipe(text.recipe, token, list(words), vector, confidence))
    return encoded


def embed_photo(model: RecipeModel, image: str | Path | bytes | Image.Image) -> Vectors:
    """(space,) the vector of a query's photo; raises ChefError."""
    if isinstance(image, str | Path):
        data, name = image_bytes(str(image)), str(image)
    elif isinstance(image, bytes | bytearray | memoryview):
        data, name = bytes(image), "the photo"
    else:
        return np.asarray(model.embed_images([image])[0], np.float32)
    try:
        return np.asarray(model.encoder.embed_photos([data])[0], np.float32)
    except BadImage as error:
        raise ChefError(f"{name}: {error.reason}", "give a photo as JPEG, PNG or WebP") from error
