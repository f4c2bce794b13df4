"""Recipes into a collection: read, embedded and stored batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from chef.errors import ChefError
from chef.index import rows
from chef.index.photos import photo_bytes, usable
from chef.index.reading import read_recipes
from chef.index.store import Store, schema
from chef.index.values import Added
from chef.model.recipe_model import RecipeModel
from chef.progress import Progress
from chef.readers import Skipped, read
from chef.readers.base import is_web
from chef.recipe import Recipe

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 256  # recipes stored in one version: what an interruption may lose
_GPU_BATCH = 1024  # the same where they take no longer

Source = tuple[Recipe, list[bytes]]  # a recipe and its photos
Given = tuple[Recipe, list[bytes], str]  # as given, its photos, the digest of both


def recipes_of(
    sources: Iterable[str | Path | Iterable[Recipe]], skipped: Skipped
) -> Iterator[tuple[Recipe, bool]]:
    """The recipes of all sources, and whether their photos may be fetched from the web."""
    for source in sources:
        if isinstance(source, str | Path):
            on_the_web = is_web(str(source))
            found = 0
            for recipe in read(source, skipped):
                found += 1
                yield recipe, on_the_web
            if not found:
                raise skipped.nothing_from(source)
        else:
            for recipe in source:
                if not isinstance(recipe, Recipe):
                    raise ChefError(f"not a recipe: {type(recipe).__name__}", "give chef.Recipe values")
                yield recipe, False


def new_table(chef: RecipeModel) -> pa.Schema:
    """The table of a collection made with this model."""
    dimension = chef.model.config.space
    about = {"model": chef.name, "fingerprint": chef.fingerprint, "dimension": dimension}
    return schema(dimension, about)


class Writer:
    """Stores what the model makes of recipes."""

    def __init__(self, store: Store, chef: RecipeModel, skipped: Skipped, progress: Progress) -> None:
        self._store, self._chef, self._skipped, self._progress = store, chef, skipped, progress

    def add(self, recipes: Iterable[tuple[Recipe, bool]]) -> Added:
        """Store recipes, those of a known id in place of the old ones; equal ones are left alone."""
        found = ((one, photo_bytes(one, self._skipped, web=web)) for one, web in recipes)
        total = self._add(found, parsed=False)
        self.tidy()
        return total

    def add_parsed(self, recipes: Iterable[Source]) -> Added:
        """The same for recipes whose ingredients are parsed, as prepared data have them."""
        return self._add(recipes, parsed=True)

    def tidy(self) -> None:
        """Join the small files of many batches."""
        self._store.tidy()

    def _add(self, recipes: Iterable[Source], *, parsed: bool) -> Added:
        total, stream = Added(), iter(recipes)
        size = BATCH if self._chef.encoder.device.type == "cpu" else _GPU_BATCH
        while batch := list(islice(stream, size)):
            total += self._batch(batch, parsed)
            self._progress.advance(len(batch))
        return total

    def _batch(self, batch: list[Source], parsed: bool) -> Added:
        given: dict[str, Given] = {}  # of two with one id the later one counts
        for recipe, photos in batch:
            given[recipe.id] = recipe, photos, rows.digest(rows.check(recipe), photos)
        known = self._store.rows(given, ["digest"])
        new = [one for name, one in given.items() if name not in known or known[name]["digest"] != one[2]]
        if not new:
            return Added(unchanged=len(given))
        inserted, updated = self._store.upsert(rows.table(self._read(new, parsed), self._store.schema))
        return Added(inserted, updated, len(given) - len(new))

    def _read(self, given: list[Given], parsed: bool = False) -> list[rows.Row]:
        readings = read_recipes(self._chef, [recipe for recipe, _, _ in given], parsed=parsed)
        photos = [usable(photos, recipe, self._skipped) for recipe, photos, _ in given]
        vectors = iter(self._chef.encoder.embed_photos(photo[0] for photo in photos if photo is not None))
        return [
            rows.Row(recipe, digest, reading, photo[1] if photo else None, next(vectors) if photo else None)
            for (recipe, _, digest), reading, photo in zip(given, readings, photos, strict=True)
        ]

    def again(self, ids: Iterable[str], schema: pa.Schema) -> Iterator[pa.Table]:
        """Every stored recipe embedded again; a photo that is gone is seen by its thumbnail."""
        stream = iter(ids)
        while batch := list(islice(stream, BATCH)):
            found = self._store.rows(batch, ["recipe", "digest", "thumbnail"])
            given: list[Given] = []
            for name in batch:
                row = found[name]
                recipe = rows.recipe_of(row)
                photos = photo_bytes(recipe, Skipped(), web=False) if row["thumbnail"] else []
                given.append((recipe, [*photos, row["thumbnail"]] if row["thumbnail"] else [], row["digest"]))
            yield rows.table(self._read(given), schema)
            self._progress.advance(len(batch))
