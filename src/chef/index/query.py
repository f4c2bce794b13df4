"""A query: photo, words, recipe or vector, together one point of the shared space and a look at the words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chef.errors import ChefError
from chef.index.catalogue import Catalogue
from chef.index.lexical import lexical
from chef.index.meaning import Meanings
from chef.index.nearest import Scores
from chef.index.photos import query_photo
from chef.index.reading import read_recipes, tokens_of
from chef.model.encoder import Vectors
from chef.recipe import Ingredient, Recipe

if TYPE_CHECKING:
    from PIL import Image

    from chef.model.recipe_model import RecipeModel

LEXICAL = 0.75  # of the score of words; the rest is the cosine. Chosen as in chef.index.lexical
PARTS = ("image", "text", "recipe", "vector")


@dataclass(frozen=True)
class Part:
    """One part of a query."""

    name: str  # one of PARTS
    weight: float  # all parts' weights together are 1
    vector: Vectors  # of length 1
    words: str = ""  # what the person wrote
    read: tuple[str, ...] = ()  # the same as the model reads it
    tokens: tuple[str, ...] = ()  # the canonical ingredients that are named


@dataclass(frozen=True)
class Query:
    """The parts, and what they come to together."""

    parts: tuple[Part, ...]

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def vector(self) -> Vectors:
        """The one vector whose product with a recipe's is the sum of the parts' weighted cosines."""
        weighted = [part.weight * _cosine(part) * part.vector for part in self.parts]
        return np.asarray(np.sum(weighted, axis=0), np.float32)

    def bonus(self, catalogue: Catalogue, meanings: Meanings) -> Scores | None:
        """(rows,) what the words add to the product; None where none were given."""
        found = [
            part.weight * LEXICAL * lexical(catalogue, meanings, part.words, part.read, part.tokens)
            for part in self.parts
            if part.name == "text"
        ]
        return found[0] if found else None


def _cosine(part: Part) -> float:
    return 1 - LEXICAL if part.name == "text" else 1.0


def build(
    chef: RecipeModel,
    image: str | Path | bytes | Image.Image | None,
    text: str | None,
    recipe: Recipe | None,
    vector: Vectors | None,
    weights: Mapping[str, float] | None,
) -> Query:
    """The query of what a person gave."""
    parts: list[Part] = []
    if image is not None:
        parts.append(Part("image", 1.0, query_photo(chef, image)))
    if text is not None and text.strip():
        parts.append(_text(chef, text.strip()))
    if recipe is not None:
        read = read_recipes(chef, [recipe])[0]
        parts.append(Part("recipe", 1.0, read.vector, tokens=tuple(tokens_of(read.recipe))))
    if vector is not None:
        parts.append(Part("vector", 1.0, point(vector, chef.model.config.space)))
    return Query(tuple(_weighted(parts, weights or {})))


def _text(chef: RecipeModel, text: str) -> Part:
    """Words are read as a recipe of that title which has the ingredients that they name."""
    known = chef.texts.canonical
    titled = Recipe(id="query", title=text)
    title = tuple(chef.read(titled).title)
    named = tuple(dict.fromkeys(word for word in title if word in known))
    items = [Ingredient(name, name=name, token=token) for token in named if (name := token.replace("_", " "))]
    read = read_recipes(chef, [titled.with_ingredients(items)])[0]
    return Part("text", 1.0, read.vector, text, title, named)


def point(vector: Vectors, dimension: int) -> Vectors:
    """A vector from outside as a point of the space: float32, of length 1."""
    found = np.asarray(vector, np.float32).reshape(-1)
    length = float(np.linalg.norm(found))
    if len(found) != dimension or not math.isfinite(length) or length == 0:
        raise ChefError(f"not a point of the space: {len(found)} numbers", f"give {dimension}, not all zero")
    return found / np.float32(length)


def _weighted(parts: list[Part], weights: Mapping[str, float]) -> list[Part]:
    """The parts with their share of the whole."""
    for name, weight in weights.items():
        if name not in PARTS:
            raise ChefError(f"no part {name!r} of a query has a weight", f"there are: {', '.join(PARTS)}")
        if not math.isfinite(weight) or weight < 0:
            raise ChefError(f"the weight of {name} is {weight}", "give 0 or more")
    total = sum(weights.get(part.name, 1.0) for part in parts)
    if parts and total <= 0:
        raise ChefError("all weights of the query are 0", "give one of them more")
    return [replace(part, weight=weights.get(part.name, 1.0) / total) for part in parts]
