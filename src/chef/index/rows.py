"""Recipes as rows of the table, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.contents import VERSION as CONTENTS_VERSION
from chef.contents import contents
from chef.errors import ChefError
from chef.food.canonical import token_of
from chef.index.values import Entry
from chef.recipe import Ingredient, Recipe
from chef.text.keys import spelled
from chef.text.tokens import tokenise

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.index.embedding import EncodedRecipe
    from chef.model.encoder import Vectors

METADATA = b"chef"  # the key in the table's metadata; its value is a JSON object
FORMAT = 1
_ENTRY = ("id", "recipe", "ingredients", "tokens", "main_ingredient", "main_confidence", "actions")
HAS_IMAGE = "thumbnail IS NOT NULL"
# Lance then sees that two writers insert the same new id, and lets the second one update it.
_PRIMARY_KEY = {b"lance-schema:unenforced-primary-key": b"true"}


def schema(dimension: int, metadata: dict[str, Any]) -> pa.Schema:
    """The columns of a collection whose vectors have `dimension` numbers."""
    import pyarrow as pa

    vector = pa.list_(pa.float32(), dimension)
    fields = [
        pa.field("id", pa.string(), nullable=False, metadata=_PRIMARY_KEY),
        pa.field("title", pa.string(), nullable=False),
        pa.field("digest", pa.string(), nullable=False),  # of the recipe as given and its photos
        pa.field("recipe", pa.string(), nullable=False),  # as given, JSON
        pa.field("ingredients", pa.string(), nullable=False),  # parsed, JSON
        pa.field("tokens", pa.list_(pa.string()), nullable=False),
        pa.field("main_ingredient", pa.string()),
        pa.field("main_confidence", pa.float64()),
        pa.field("actions", pa.list_(pa.string()), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("words", pa.list_(pa.string()), nullable=False),  # of the title, singular, each once
        # What the whole recipe names (chef.contents)
        pa.field("contains", pa.list_(pa.string()), nullable=False),
        pa.field("may", pa.list_(pa.string()), nullable=False),
        pa.field("foods", pa.list_(pa.string()), nullable=False),
        pa.field("not_understood", pa.list_(pa.string()), nullable=False),
        pa.field("is_english", pa.bool_(), nullable=False),
        pa.field("thumbnail", pa.binary()),  # null: no photo
        pa.field("vector", vector, nullable=False),
        pa.field("photo_vector", vector),
    ]
    metadata = {"format": FORMAT, "contents": CONTENTS_VERSION, **metadata}
    return pa.schema(fields, metadata={METADATA: json.dumps(metadata)})


@dataclass(frozen=True)
class Row:
    """One recipe, ready to be stored."""

    recipe: Recipe  # as given
    digest: str
    encoded: EncodedRecipe
    thumbnail: bytes | None
    photo_vector: Vectors | None


def digest(recipe: Recipe, photos: Sequence[bytes]) -> str:
    """sha256 of the recipe as given and of its photos; ChefError for one that cannot be stored."""
    if not recipe.id.strip():
        raise ChefError(f"the recipe {recipe.title[:80]!r} has no id", "give each recipe an id of its own")
    try:
        sha = hashlib.sha256(dumps(recipe.to_json()).encode())
    except UnicodeEncodeError as error:
        raise ChefError(f"the recipe {recipe.id!r} contains invalid characters", "repair it") from error
    for data in photos:
        sha.update(hashlib.sha256(data).digest())
    return sha.hexdigest()


def table(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    """Rows as a table of this schema."""
    import pyarrow as pa

    read = [contents(row.recipe) for row in rows] if "contains" in schema.names else []
    columns: dict[str, list[Any]] = {
        "id": [row.recipe.id for row in rows],
        "title": [row.recipe.title for row in rows],
        "digest": [row.digest for row in rows],
        "recipe": [dumps(row.recipe.to_json()) for row in rows],
        "ingredients": [
            dumps(
                [
                    {k: v for k, v in asdict(item).items() if v is not None}
                    for item in row.encoded.recipe.ingredients
                ]
            )
            for row in rows
        ],
        "tokens": [tokens_of(row.encoded.recipe) for row in rows],
        "main_ingredient": [row.encoded.main_ingredient for row in rows],
        "main_confidence": [row.encoded.main_confidence for row in rows],
        "actions": [row.encoded.actions for row in rows],
        "tags": [list(row.recipe.tags) for row in rows],
        "words": [title_words(row.recipe.title) for row in rows],
        "contains": [one.contains for one in read],
        "may": [one.may for one in read],
        "foods": [one.foods for one in read],
        "not_understood": [one.not_understood for one in read],
        "is_english": [one.is_english for one in read],
        "thumbnail": [row.thumbnail for row in rows],
    }
    arrays = [pa.array(columns[field.name], field.type) for field in schema if field.name in columns]
    dimension = schema.field("vector").type.list_size
    arrays.append(_vectors([row.encoded.vector for row in rows], dimension))
    arrays.append(_vectors([row.photo_vector for row in rows], dimension))
    return pa.Table.from_arrays(arrays, schema=schema)


def _vectors(vectors: Sequence[Vectors | None], dimension: int) -> pa.Array:
    import pyarrow as pa

    empty = np.zeros(dimension, np.float32)
    flat = np.concatenate([empty if vector is None else vector for vector in vectors] or [empty[:0]])
    missing = pa.array([vector is None for vector in vectors], pa.bool_())
    return pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float32()), dimension, mask=missing)


def tokens_of(recipe: Recipe) -> list[str]:
    """The canonical ingredients of a parsed recipe in the order of its list, each once."""
    named = (item.token or token_of(item.name) for item in recipe.ingredients if item.name)
    return [token for token in dict.fromkeys(named) if token]


def title_words(title: str) -> list[str]:
    """The words by which a title, or a query, is matched: singular, each once.

    >>> title_words("Soups of the day")
    ['soup', 'of', 'the', 'day']
    """
    return list(dict.fromkeys(spelled(word) for word in tokenise(title)))


def recipe_of(row: dict[str, Any]) -> Recipe:
    """The recipe of a row, as it was given."""
    return Recipe.from_json(json.loads(row["recipe"]))


def entry_columns(schema: pa.Schema) -> list[str]:
    """The columns of an Entry that a collection has; older ones have no `main_confidence`."""
    return [name for name in _ENTRY if name in schema.names]


def entry_of(row: dict[str, Any]) -> Entry:
    """The entry of a row that has `entry_columns` and `has_image`."""
    parsed = tuple(Ingredient(**item) for item in json.loads(row["ingredients"]))
    return Entry(
        id=row["id"],
        recipe=replace(recipe_of(row), ingredients=parsed),
        main_ingredient=row["main_ingredient"],
        main_confidence=row.get("main_confidence"),
        actions=row["actions"],
        tokens=row["tokens"],
        has_image=row["has_image"],
    )


def dumps(data: Any) -> str:
    """JSON that is the same for the same data."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
