"""Index: a collection of recipes on disk that can be searched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from chef.index.lance_indexes import check_engine, drop, is_due, is_indexed, optimize
from chef.index.own_model import load_model
from chef.index.searcher import Searcher, unknown
from chef.index.tidy import tidy
from chef.index.values import Added, is_half
from chef.progress import Progress
from chef.readers.base import Skipped
from chef.recipe import Recipe

if TYPE_CHECKING:
    from chef.data.pool import Ray
    from chef.model.recipe_model import RecipeModel


class Index(Searcher):
    """A collection in a folder, or at an `s3://` address.

    model: a name, a folder or a loaded model, which embeds recipes and photos. A collection remembers its
    model, so an existing one needs none; a new one uses the best bundled model.
    create: if False, the collection must exist.

    >>> index = Index("my-collection")
    >>> index.add("my-recipes/")
    Added(added=120, updated=0, unchanged=0)
    """

    def add(
        self,
        *sources: str | Path | Iterable[Recipe],
        skipped: Skipped | None = None,
        progress: Progress | None = None,
        device: str = "cpu",
        workers: int = 1,
        ray: Ray | None = None,
        forget_paths: bool = False,
        at_once: bool = False,
        half: bool = False,
    ) -> Added:
        """Add recipes of files, folders or web addresses, or as values; a recipe with a known id is replaced.

        Every batch is on disk before the next one begins, so an interrupted call can simply be repeated:
        recipes that are there and have not changed are not embedded twice. `skipped` counts what could not
        be read, its `notes` photos that could not be used. device: where to embed, such as "cuda:0". With
        more than one of `workers`, processes of their own embed, or those of a `ray`; this one writes.
        forget_paths: do not store where the photos were, as of an upload.
        at_once: store all in one version, or nothing; for a few thousand at most.
        half: store the vectors of a new collection in half precision.
        """
        from chef.data.pool import open_pool
        from chef.index.ingest import Sources, Writer, new_schema

        skipped, progress = skipped or Skipped(), progress or Progress()
        opened = Sources(sources, skipped, forget_paths=forget_paths)
        with self._lock:
            self._model.compare_vectors()
            if not self._store.exists:
                self._store.create(new_schema(self.chef, half=half))
                # Another process may have been first, with another.
                self._model.check(self._model.fingerprint)
        with open_pool(workers, ray, "chef.index.ingest") as pool:
            writer = Writer(self._store, self.chef.to(device), skipped, progress, pool, at_once=at_once)
            return opened.add(writer, progress)

    def remove(self, *ids: str, now: bool = False) -> int:
        """Remove recipes; an unknown id is an error, and then none is removed.

        Searches no longer find them; the files hold their texts for up to a day more. now: no longer.
        """
        rows = self._rows(ids, [])
        for id in ids:
            if id not in rows:
                raise unknown(id)
        stored = {row["id"] for row in rows.values()}
        if stored:
            self._store.delete(stored)
            tidy(self._store, now=now)
        return len(stored)

    def tidy(self) -> None:
        """Drop old versions and what was removed a day ago; a service calls it now and then."""
        tidy(self._store)

    def optimize(
        self, engine: str | None = None, *, if_due: bool = False, progress: Progress | None = None
    ) -> str:
        """Make Lance's indexes, or add to them what is new -> how the collection is searched.

        engine: "lance", on disk; "memory"; by default on disk from 200,000 recipes, or as it was chosen.
        if_due: only where much is not indexed yet.
        """
        check_engine(engine)
        is_on_disk = is_indexed(self._store.lance_snapshot())
        if engine == "memory":
            drop(self._store)
        elif is_due(self._store) or (not if_due if is_on_disk else engine == "lance"):
            optimize(self._store, progress or Progress())
        return "lance" if is_indexed(self._store.lance_snapshot()) else "memory"

    def edit(self, id: str, change: Callable[[Recipe], Recipe], photo: bytes | None = None) -> None:
        """Change a stored recipe, and its photo if another is given.

        The change stays until the source of the recipe itself changes; `favourite` and `own_note` stay then,
        too.

        >>> index.edit("pie", lambda recipe: replace(recipe, favourite=True))
        """
        from chef.index.ingest import Writer

        stored = self._row(id, [])["id"]
        self._model.compare_vectors()
        Writer(self._store, self.chef, Skipped(), Progress()).edit(stored, change, photo)

    def rebuild(
        self, model: str | Path | RecipeModel | None = None, *, progress: Progress | None = None
    ) -> None:
        """Embed every recipe again, with another model if one is given, and compact the files.

        Searches see the old collection until the new one is complete; what others write meanwhile is kept.
        """
        from chef.index.ingest import Writer, new_schema

        with self._lock:
            progress = progress or Progress()
            chosen = model or self._model.given or self._store.metadata["model"]
            loaded = load_model(chosen)
            ids = self._catalogue().sorted_ids()
            progress.stage("embedding again", len(ids))
            is_on_disk = is_indexed(self._store.lance_snapshot())
            schema = new_schema(loaded, half=is_half(self._store.schema))
            writer = Writer(self._store, loaded, Skipped(), progress)
            done: dict[str, str] = {}
            version = self._store.replace(schema, writer.encode_again(ids, schema, done)) - 1
            late = self._store.digests(version)
            changed = [id for id, digest in late.items() if done.get(id) != digest]
            for rows in writer.encode_again(changed, schema, done, version):
                self._store.upsert(rows)
            if gone := [id for id in done if id not in late]:
                self._store.delete(gone)
            tidy(self._store, now=True)
            self._model.rebuilt(chosen, loaded)
            if is_on_disk:
                optimize(self._store, progress)

    def backup(self, file: str | Path) -> int:
        """Write the whole collection, with vectors and thumbnails, to one file -> the number of recipes."""
        from chef.index.backup import backup

        return backup(self._store, Path(file))

    def export_folder(self, folder: str | Path) -> int:
        """Write recipes and photos to a new folder that `add` reads -> the number of recipes."""
        from chef.index.backup import export_folder

        return export_folder(self._store, self._catalogue().sorted_ids(), Path(folder))
