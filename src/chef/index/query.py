"""A query: a photo, words, a recipe or a vector, combined into one vector and a lexical score.

The lexical score compares words with titles, tags and ingredients. The fewer recipes have a word, the more it
counts. The main ingredient counts like a word of the title, one that is only listed less; nearly as much
counts a word that is a tag, or a kind of dish where the title names such a dish. Titles with fewer other
words come first, and a title with exactly these words comes before all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from chef.errors import ChefError
from chef.index.catalogue import Catalogue
from chef.index.conditions import Condition, Has, SurelyMainIs
from chef.index.filters import IngredientResolver
from chef.index.named import (
    anywhere,
    dish_of,
    in_title,
    is_kind,
    key,
    meant,
    names_in,
    tagged,
    taken_apart,
)
from chef.index.nearest import Mask, Scores, Vectors
from chef.index.spelling import counting
from chef.index.values import encode_recipes, title_words, tokens_of
from chef.recipe import Ingredient, Recipe
from chef.text.tokens import readable

if TYPE_CHECKING:
    from chef.model.recipe_model import RecipeModel

# Chosen on the validation split of the open recipes and, where that hardly tells, by eye on the cookbook;
# docs/search.md has the figures. Of what counts 1 in the title, or as the main ingredient:
_LISTED = 0.7  # an ingredient in the list
_TAGGED = 0.8  # a word that is a tag
_BY_KIND = 0.85  # a kind of dish by another word of the title: a gazpacho is a soup
_BREVITY = 0.1  # share of the score that titles with few other words get
_EQUAL = 0.15  # share that a title with exactly these words gets
LEXICAL = 0.75  # share of the lexical score in that of words; the rest is the vectors
PARTS = ("image", "text", "recipe", "vector")


@dataclass(frozen=True)
class Part:
    """One part of a query."""

    name: str  # one of PARTS
    weight: float  # those of all parts add up to 1
    vector: Vectors
    words: str = ""  # as the user wrote them
    read: tuple[str, ...] = ()  # the same as the model reads them: a named ingredient is one token
    tokens: tuple[str, ...] = ()  # the canonical ingredients that are named
    apart: tuple[str, ...] = ()  # read, where what can be an ingredient is taken for a dish: tomatoes, soup

    @property
    def readings(self) -> list[list[str]]:
        """The names in the words, in each way to read them."""
        return [names_in(read) for read in dict.fromkeys((self.read, self.apart or self.read))]


@dataclass(frozen=True)
class Query:
    """All parts of a query."""

    parts: tuple[Part, ...]

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def vector(self) -> Vectors:
        """The one vector whose product with a recipe's is the sum of the parts' weighted scores."""
        weighted = [
            part.weight * (1 - LEXICAL if part.name == "text" else 1.0) * part.vector for part in self.parts
        ]
        return np.asarray(np.sum(weighted, axis=0), np.float32)

    def without_vectors(self, dimension: int) -> Query:
        """The same, by its words alone."""
        nowhere = np.zeros(dimension, np.float32)
        return Query(tuple(replace(part, vector=nowhere) for part in self.parts))

    @property
    def words(self) -> Part | None:
        """The part in words, if there is one."""
        return next((part for part in self.parts if part.name == "text"), None)


def build_query(
    model: Callable[[], RecipeModel],
    image: Vectors | None,
    text: str | None,
    recipe: Recipe | None,
    vector: Vectors | None,
    weights: Mapping[str, float] | None,
    dimension: int,
) -> Query:
    """The query that the user's photo, as its vector, words, recipe and vector make up."""
    parts: list[Part] = []
    if image is not None:
        parts.append(Part("image", 1.0, image))
    if text is not None and text.strip():
        chef = model()
        # Words are read as a recipe of that title with the ingredients that they name.
        titled = Recipe(id="query", title=text.strip())
        title = tuple(chef.read(titled).title)
        canonical, said = chef.texts.canonical, title_words(titled.title)

        def read(words: str) -> Sequence[str]:
            return chef.read(Recipe(id="query", title=words)).title

        apart = tuple(name for token in title for name in taken_apart(token, said, canonical, read))
        foods = dict.fromkeys(word for word in apart if word in canonical)
        items = [Ingredient(name, name=name, token=token) for token in foods if (name := readable(token))]
        encoded = encode_recipes(chef, [titled.with_ingredients(items)])[0]
        tokens = tuple(dict.fromkeys([*foods, *(word for word in title if word in canonical)]))
        parts.append(Part("text", 1.0, encoded.vector, titled.title, title, tokens, apart))
    if recipe is not None:
        encoded = encode_recipes(model(), [recipe])[0]
        parts.append(Part("recipe", 1.0, encoded.vector, tokens=tuple(tokens_of(encoded.recipe))))
    if vector is not None:
        parts.append(Part("vector", 1.0, unit_vector(vector, dimension)))
    weights = weights or {}
    for name, weight in weights.items():
        if name not in PARTS:
            raise ChefError(f"no part {name!r} in a query", f"the parts are {', '.join(PARTS)}")
        if not math.isfinite(weight) or weight < 0:
            raise ChefError(f"the weight of {name} is {weight}", "give 0 or more")
    total = sum(weights.get(part.name, 1.0) for part in parts)
    if parts and total <= 0:
        raise ChefError("all weights of the query are 0", "give one of them more")
    return Query(tuple(replace(part, weight=weights.get(part.name, 1.0) / total) for part in parts))


