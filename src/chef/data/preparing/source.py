"""The source cut into chunks: the pieces of work that are done, skipped or done again as a whole."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from chef.readers import Skipped, read
from chef.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some recipes in a row. Equal digests mean equal recipes with images of the same sizes."""

    number: int
    first: int  # the running number of its first recipe
    recipes: tuple[Recipe, ...]
    digest: str


class Source:
    """Recipes of any format, in chunks; can be read several times.

    `skipped` counts what the last reading left out.
    """

    def __init__(self, source: str | Path, size: int) -> None:
        self.name = str(source)
        self._source = source
        self._size = size
        self.skipped = Skipped()

    def chunks(self) -> Iterator[Chunk]:
        """Read the source from its start."""
        self.skipped = Skipped()
        _archive_size.cache_clear()
        recipes = self._usable()
        number = first = 0
        while chunk := tuple(islice(recipes, self._size)):
            yield Chunk(number, first, chunk, _digest(chunk))
            number += 1
            first += len(chunk)

    def _usable(self) -> Iterator[Recipe]:
        seen: set[bytes] = set()
        for recipe in read(self._source, self.skipped):
            # A short hash in place of the id: millions of ids would fill the memory.
            key = hashlib.blake2b(recipe.id.encode(errors="surrogatepass"), digest_size=8).digest()
            if key in seen:
                self.skipped.add("same id as an earlier recipe", recipe.id)
            elif not (recipe.title.strip() or recipe.ingredients or recipe.steps):
                self.skipped.add("empty recipe", recipe.id)
            else:
                seen.add(key)
                yield recipe


def digest_of(parts: Iterator[str] | list[str]) -> str:
    """One digest of many, in order."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _digest(recipes: tuple[Recipe, ...]) -> str:
    return digest_of([json.dumps(_facts(recipe), sort_keys=True) for recipe in recipes])


def _facts(recipe: Recipe) -> dict[str, Any]:
    """The recipe as data, its images by name and size: the same wherever the source lies."""
    images = [(os.path.basename(reference), _image_size(reference)) for reference in recipe.images]
    return {**recipe.to_json(), "images": images}


def _image_size(reference: str) -> int | None:
    """The size of the image file, or of the archive that holds it; None where there is neither."""
    if (size := _file_size(reference)) is not None:
        return size
    archive = reference.partition("#/")[0].partition("!")[0]
    return _archive_size(archive) if archive != reference else None


def _file_size(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):  # a web address, a missing file
        return None


_archive_size = lru_cache(maxsize=64)(_file_size)
