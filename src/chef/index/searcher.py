"""The reading side of a collection: its recipes, and searches over the latest version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from chef.errors import ChefError
from chef.index.catalogue import Catalogue
from chef.index.filters import Filters, IngredientResolver
from chef.index.grown import grow
from chef.index.lance_indexes import is_indexed
from chef.index.match import Calibration
from chef.index.nearest import EXACT
from chef.index.on_disk import DiskCatalogue
from chef.index.own_model import OwnModel
from chef.index.snapshot import Snapshot, freeze, stamp
from chef.index.store import Columns, Store
from chef.index.values import (
    AskedFor,
    Entry,
    Hit,
    Hits,
    Info,
    Point,
    entry_columns,
    entry_of,
    has_image,
    stored_id,
)
from chef.model.photos import Photo, photo_pixels
from chef.recipe import Recipe
from chef.text.keys import spelled

if TYPE_CHECKING:
    from chef.model.recipe_model import RecipeModel

_ENTRIES_AT_ONCE = 200

Result = TypeVar("Result")


class Searcher:
    """A collection that is read and searched, and followed as others write to it; see `Index`."""

    def __init__(
        self, url: str | Path | Store, model: str | Path | RecipeModel | None = None, *, create: bool = True
    ) -> None:
        self._store = url if isinstance(url, Store) else Store(url)
        self._lock = RLock()
        self._model = OwnModel(self._store, model)
        self._latest: Catalogue | DiskCatalogue | None = None
        self._resolver: tuple[int, IngredientResolver] | None = None
        self._mapping = Lock()
        if not create or self._store.exists:
            self._store.check()
            if model is not None:
                self._model.load(model)  # now, before anything is done with another model

    @property
    def url(self) -> str:
        """Where the collection is."""
        return self._store.url

    @property
    def chef(self) -> RecipeModel:
        """The model, loaded when it is first needed."""
        return self._model.loaded

    def prepare_model(self, prepare: Callable[[RecipeModel], RecipeModel]) -> None:
        """Change the model before it is used, now and whenever another one is loaded for the collection."""
        self._model.prepare(prepare)

    # Reading

    @property
    def version(self) -> int:
        """A number that changes with every write, whoever writes."""
        return self._store.version

    @property
    def fault(self) -> ChefError | None:
        """Why only words and filters are searched, if that is so; known after the first search."""
        return self._model.fault

    def ready(self) -> None:
        """Raise ChefError unless the collection can be reached and its model is at hand."""
        _ = self.version
        if self._model.fault is not None:
            self._model.load(None)
            self._model.compare_vectors()

    def get(self, id: str) -> Entry:
        """The recipe of this id."""
        return entry_of(self._row(id, entry_columns(self._store.schema)))

    def present(self, ids: Iterable[str]) -> list[str]:
        """Those of the ids that are in the collection."""
        return list(self._rows(ids, []))

    def thumbnail(self, id: str) -> bytes | None:
        """The recipe's photo as a small JPEG, if it has one."""
        data: bytes | None = self._row(id, ["thumbnail"])["thumbnail"]
        return data

    def _row(self, id: str, columns: Columns) -> dict[str, Any]:
        rows = self._rows([id], columns)
        if not rows:
            raise unknown(id)
        return rows[id]

    def _rows(self, ids: Iterable[str], columns: Columns) -> dict[str, dict[str, Any]]:
        """The rows of those ids that are there, by id as asked for; it may be stored under another."""
        asked = {id: stored_id(id) for id in ids}
        rows = self._store.rows([*asked, *asked.values()], columns)
        present = ((id, rows.get(id) or rows.get(stored)) for id, stored in asked.items())
        return {id: row for id, row in present if row is not None}

    def entries(self, offset: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The recipes, ordered by id."""
        catalogue = self._catalogue()
        end = catalogue.recipes if limit is None else min(catalogue.recipes, offset + limit)
        for start in range(offset, end, _ENTRIES_AT_ONCE):
            last = min(start + _ENTRIES_AT_ONCE, end)
            try:
                yield from catalogue.entries(start, last)
            except ChefError:  # of a version that was removed meanwhile: those that are still there
                if self._store.version == catalogue.version:
                    raise
                ids = catalogue.sorted_ids(start, last)
                rows = self._store.rows(ids, entry_columns(self._store.schema))
                yield from (entry_of(rows[id]) for id in ids if id in rows)

    def browse(self, offset: int = 0, limit: int = 50) -> list[Hit]:
        """Recipes as a cook would look through them: favourites, then those with a photo, each by title."""
        from chef.index.search import browse

        return self.with_catalogue(lambda catalogue: browse(catalogue, offset, limit))

    def export(self) -> Iterator[dict[str, Any]]:
        """Every recipe as a plain dictionary, ordered by id; equal collections give equal ones."""
        for entry in self.entries():
            yield entry.to_json()

    def info(self) -> Info:
        """The collection in figures."""
        version, metadata = self._store.version, self._store.metadata
        return Info(
            recipes=self._store.count(),
            with_image=self._store.count(has_image(self._store.schema)),
            model=metadata["model"],
            dimension=metadata["dimension"],
            bytes=self._store.bytes(),
            version=version,
            engine="lance" if is_indexed(self._store.lance_snapshot()) else "memory",
        )

    # Searching

    def search(
        self,
        image: Photo | None = None,
        text: str | None = None,
        recipe: Recipe | None = None,
        *,
        vector: np.ndarray[Any, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        with_: Sequence[str] = (),
        without: Sequence[str] = (),
        main: str | None = None,
        max_ingredients: int | None = None,
        tags: Sequence[str] = (),
        pantry: Sequence[str] = (),
        k: int = 10,
        exclude: Sequence[str] = (),
        diet: str | None = None,
        include_unsure: bool = False,
        literal: bool = False,
    ) -> Hits:
        """The k best recipes, each with the reasons, and whether there is a good `match`.

        image (a path, bytes or Pillow image), text, recipe and vector may be combined; `weights` says how
        much each counts (1 if not given). The others are filters and exact: ingredients are given by name,
        family (chicken) or group (nuts); diet is vegetarian, vegan or pescatarian. Groups and diets also
        leave out recipes that were not understood, unless `include_unsure` asks for them. Filters in the
        words ("vegan curry without nuts") count as such, unless `literal`. With a `pantry` recipes that use
        the most of it come first, and where something else is asked for, those that lack the fewest things.
        Without a query all recipes that pass come by title. A photo's score is its product with the recipe.

        >>> index.search(image="dish.jpg", text="with rice", without=["nuts"], k=3)
        """
        from chef.index.query import build_query
        from chef.index.search import search

        if k < 1:
            raise ChefError(f"{k} hits is none", "ask for 1 or more")
        if text and not literal:
            asked_for = self.understand(text)
            if asked_for.unknown and not (asked_for.text or image or recipe or vector is not None):
                return Hits(match="none")
            text, without, diet = asked_for.text, [*without, *asked_for.without], diet or asked_for.diet
        asked = image is not None or recipe is not None or vector is not None or bool((text or "").strip())
        filters = Filters(with_, without, main, max_ingredients, tags, exclude, diet, include_unsure)
        if not (asked or filters or pantry):
            raise ChefError("an empty query", "give a photo, words, a recipe or a filter")

        def find(catalogue: Catalogue | DiskCatalogue) -> Hits:
            side = self._model.photo_side()
            if side is None and (image is not None or recipe is not None or vector is not None):
                self._model.compare_vectors()
            calibration = None if side is None else Calibration.load(side.folder)
            photo, is_food = None, True
            if image is not None and side is None:
                photo = self.chef.embed_images([image])[0]
            elif image is not None and side is not None:
                vectors, features = side.embed([photo_pixels(image, side.transform)])
                photo, is_food = vectors[0], calibration is None or calibration.is_food(features[0])
            dimension = self._store.metadata["dimension"]
            query = build_query(lambda: self.chef, photo, text, recipe, vector, weights, dimension)
            if self._model.fault is not None:
                query = query.without_vectors(dimension)
            resolver = self.resolver(catalogue)
            return search(catalogue, resolver, query, filters, list(pantry), k, calibration, is_food)

        return self.with_catalogue(find)

    def freeze(self) -> None:
        """Leave what a search needs in a file, so that the next command opens the collection at once."""
        catalogue = self._latest
        if not isinstance(catalogue, Catalogue) or not self._store.is_local:
            return
        seen, snapshot = stamp(folder := Path(self.url)), catalogue.snapshot
        if not isinstance(snapshot, Snapshot) or len(catalogue) > EXACT:
            return
        if self._store.version == catalogue.version:
            freeze(snapshot, catalogue.table, folder, seen)

    def understand(self, text: str) -> AskedFor:
        """What the words of a query ask for: filters and the rest.

        >>> open_cookbook().understand("vegan dessert without nuts")
        AskedFor(text='dessert', without=['nuts'], diet='vegan', corrected={}, unknown=[])
        """
        from chef.index.filters import understand
        from chef.index.spelling import spell

        def known(word: str) -> bool:
            try:
                return bool(self.resolver(self._catalogue()).resolve(word, derived=True))
            except ChefError:
                return False

        def find(catalogue: Catalogue | DiskCatalogue) -> AskedFor:
            asked = understand(text, known)
            spelling = spell(asked.text, catalogue.words.counts, lambda word: word in self._model_words)
            return replace(asked, **vars(spelling))

        return self.with_catalogue(find)

    @cached_property
    def _model_words(self) -> frozenset[str]:
        """The words that the model knows, in the singular."""
        return frozenset(spelled(word) for token in self.chef.vocabulary.words for word in token.split("_"))

    def near_photos(
        self, vector: np.ndarray[Any, Any], k: int = 10, *, exclude: Sequence[str] = ()
    ) -> list[Hit]:
        """The recipes whose own photos are nearest to a vector: real dishes that look like it."""
        from chef.index.query import unit_vector
        from chef.index.search import search_photos

        self._model.compare_vectors()
        wanted = unit_vector(vector, self._store.metadata["dimension"])
        return self.with_catalogue(lambda catalogue: search_photos(catalogue, wanted, k, exclude))

    def map(self) -> list[Point]:
        """Every recipe as a point on a plane, similar ones near each other; kept until something changes."""

        def project(catalogue: Catalogue | DiskCatalogue) -> list[Point]:
            with self._mapping:  # not the lock of all: searches go on meanwhile
                return catalogue.sample.points

        return self.with_catalogue(project)

    def vocabulary(self) -> tuple[dict[str, int], list[str], dict[str, int]]:
        """For completion: canonical ingredients with their counts, groups, and tags with their counts."""
        from chef.food.groups import groups

        catalogue = self._catalogue()
        return catalogue.tokens.counts, list(groups()), catalogue.tags.counts

    def _catalogue(self) -> Catalogue | DiskCatalogue:
        """The latest version."""
        version = self._store.version
        with self._lock:
            if self._latest is None or self._latest.version != version:
                with self._store.held():
                    snapshot, last = self._store.snapshot(), self._latest
                    self._model.follow()
                    # Last: vectors whose model could not be loaded must not be searched with the old one.
                    if isinstance(snapshot, Snapshot) and is_indexed(snapshot):
                        known = last if isinstance(last, DiskCatalogue) else None
                        self._latest = DiskCatalogue(self._store, snapshot, known)
                    else:
                        grown = grow(last, snapshot) if isinstance(last, Catalogue) else None
                        self._latest = grown or Catalogue(snapshot)
            return self._latest

    def with_catalogue(self, read: Callable[[Catalogue | DiskCatalogue], Result]) -> Result:
        """Read from the latest version, or from the next one if that was removed meanwhile."""
        catalogue = self._catalogue()
        try:
            return read(catalogue)
        except ChefError:
            if self._store.version == catalogue.version:
                raise
            with self._store.held():
                return read(self._catalogue())

    def resolver(self, catalogue: Catalogue | DiskCatalogue) -> IngredientResolver:
        """Resolves ingredient words to the tokens of one version."""
        with self._lock:
            if self._resolver is None or self._resolver[0] != catalogue.version:
                names = dict.fromkeys([*catalogue.tokens.names, *catalogue.foods.names])
                self._resolver = catalogue.version, IngredientResolver(self._model.canonical(), names)
            return self._resolver[1]


def unknown(id: str) -> ChefError:
    return ChefError(f"no recipe {id!r} here", "chef index list shows the ids")
