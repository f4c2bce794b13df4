"""Adds recipes to a collection: reads them from their sources, encodes and stores them batch by batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from io import BytesIO
from itertools import chain, groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from chef.data.images import BadImage, decode
from chef.data.pool import Pool
from chef.data.prepared import FORMAT, NAME, WORK, Prepared
from chef.data.shards import records
from chef.errors import ChefError, check_deadline
from chef.index import values
from chef.index.store import Store
from chef.index.tidy import tidy
from chef.index.values import Added
from chef.model.recipe_model import RecipeModel
from chef.progress import Progress
from chef.readers import Skipped, read
from chef.readers.base import Tally, image_bytes, is_web
from chef.recipe import Recipe
from chef.storage import Store as FileStore
from chef.storage import open_store

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 256  # recipes stored in one version: what an interruption may lose
_GPU_BATCH = 1024  # the same on a GPU, which takes no longer
_BATCH_BYTES = 64 << 20  # of photos in a batch, and one recipe's more
_TIDY_EVERY = 64  # batches
LONG_SIDE = 320  # of a thumbnail
_QUALITY = 85
REPLACED = "replaced by a later one of its id"
MAX_PHOTOS = 5  # of one recipe, as in the paper
_ANY_FORMAT = FORMAT.rpartition(" ")[0]  # of prepared data, whichever version

Source = str | Path | Iterable[Recipe]
WithPhotos = tuple[Recipe, list[bytes]]
Encoded = tuple["pa.Table", Tally]  # the rows, and what was wrong with photos
Digested = tuple[Recipe, list[bytes], str]  # as given, its photos, the digest of both
One = TypeVar("One", WithPhotos, Digested)


class Sources:
    """What is to be added. An unreadable source is an error at once, before a collection is made."""

    def __init__(self, sources: Iterable[Source], skipped: Skipped, *, forget_paths: bool = False) -> None:
        opened = (
            (open_prepared(source) if isinstance(source, str | Path) else None) or source
            for source in sources
        )
        self._parts: list[Prepared | tuple[list[Source], Iterator[WithPhotos]]] = []
        ids: list[set[int]] = []
        for is_prepared, group in groupby(opened, lambda one: isinstance(one, Prepared)):
            if is_prepared:
                self._parts += (one for one in group if isinstance(one, Prepared))
                continue
            given = [one for one in group if not isinstance(one, Prepared)]
            recipes = _recipes_of(given, skipped, ids)
            if forget_paths:
                recipes = ((replace(recipe, images=()), photos) for recipe, photos in recipes)
            self._parts.append((given, chain(list(islice(recipes, 1)), recipes)))

    def add(self, writer: Writer, progress: Progress) -> Added:
        """Store all, in order: of two values with one id the later one counts, and the other is noted."""
        total = Added()
        for part in self._parts:
            if isinstance(part, Prepared):
                progress.stage("adding recipes", part.manifest.recipes)
                shards = (shard for split in part.splits for shard in part.shards(split))
                recipes = chain.from_iterable(map(partial(shard_recipes, part.store), shards))
                total += writer.add(recipes, parsed=True)
            else:
                given, plain = part
                progress.stage("adding recipes", _count(given) if progress.live else None)
                total += writer.add(plain)
        return total


def _count(sources: Iterable[Source]) -> int | None:
    """How many recipes there are, for a bar; None where that is only known when they have been added."""
    total = 0
    for source in sources:
        if isinstance(source, Sequence) and not isinstance(source, str):
            total += len(source)
        elif isinstance(source, str | Path) and not is_web(str(source)):
            total += sum(1 for _ in read(source, Skipped()))
        else:
            return None
    return total


def _recipes_of(sources: Iterable[Source], skipped: Skipped, ids: list[set[int]]) -> Iterator[WithPhotos]:
    """The recipes of all sources with their photos; only web pages have theirs fetched from the web."""
    for source in sources:
        if isinstance(source, str | Path):
            count = 0
            for recipe in read(source, skipped, ids=ids):
                count += 1
                yield recipe, photo_bytes(recipe, skipped, web=is_web(str(source)))
            if not count:
                raise skipped.nothing_from(source)
        else:
            for recipe in source:
                if not isinstance(recipe, Recipe):
                    raise ChefError(f"not a recipe: {type(recipe).__name__}", "give chef.Recipe values")
                yield recipe, photo_bytes(recipe, skipped, web=False)


def _batches(given: Iterable[One], size: int) -> Iterator[list[One]]:
    """At most `size` recipes each, and fewer where their photos are large."""
    batch, held = list[One](), 0
    for one in given:
        batch.append(one)
        held += sum(map(len, one[1]))
        if len(batch) == size or held > _BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


class Writer:
    """Encodes recipes, in this process or in those of a pool, and stores them."""

    def __init__(
        self,
        store: Store,
        model: RecipeModel,
        skipped: Skipped,
        progress: Progress,
        pool: Pool | None = None,
        *,
        at_once: bool = False,
    ) -> None:
        self._store, self._model, self._skipped, self._progress = store, model, skipped, progress
        self._pool, self._seen = pool or Pool(1), set[int]()  # hashes of the ids of this run
        self._at_once = at_once
        if not (self._pool.is_here or model.name):
            raise ChefError("workers load a model by its name, and this one has none", "give its folder")

    def add(self, recipes: Iterable[WithPhotos], *, parsed: bool = False) -> Added:
        """Store recipes, replacing those with a known id; unchanged ones are left alone.

        parsed: their ingredients are parsed already, as in prepared data.
        """
        stream, size = iter(recipes), BATCH if self._model.encoder.device.type == "cpu" else _GPU_BATCH
        batches = _batches(stream, size)
        first = list(islice(batches, 2))
        pool = self._pool if len(first) > 1 else Pool(1)  # for one batch, starting others would take longer
        encode = partial(
            encode_batch,
            self._model if pool.is_here else self._model.name,
            schema=self._store.schema,
            parsed=parsed,
        )
        stored, unchanged = Added(), 0
        waiting: dict[str, str] = {}  # recipes that are being encoded, and their digests

        def tasks() -> Iterator[Callable[[], Encoded]]:
            nonlocal unchanged
            for batch in chain(first, batches):
                given: dict[str, WithPhotos] = {}
                for recipe, photos in self._with_stored_ids(batch):
                    if given.get(recipe.id, (recipe, photos)) != (recipe, photos):
                        self._skipped.notes.add(REPLACED, recipe.id)
                    given[recipe.id] = recipe, photos
                stored = self._store.rows(given, ["digest"])
                known = {id: values.source_digest(row["digest"]) for id, row in stored.items()} | waiting
                digested = [(*one, values.digest(*one)) for one in given.values()]
                new = [one for one in digested if known.get(one[0].id) != one[2]]
                for recipe, _, _ in new:
                    if hash(recipe.id) in self._seen:
                        self._skipped.notes.add(REPLACED, recipe.id)
                self._seen.update(map(hash, given))
                waiting.update((recipe.id, digest) for recipe, _, digest in new)
                unchanged += len(given) - len(new)
                self._progress.advance(len(batch) - len(new))
                if new:
                    yield partial(encode, given=self._with_own_marks(new, stored))

        encoded = pool.run(tasks(), in_order=True)
        for number, (table, notes) in enumerate(_joined(encoded) if self._at_once else encoded, start=1):
            self._skipped.notes.update(notes)
            stored += Added(*self._store.upsert(table))
            for id, digest in zip(table["id"].to_pylist(), table["digest"].to_pylist(), strict=True):
                if waiting.get(id) == digest:
                    del waiting[id]
            self._progress.advance(len(table))
            if number % _TIDY_EVERY == 0:
                tidy(self._store)
        tidy(self._store)
        return stored + Added(unchanged=unchanged)

    def _with_own_marks(self, new: list[Digested], stored: Collection[str]) -> list[Digested]:
        """Recipes with the favourite mark and note that the cook has given to the stored ones."""
        ids = [recipe.id for recipe, _, _ in new if recipe.id in stored]
        old = {id: values.recipe_of(row) for id, row in self._store.rows(ids, ["recipe"]).items()}

        def marked(recipe: Recipe) -> Recipe:
            if (kept := old.get(recipe.id)) is None:
                return recipe
            liked = recipe.favourite or kept.favourite
            return replace(recipe, favourite=liked, own_note=recipe.own_note or kept.own_note)

        return [(marked(recipe), photos, digest) for recipe, photos, digest in new]

    def edit(self, id: str, change: Callable[[Recipe], Recipe], photo: bytes | None) -> None:
        """Change a stored recipe; its photo stays, unless there is another.

        Its digest still begins with that of its source: reading the same source again does not undo this.
        """
        row = self._store.rows([id], ["recipe", "digest", "thumbnail", "photo_vector"])[id]
        recipe = change(values.recipe_of(row))
        vector = None if row["photo_vector"] is None else np.array(row["photo_vector"], np.float32)
        small = row["thumbnail"]
        if photo is not None:
            recipe, small = replace(recipe, images=()), thumbnail(photo)
            vector = next(iter(self._model.encoder.embed_photos(iter([photo]))))
        digest = f"{values.source_digest(row['digest'])}+{values.digest(recipe, [])[:16]}"
        encoded = values.encode_recipes(self._model, [recipe])[0]
        made = values.Row(recipe, digest, encoded, small, vector)
        self._store.upsert(values.table([made], self._store.schema))
        tidy(self._store)

    def _with_stored_ids(self, batch: list[WithPhotos]) -> list[WithPhotos]:
        """Recipes under the ids that they are stored by; one that an older collection has keeps its own."""
        others = [recipe.id for recipe, _ in batch if values.stored_id(recipe.id) != recipe.id]
        kept = self._store.rows(others, []) if others else {}
        return [
            (recipe if recipe.id in kept else replace(recipe, id=values.stored_id(recipe.id)), photos)
            for recipe, photos in batch
        ]

    def encode_again(
        self, ids: Iterable[str], schema: pa.Schema, done: dict[str, str], version: int | None = None
    ) -> Iterator[pa.Table]:
        """Every stored recipe, encoded again; for a photo that is gone its thumbnail is used.

        done: where ids and digests are noted. version: to read, if not the latest.
        """

        def all_stored() -> Iterator[Digested]:
            stream = iter(ids)
            while batch := list(islice(stream, BATCH)):
                stored = self._store.rows(batch, ["recipe", "digest", "thumbnail"], version)
                done.update((id, row["digest"]) for id, row in stored.items())
                for id in filter(stored.__contains__, batch):  # others were removed meanwhile
                    recipe, thumbnail = values.recipe_of(stored[id]), stored[id]["thumbnail"]
                    photos = [*photo_bytes(recipe, Skipped(), web=False), thumbnail] if thumbnail else []
                    yield recipe, photos, stored[id]["digest"]

        for given in _batches(all_stored(), BATCH):
            yield encode_batch(self._model, schema, parsed=False, given=given)[0]
            self._progress.advance(len(given))


def _joined(encoded: Iterable[Encoded]) -> Iterator[Encoded]:
    """All batches as one; of two rows with one id the later one."""
    import pyarrow as pa

    tables, notes = list[pa.Table](), Tally()
    for table, noted in encoded:
        tables.append(table)
        notes.update(noted)
        check_deadline()
    if tables:
        whole = pa.concat_tables(tables)
        yield whole.take(list({id: row for row, id in enumerate(whole["id"].to_pylist())}.values())), notes


def encode_batch(
    model: RecipeModel | str, schema: pa.Schema, *, parsed: bool, given: list[Digested]
) -> Encoded:
    """Recipes as rows of a table; a model that is given by its name is loaded once in each process."""
    loaded, skipped = _loaded(model) if isinstance(model, str) else model, Skipped()
    encoded = values.encode_recipes(loaded, [recipe for recipe, _, _ in given], parsed=parsed)
    photos = [usable_photo(photos, recipe, skipped) for recipe, photos, _ in given]
    vectors = iter(loaded.encoder.embed_photos(photo[0] for photo in photos if photo is not None))
    made = [
        values.Row(recipe, digest, one, photo[1] if photo else None, next(vectors) if photo else None)
        for (recipe, _, digest), one, photo in zip(given, encoded, photos, strict=True)
    ]
    return values.table(made, schema), skipped.notes


@lru_cache(maxsize=1)
def _loaded(name: str) -> RecipeModel:
    """The model of a worker process, on a GPU if it has one."""
    import torch

    from chef.model.artefact import load

    torch.set_num_threads(1)
    return load(name).to("cuda:0" if torch.cuda.is_available() else "cpu")


def new_schema(model: RecipeModel, *, half: bool = False) -> pa.Schema:
    """The schema of a collection made with this model; half: vectors in half precision."""
    dimension = model.model.config.space
    metadata = {"model": model.name, "fingerprint": model.fingerprint, "dimension": dimension}
    if "edition" in model.about:
        metadata["edition"] = model.about["edition"]
    return values.schema(dimension, metadata, half=half)


def photo_bytes(recipe: Recipe, skipped: Skipped, *, web: bool) -> list[bytes]:
    """The photos of a recipe that can be opened; those on the web only where the user named a web page."""
    photos = []
    for reference in recipe.images[:MAX_PHOTOS]:
        if is_web(reference) and not web:
            skipped.notes.add("web address, not fetched", recipe.id, reference[:200])
            continue
        try:
            photos.append(image_bytes(reference))
        except ChefError as error:
            skipped.notes.add("unreadable image file", recipe.id, error.problem)
    return photos


def usable_photo(photos: Sequence[bytes], recipe: Recipe, skipped: Skipped) -> tuple[bytes, bytes] | None:
    """The first photo that can be decoded, as its own bytes and as a thumbnail."""
    for data in photos:
        try:
            return data, thumbnail(data)
        except BadImage as error:
            skipped.notes.add(error.reason, recipe.id)
    return None


def thumbnail(data: bytes) -> bytes:
    """JPEG bytes of the photo, upright, its long side at most 320 pixels; raises BadImage."""
    image = decode(data, LONG_SIDE)
    image.thumbnail((LONG_SIDE, LONG_SIDE))
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def open_prepared(source: str | Path) -> Prepared | None:
    """The prepared data in a folder or at an address; None if there is anything else, or nothing.

    >>> open_prepared("my-recipes/") is None
    True
    """
    if is_web(str(source)) or not str(source).strip():
        return None
    store = open_store(source)
    try:  # a manifest of ours: other people's folders have files of that name, too
        manifest = json.loads(store.read(NAME)) if store.size(NAME) is not None else None
    except ValueError:
        manifest = None
    has_manifest = isinstance(manifest, dict) and str(manifest.get("format")).startswith(_ANY_FORMAT)
    # Unfinished data counts as prepared, too: opening it says what to do.
    unfinished = store.size(f"{WORK}/settings.json") is not None
    return Prepared(source) if has_manifest or unfinished else None


def shard_recipes(store: FileStore, shard: str) -> Iterator[WithPhotos]:
    """The recipes of one shard, parsed, with their photos, read from start to end.

    A recipe has neither photo paths nor canonical tokens: it is the same wherever the data is, and its tokens
    come from a map that need not be the collection's.
    """
    for _, text, photos in records(store, shard):
        try:
            fields = json.loads(text)
            del fields["tokens"]
            recipe = Recipe.from_json({**fields, "images": []})
        except (ValueError, TypeError, KeyError) as error:
            raise ChefError(f"damaged file: {store.place(shard)}", "prepare the data again") from error
        yield recipe.with_ingredients(replace(item, token=None) for item in recipe.ingredients), photos