def unit_vector(vector: Vectors, dimension: int) -> Vectors:
    """A user's vector in the space of the model: float32, of length 1."""
    flat = np.asarray(vector, np.float32).reshape(-1)
    length = float(np.linalg.norm(flat))
    if len(flat) != dimension or not math.isfinite(length) or length == 0:
        raise ChefError(f"not a point of the space: {len(flat)} numbers", f"give {dimension}, not all zero")
    return flat / np.float32(length)


def lexical_scores(catalogue: Catalogue, resolver: IngredientResolver, part: Part) -> Scores:
    """(rows,) 0..1: how much of the words titles and ingredients match; an equal title scores 1."""
    words, sizes = title_words(part.words), np.maximum(catalogue.words.sizes, 1)
    readings = part.readings
    asked = {key(name) for reading in readings for name in reading}
    title, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for name in names_in(words):
        # "Rice" in "rice noodles" asks for no kind of dish.
        called, kind = in_title(name), dish_of(name) if key(name) in asked else None
        mask, weight = _weighed(catalogue, called if kind is None else called | kind)
        title += weight * np.where(called.mask(catalogue), np.float32(1), np.float32(_BY_KIND) * mask)
        total += weight
    title = np.asarray(title / total)  # the weighted share of the words that the title has
    equal = (catalogue.words.count(words) == len(words)) & (sizes == len(words))
    found = [_scores_anywhere(catalogue, resolver, reading, part.tokens) for reading in readings]
    brief = title * np.minimum(1, len(counting(words)) / sizes)
    score = (1 - _BREVITY) * reduce(np.maximum, found, title) + _BREVITY * brief
    return np.asarray((1 - _EQUAL) * score + _EQUAL * equal, np.float32)


def _scores_anywhere(
    catalogue: Catalogue, resolver: IngredientResolver, names: Sequence[str], tokens: Collection[str]
) -> Scores:
    """(rows,) the same, where an ingredient also counts as the main one and in the list, a word as a tag."""
    scores, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    meaning = {name: meant(name, tokens, resolver) for name in names}
    # Of several ingredients only one can be the main one.
    several = sum(bool(wanted) and not is_kind(name) for name, wanted in meaning.items())
    listed = 1 - (1 - _LISTED) / max(1, several)
    for name, wanted in meaning.items():
        _, weight = _weighed(catalogue, anywhere(name, tokens, resolver))
        matching = np.float32(listed) * Has("tokens", wanted).mask(catalogue)
        for value, condition in (
            (_TAGGED, tagged(name)),
            (_BY_KIND, dish_of(name)),
            (1, SurelyMainIs(wanted)),
            (1, in_title(name)),
        ):
            if condition is not None:
                np.maximum(matching, value, out=matching, where=condition.mask(catalogue))
        scores += weight * matching
        total += weight
    return np.asarray(scores / total)


def _weighed(catalogue: Catalogue, condition: Condition) -> tuple[Mask, np.float32]:
    """(rows,) where it holds, and how much that counts, the inverse document frequency."""
    mask = condition.mask(catalogue)
    having = catalogue.frequency(condition, mask)
    return mask, np.float32(np.log(1 + (catalogue.recipes + 1) / (having + 1)))
