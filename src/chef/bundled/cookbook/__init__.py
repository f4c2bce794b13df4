"""The cookbook: well-known dishes of many cuisines, written for CHEF; one JSON file a cuisine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files

from chef.recipe import Recipe

SOURCE, LICENCE = "chef cookbook", "Apache-2.0"


def cookbook() -> Iterator[Recipe]:
    """All recipes, cuisine by cuisine.

    >>> next(cookbook()).source
    'chef cookbook'
    """
    for text in _files():
        for entry in json.loads(text):
            yield replace(Recipe.from_json(entry), source=SOURCE, licence=LICENCE)


def digest() -> str:
    """sha256 of the cookbook: another one means other recipes."""
    return hashlib.sha256("\0".join(_files()).encode()).hexdigest()


def _files() -> list[str]:
    found = {file.name: file for file in files(__package__).iterdir() if file.name.endswith(".json")}
    return [found[name].read_text("utf-8") for name in sorted(found)]
