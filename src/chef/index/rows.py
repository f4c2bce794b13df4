"""Recipes as rows of the table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.errors import ChefError
from chef.index.values import Entry
from chef.recipe import Ingredient, Recipe

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.index.reading import Reading
    from chef.model.encoder import Vectors

ENTRY = ("id", "recipe", "ingredients", "tokens", "main_ingredient", "actions")  # columns of an Entry
HAS_IMAGE = "thumbnail IS NOT NULL"


@dataclass(frozen=True)
class Row:
    """One recipe, ready to be stored."""

    given: Recipe
    digest: str
    reading: Reading
    thumbnail: bytes | None
    photo_vector: Vectors | None


def digest(recipe: Recipe, photos: Sequence[bytes]) -> str:
    """sha256 of the recipe as given and of its photos: equal digests need no second look."""
    found = hashlib.sha256(dumps(recipe.to_json()).encode())
    for data in photos:
        found.update(hashlib.sha256(data).digest())
    return found.hexdigest()


def check(recipe: Recipe) -> Recipe:
    """The recipe itself, if it can be stored."""
    if not recipe.id.strip():
        raise ChefError(f"the recipe {recipe.title[:80]!r} has no id", "give each recipe an id of its own")
    try:
        dumps(recipe.to_json()).encode()
    except UnicodeEncodeError as error:
        raise ChefError(f"the recipe {recipe.id!r} holds characters that are no text", "repair it") from error
    return recipe


def table(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    """Rows as a table of this schema."""
    import pyarrow as pa

    from chef.index.reading import title_words, tokens_of

    columns: dict[str, list[Any]] = {
        "id": [row.given.id for row in rows],
        "title": [row.given.title for row in rows],
        "digest": [row.digest for row in rows],
        "recipe": [dumps(row.given.to_json()) for row in rows],
        "ingredients": [_ingredients(row.reading.recipe) for row in rows],
        "tokens": [tokens_of(row.reading.recipe) for row in rows],
        "main_ingredient": [row.reading.main_ingredient for row in rows],
        "actions": [row.reading.actions for row in rows],
        "tags": [list(row.given.tags) for row in rows],
        "words": [title_words(row.given.title) for row in rows],
        "thumbnail": [row.thumbnail for row in rows],
    }
    arrays = [pa.array(columns[field.name], field.type) for field in schema if field.name in columns]
    dimension = schema.field("vector").type.list_size
    arrays.append(_vectors([row.reading.vector for row in rows], dimension))
    arrays.append(_vectors([row.photo_vector for row in rows], dimension))
    return pa.Table.from_arrays(arrays, schema=schema)


def _vectors(vectors: Sequence[Vectors | None], dimension: int) -> pa.Array:
    import pyarrow as pa

    empty = np.zeros(dimension, np.float32)
    flat = np.concatenate([empty if vector is None else vector for vector in vectors] or [empty[:0]])
    missing = pa.array([vector is None for vector in vectors], pa.bool_())
    return pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float32()), dimension, mask=missing)


def _ingredients(recipe: Recipe) -> str:
    return dumps([{k: v for k, v in asdict(item).items() if v is not None} for item in recipe.ingredients])


def recipe_of(row: dict[str, Any]) -> Recipe:
    """The recipe of a row, as it was given."""
    return Recipe.from_json(json.loads(row["recipe"]))


def entry_of(row: dict[str, Any]) -> Entry:
    """The entry of a row that has the columns ENTRY and `has_image`."""
    parsed = tuple(Ingredient(**item) for item in json.loads(row["ingredients"]))
    return Entry(
        id=row["id"],
        recipe=replace(recipe_of(row), ingredients=parsed),
        main_ingredient=row["main_ingredient"],
        actions=row["actions"],
        tokens=row["tokens"],
        has_image=row["has_image"],
    )


def dumps(data: Any) -> str:
    """JSON that is the same for the same data."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
