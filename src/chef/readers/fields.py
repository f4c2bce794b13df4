"""The fields of a recipe under the names that formats give them.

JSON lines, schema.org, Mealie, Nextcloud, Paprika and Markdown front matter differ in names and nesting,
not in meaning: one table of names and three tolerant walks read them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chef.readers.base import is_web
from chef.readers.clean import clean, plain

# Of several names the first one with a value counts; `tags` takes them all.
NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "uid", "recipe_id"),
    "title": ("title", "name", "headline"),
    "ingredients": ("ingredients", "recipeIngredient", "recipe_ingredient", "ingredient"),
    "steps": ("instructions", "recipeInstructions", "recipe_instructions", "directions", "method", "steps"),
    "images": ("images", "image", "photo", "img", "cover", "thumbnail", "image_url"),
    "tags": tuple(
        "tags keywords categories category recipeCategory recipe_category recipeCuisine cuisine".split()
    ),
    "source": ("source",),
    "licence": ("licence", "license"),
    "url": ("url", "org_url", "orgURL", "source_url", "sourceUrl"),
    "split": ("split", "partition"),
}

_IMAGE_NAMES = ("url", "contentUrl", "src", "path", "file", "@id")
_DEPTH = 8  # how deep lists and sections may nest


def first(data: Mapping[str, Any], field: str) -> Any:
    """The value of a field under the first of its names that has one, else None."""
    for name in NAMES[field]:
        value = data.get(name)
        if value is not None and value != "" and value != [] and value != {}:
            return value
    return None


def text(data: Mapping[str, Any], field: str) -> str:
    """The clean text of a field that is a single value, "" where it has none."""
    value = first(data, field)
    if isinstance(value, list):
        value = next((item for item in value if plain(item)), None)
    return plain(value)


def url(data: Mapping[str, Any]) -> str | None:
    """The web address of the recipe. Others, such as `javascript:`, must never become a link."""
    for name in NAMES["url"]:
        address = plain(data.get(name))
        if is_web(address):
            return address
    return None


def is_recipe(data: Mapping[str, Any]) -> bool:
    """Whether an object claims to be a recipe: by its schema.org type, or by a title and ingredients."""
    if "@type" not in data:
        return first(data, "ingredients") is not None and first(data, "title") is not None
    kinds = data["@type"] if isinstance(data["@type"], list) else [data["@type"]]
    # "Recipe", "schema:Recipe" and "https://schema.org/Recipe" are the same type.
    names = [kind.replace(":", "/").rsplit("/", 1)[-1].lower() for kind in kinds if isinstance(kind, str)]
    return "recipe" in names


def recipes_in(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The recipe objects inside a JSON value: itself, in lists, under `@graph` and in wrappers."""
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        if is_recipe(value):
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                yield from recipes_in(item, depth + 1)


def tags(data: Mapping[str, Any]) -> tuple[str, ...]:
    """All tags once each, in the order they are given; a string may hold several between commas."""
    by_key: dict[str, str] = {}
    for name in NAMES["tags"]:
        value = data.get(name)
        items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
        for item in items:
            tag = plain(item.get("name") if isinstance(item, dict) and "name" in item else item)
            if tag:
                by_key.setdefault(tag.lower(), tag)
    return tuple(by_key.values())


def image_names(value: Any, depth: int = 0) -> Iterator[str]:
    """The images a recipe names: a string, an ImageObject, or lists of them."""
    if isinstance(value, str):
        if name := clean(value):
            yield name
    elif isinstance(value, list) and depth < _DEPTH:
        for item in value:
            yield from image_names(item, depth + 1)
    elif isinstance(value, dict) and depth < _DEPTH:
        for name in _IMAGE_NAMES:
            if names := list(image_names(value.get(name), depth + 1)):
                yield from names
                return
