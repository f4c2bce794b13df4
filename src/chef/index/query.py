"""A query: a photo, words, a recipe or a vector, combined into one vector and a score of the words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chef.errors import ChefError
from chef.index.catalogue import Catalogue
from chef.index.embedding import embed_photo, encode_recipes
from chef.index.filters import IngredientResolver
from chef.index.lexical import lexical_scores
from chef.index.nearest import Scores
from chef.index.rows import tokens_of
from chef.model.encoder import Vectors
from chef.recipe import Ingredient, Recipe
from chef.text.tokens import readable

if TYPE_CHECKING:
    from PIL import Image

    from chef.model.recipe_model import RecipeModel

LEXICAL = 0.75  # share of the lexical score in that of words; the rest is the cosine. Chosen as in lexical.py
PARTS = ("image", "text", "recipe", "vector")


@dataclass(frozen=True)
class Part:
    """One part of a query."""

    name: str  # one of PARTS
    weight: float  # those of all parts add up to 1
    vector: Vectors  # of length 1
    words: str = ""  # as the user wrote them
    read: tuple[str, ...] = ()  # the same as the model reads them
    tokens: tuple[str, ...] = ()  # the canonical ingredients that are named


@dataclass(frozen=True)
class Query:
    """The parts, and what they add up to."""

    parts: tuple[Part, ...]

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def vector(self) -> Vectors:
        """The one vector whose product with a recipe's is the sum of the parts' weighted cosines."""
        shares = (1 - LEXICAL if part.name == "text" else 1.0 for part in self.parts)
        weighted = [part.weight * share * part.vector for part, share in zip(self.parts, shares, strict=True)]
        return np.asarray(np.sum(weighted, axis=0), np.float32)

    def bonus(self, catalogue: Catalogue, resolver: IngredientResolver) -> Scores | None:
        """(rows,) what the words add to the product; None where none were given."""
        for part in self.parts:
            if part.name == "text":
                scores = lexical_scores(catalogue, resolver, part.words, part.read, part.tokens)
                return part.weight * LEXICAL * scores
        return None


def build_query(
    model: RecipeModel,
    image: str | Path | bytes | Image.Image | None,
    text: str | None,
    recipe: Recipe | None,
    vector: Vectors | None,
    weights: Mapping[str, float] | None,
) -> Query:
    """The query of what the user gave."""
    parts: list[Part] = []
    if image is not None:
        parts.append(Part("image", 1.0, embed_photo(model, image)))
    if text is not None and text.strip():
        parts.append(_text_part(model, text.strip()))
    if recipe is not None:
        encoded = encode_recipes(model, [recipe])[0]
        parts.append(Part("recipe", 1.0, encoded.vector, tokens=tuple(tokens_of(encoded.recipe))))
    if vector is not None:
        parts.append(Part("vector", 1.0, unit_vector(vector, model.model.config.space)))
    return Query(tuple(_weighted(parts, weights or {})))


def _text_part(model: RecipeModel, text: str) -> Part:
    """Words are read as a recipe of that title with the ingredients that they name."""
    recipe = Recipe(id="query", title=text)
    title = tuple(model.read(recipe).title)
    named = tuple(dict.fromkeys(word for word in title if word in model.texts.canonical))
    items = [Ingredient(name, name=name, token=token) for token in named if (name := readable(token))]
    encoded = encode_recipes(model, [recipe.with_ingredients(items)])[0]
    return Part("text", 1.0, encoded.vector, text, title, named)


def unit_vector(vector: Vectors, dimension: int) -> Vectors:
    """A user's vector in the space of the model: float32, of length 1."""
    flat = np.asarray(vector, np.float32).reshape(-1)
    length = float(np.linalg.norm(flat))
    if len(flat) != dimension or not math.isfinite(length) or length == 0:
        raise ChefError(f"not a point of the space: {len(flat)} numbers", f"give {dimension}, not all zero")
    return flat / np.float32(length)


def _weighted(parts: list[Part], weights: Mapping[str, float]) -> list[Part]:
    """The parts with normalised weights."""
    for name, weight in weights.items():
        if name not in PARTS:
            raise ChefError(f"no part {name!r} of a query has a weight", f"there are: {', '.join(PARTS)}")
        if not math.isfinite(weight) or weight < 0:
            raise ChefError(f"the weight of {name} is {weight}", "give 0 or more")
    total = sum(weights.get(part.name, 1.0) for part in parts)
    if parts and total <= 0:
        raise ChefError("all weights of the query are 0", "give one of them more")
    return [replace(part, weight=weights.get(part.name, 1.0) / total) for part in parts]
