"""Photos on their way into a collection or a query: bytes, vector, thumbnail."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chef.data.images import BadImage, decode
from chef.errors import ChefError
from chef.model.encoder import Vectors
from chef.model.recipe_model import RecipeModel
from chef.readers.base import Skipped, is_web
from chef.readers.images import image_bytes
from chef.recipe import Recipe

if TYPE_CHECKING:
    from PIL import Image

LONG_SIDE = 320  # of a thumbnail
_QUALITY = 85
_TRIED = 5  # photos of one recipe, as the paper uses


def photo_bytes(recipe: Recipe, skipped: Skipped, *, web: bool) -> list[bytes]:
    """The photos of a recipe that can be opened; those on the web only where the user named a web page."""
    found = []
    for reference in recipe.images[:_TRIED]:
        if is_web(reference) and not web:
            skipped.notes.add("web address, not fetched", recipe.id, reference[:200])
            continue
        try:
            found.append(image_bytes(reference))
        except ChefError as error:
            skipped.notes.add("unreadable image file", recipe.id, error.problem)
    return found


def usable(photos: Sequence[bytes], recipe: Recipe, skipped: Skipped) -> tuple[bytes, bytes] | None:
    """The first photo that is one, as its own bytes and as a thumbnail."""
    for data in photos:
        try:
            return data, thumbnail(data)
        except BadImage as error:
            skipped.notes.add(error.reason, recipe.id)
    return None


def thumbnail(data: bytes) -> bytes:
    """JPEG bytes of the photo, upright, its long side at most 320 pixels; raises BadImage."""
    image = decode(data, LONG_SIDE)
    image.thumbnail((LONG_SIDE, LONG_SIDE))
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def query_photo(chef: RecipeModel, image: str | Path | bytes | Image.Image) -> Vectors:
    """(space,) of the photo that a person asks with; raises ChefError."""
    if isinstance(image, str | Path):
        data, name = image_bytes(str(image)), str(image)
    elif isinstance(image, bytes | bytearray | memoryview):
        data, name = bytes(image), "the photo"
    else:
        return np.asarray(chef.embed_images([image])[0], np.float32)
    try:
        return np.asarray(chef.encoder.embed_photos([data])[0], np.float32)
    except BadImage as error:
        raise ChefError(f"{name}: {error.reason}", "give a photo as JPEG, PNG or WebP") from error
