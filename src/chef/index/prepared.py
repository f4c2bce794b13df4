"""Prepared data as a source of a collection: shard by shard, each recipe with the bytes of its photos."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chef.data.manifest import FORMAT, NAME
from chef.data.prepared import Prepared
from chef.data.preparing.workplace import SETTINGS
from chef.data.shards import members
from chef.errors import ChefError
from chef.readers.base import is_web
from chef.recipe import Recipe
from chef.storage import Store, open_store

_ANY_FORMAT = FORMAT.rpartition(" ")[0]  # of whichever version


def open_prepared(source: str | Path) -> Prepared | None:
    """The prepared data in a folder or at an address; None if there is anything else, or nothing.

    >>> open_prepared("my-recipes/") is None
    True
    """
    if is_web(str(source)) or not str(source).strip():
        return None
    store = open_store(source)
    # Those that are not finished are prepared data too: opening them says what to do.
    return Prepared(source) if _has_manifest(store) or store.size(SETTINGS) is not None else None


def _has_manifest(store: Store) -> bool:
    """Whether there is a manifest of ours: other people's folders have files of that name, too."""
    if store.size(NAME) is None:
        return False
    try:
        found = json.loads(store.read(NAME))
    except ValueError:
        return False
    return isinstance(found, dict) and str(found.get("format")).startswith(_ANY_FORMAT)


def shard_recipes(store: Store, shard: str) -> Iterator[tuple[Recipe, list[bytes]]]:
    """The recipes of one shard, parsed, and their photos, read from its start to its end.

    A recipe names no place of its photos and no canonical tokens: it is the same wherever the data lie, and
    the tokens are those of a map that need not be the collection's.
    """
    recipe: Recipe | None = None
    photos: list[bytes] = []
    for name, data in members(store, shard):
        if not name.endswith(".json"):
            photos.append(data)
            continue
        if recipe is not None:
            yield recipe, photos
        recipe, photos = _recipe(data, store.place(shard)), []
    if recipe is not None:
        yield recipe, photos


def _recipe(data: bytes, place: str) -> Recipe:
    try:
        found = json.loads(data)
        del found["tokens"]
        recipe = Recipe.from_json({**found, "images": []})
    except (ValueError, TypeError, KeyError) as error:
        raise ChefError(f"damaged file: {place}", "prepare the data again") from error
    return recipe.with_ingredients(replace(item, token=None) for item in recipe.ingredients)
