"""Nextcloud Cookbook: each recipe is a folder with `recipe.json` (schema.org) and `full.jpg`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chef.readers import json_document
from chef.readers.found import Found, Scope

# Best first: the thumbnail is the same photo, made small.
_PHOTOS = ("full.jpg", "thumb.jpg")


def matches(path: Path) -> bool:
    """Whether a JSON file is one of Nextcloud's: its name, or the photo beside it."""
    if path.suffix.lower() != ".json":
        return False
    return path.name == "recipe.json" or (path.parent / "full.jpg").is_file()


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipe of one folder, with the photo that Nextcloud keeps beside it."""
    photo = next((path.parent / name for name in _PHOTOS if (path.parent / name).is_file()), None)
    for found in json_document.read(path, scope):
        # Its `image` field tells where the photo once came from; the one on disk counts.
        yield found if photo is None else replace(found, images=(str(photo),))
