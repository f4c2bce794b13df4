"""The source cut into chunks: units of work that are done, skipped or repeated as a whole."""

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from chef.data.texts import TRAIN
from chef.readers import Skipped, read
from chef.readers.remote import RemoteCopy
from chef.recipe import Recipe
from chef.storage import is_s3


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some recipes in a row. Equal digests mean equal recipes with images of the same sizes."""

    number: int
    first: int  # the running number of its first recipe
    recipes: tuple[Recipe, ...]
    digest: str
    texts: bool = False  # recipes for the train split, whatever their titles

    @property
    def name(self) -> str:
        """The name of the part that it becomes: other recipes give another name."""
        return part_name(self.number, self.digest)


class Source:
    """Recipes of any format, in chunks; can be read several times.

    texts: further sources, whose recipes join the train split without their photos.
    without: recipes that name one of these as their source are left out.
    `skipped` counts what the last reading left out.
    """

    def __init__(
        self,
        source: str | Path,
        size: int,
        *,
        texts: Sequence[str | Path] = (),
        without: Collection[str] = (),
    ) -> None:
        self.name = str(source)
        self._sources = [(source, False), *((text, True) for text in texts)]
        self._without = without
        self._size = size
        self._copies: dict[str, RemoteCopy] = {}  # of remote sources
        self.skipped = Skipped()

    def _read(self, source: str | Path, skipped: Skipped) -> Iterator[Recipe]:
        """The recipes of one source; a remote one is fetched once for all readings."""
        if not is_s3(source):
            return read(source, skipped)
        address = str(source)
        if address not in self._copies:
            self._copies[address] = RemoteCopy(address)
        copy = self._copies[address]
        return copy.recipes(read(copy.path, skipped), skipped)

    def chunks(self) -> Iterator[Chunk]:
        """Read the source from its start, then the texts."""
        self.skipped = Skipped()
        _archive_size.cache_clear()
        seen: set[bytes] = set()
        number = first = 0
        for source, texts in self._sources:
            recipes = self._usable(source, seen)
            if texts:
                recipes = (replace(recipe, images=(), split=TRAIN) for recipe in recipes)
            while chunk := tuple(islice(recipes, self._size)):
                facts = (json.dumps(self._facts(recipe), sort_keys=True) for recipe in chunk)
                yield Chunk(number, first, chunk, digest_of(facts), texts)
                number += 1
                first += len(chunk)

    def _facts(self, recipe: Recipe) -> dict[str, Any]:
        """The recipe as data, its images by name and size: the same wherever the source is."""
        images = [(os.path.basename(reference), self._image_size(reference)) for reference in recipe.images]
        return {**recipe.to_json(), "images": images}

    def _image_size(self, reference: str) -> int | None:
        """The size of the image file, or of the archive that holds it; None where there is neither."""
        if is_s3(reference):
            return next(filter(None, (copy.size(reference) for copy in self._copies.values())), None)
        if (size := _file_size(reference)) is not None:
            return size
        archive = reference.partition("#/")[0].partition("!")[0]
        return _archive_size(archive) if archive != reference else None

    def check(self) -> None:
        """Raise an error now for what cannot be read, not after everything else has been read."""
        for source, texts in self._sources:
            skipped = Skipped()
            recipes = self._read(source, skipped)
            if texts and next(recipes, None) is None:
                raise skipped.nothing_from(source)

    def unused(self, skipped: Skipped) -> list[str]:
        """The names to leave out that did not occur in a reading; `skipped` is what it counted."""
        return [name for name in self._without if _left_out(name) not in skipped.counts]

    def _usable(self, source: str | Path, seen: set[bytes]) -> Iterator[Recipe]:
        for recipe in self._read(source, self.skipped):
            # A short hash in place of the id: millions of ids would fill the memory.
            key = hashlib.blake2b(recipe.id.encode(errors="surrogatepass"), digest_size=8).digest()
            if recipe.source in self._without:
                self.skipped.add(_left_out(str(recipe.source)), recipe.id)
            elif key in seen:
                self.skipped.add("same id as an earlier recipe", recipe.id)
            elif not (recipe.title.strip() or recipe.ingredients or recipe.steps):
                self.skipped.add("empty recipe", recipe.id)
            else:
                seen.add(key)
                yield recipe


def part_name(number: int, digest: str) -> str:
    """The name of the part that a chunk becomes."""
    return f"{number:06d}-{digest[:16]}"


def _left_out(source: str) -> str:
    return f"source {source} left out"


def digest_of(parts: Iterable[str]) -> str:
    """One digest of many, in order."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _file_size(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):  # a web address, a missing file
        return None


_archive_size = lru_cache(maxsize=64)(_file_size)
