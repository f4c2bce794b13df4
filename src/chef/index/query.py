"""A query: a photo, words, a recipe or a vector, combined into one vector and a lexical score.

The lexical score compares words with titles, tags and ingredients. The fewer recipes have a word, the more it
counts. An ingredient counts nearly as much in the list as in the title, and so does any word as a tag; titles
with fewer other words come first, and a title with exactly these words comes before all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING

import numpy as np

from chef.errors import ChefError
from chef.files import rows
from chef.index.catalogue import Catalogue
from chef.index.conditions import Condition, Has
from chef.index.filters import IngredientResolver
from chef.index.nearest import Mask, Scores, Vectors
from chef.index.spelling import counting
from chef.index.values import encode_recipes, title_words, tokens_of
from chef.recipe import Ingredient, Recipe
from chef.text.tokens import readable

if TYPE_CHECKING:
    from chef.model.recipe_model import RecipeModel

# Chosen on the validation split of the open recipes; docs/search.md has the figures.
_LISTED = 0.9  # of an ingredient in the list, where one in the title counts 1
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
        named = tuple(dict.fromkeys(word for word in title if word in chef.texts.canonical))
        items = [Ingredient(name, name=name, token=token) for token in named if (name := readable(token))]
        encoded = encode_recipes(chef, [titled.with_ingredients(items)])[0]
        parts.append(Part("text", 1.0, encoded.vector, titled.title, title, named))
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
    title, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for word in counting(words):
        titled, weight = _weighed(catalogue, in_title([word]))
        title += weight * titled
        total += weight
    title = np.asarray(title / total)  # the weighted share of the words that the title has
    equal = (catalogue.words.count(words) == len(words)) & (sizes == len(words))
    anywhere = np.maximum(title, _scores_anywhere(catalogue, resolver, part))
    brief = title * np.minimum(1, len(words) / sizes)
    score = (1 - _BREVITY) * anywhere + _BREVITY * brief
    return np.asarray((1 - _EQUAL) * score + _EQUAL * equal, np.float32)


def _scores_anywhere(catalogue: Catalogue, resolver: IngredientResolver, part: Part) -> Scores:
    """(rows,) the same, where an ingredient also counts in the list and a word as a tag."""
    scores, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for name in counting(dict.fromkeys(part.read)):
        titled = in_title(title_words(readable(name))).mask(catalogue)
        matching, weight = _weighed(catalogue, anywhere(name, part.tokens, resolver))
        scores += weight * np.where(titled, np.float32(1), np.float32(_LISTED) * matching)
        total += weight
    return np.asarray(scores / total)


def in_title(words: Sequence[str]) -> Condition:
    """The title has all of the words, or names a dish of the course that they name."""
    names = [tuple(dict.fromkeys(name)) for name in (words, *_courses().get(" ".join(words), ()))]
    conditions: list[Condition] = [Has("words", name, every=True) for name in names if len(name) != 1]
    if single := [name[0] for name in names if len(name) == 1]:
        conditions.append(Has("words", single))
    return reduce(or_, conditions)


def anywhere(name: str, tokens: Collection[str], resolver: IngredientResolver) -> Condition:
    """The same, or the word is a tag, or one of the `tokens` that the list has."""
    words = title_words(readable(name))
    condition = in_title(words) | Has("tags", [name, *words])  # a soup need not be called one
    return condition | Has("tokens", resolver.resolve(readable(name))) if name in tokens else condition


def _weighed(catalogue: Catalogue, condition: Condition) -> tuple[Mask, np.float32]:
    """(rows,) where it holds, and how much that counts, the inverse document frequency."""
    mask = condition.mask(catalogue)
    having = catalogue.frequency(condition, mask)
    return mask, np.float32(np.log(1 + (catalogue.recipes + 1) / (having + 1)))


@cache
def _courses() -> dict[str, list[list[str]]]:
    """What people ask for by its course, and the words of titles that are such dishes."""
    courses: dict[str, list[list[str]]] = {}
    for course, names in rows("chef.food", "courses.tsv"):
        courses.setdefault(course, []).extend(title_words(readable(name)) for name in names.split())
    return courses
