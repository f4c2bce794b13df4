"""Small sources that the reader tests build in a temporary folder."""

import io
import json
from pathlib import Path
from typing import Any

from PIL import Image

from chef.readers import Skipped, read
from chef.recipe import Recipe

TOAST: dict[str, Any] = {
    "title": "Cheese toast",
    "ingredients": ["2 slices bread", "50 g cheddar"],
    "instructions": ["Toast the bread.", "Melt the cheddar on it."],
}


SOUP: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Pea soup",
    "recipeIngredient": ["400 g peas", "1 onion"],
    "recipeInstructions": "Boil the peas.\nBlend them.",
    "keywords": "green, quick",
    "recipeCuisine": "British",
    "image": {"@type": "ImageObject", "url": "https://example.org/soup.jpg"},
    "url": "https://example.org/soup",
}


def recipe(**changes: Any) -> dict[str, Any]:
    """The fields of a small recipe, with some of them changed; None leaves a field out."""
    return {key: value for key, value in {**TOAST, **changes}.items() if value is not None}


def picture(suffix: str = "JPEG", colour: str = "orange") -> bytes:
    """The bytes of a real, tiny image."""
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(buffer, suffix)
    return buffer.getvalue()


def write(path: Path, content: Any) -> Path:
    """A file of these bytes or this text, or of this value as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def write_lines(path: Path, *values: Any) -> Path:
    """A JSON-lines file; a string or bytes is written as it is."""
    lines = [
        v if isinstance(v, bytes) else (v if isinstance(v, str) else json.dumps(v)).encode() for v in values
    ]
    return write(path, b"\n".join(lines) + b"\n")


def read_all(source: str | Path, kind: str | None = None) -> tuple[list[Recipe], Skipped]:
    skipped = Skipped()
    return list(read(source, skipped, kind=kind)), skipped


def lines_of(recipe: Recipe) -> list[str]:
    return [item.line for item in recipe.ingredients]


def texts_of(recipe: Recipe) -> list[str]:
    return [step.text for step in recipe.steps]
