"""A collection as one file, and back; a collection as a folder of recipes and photos that can be added again.

A backup is a zip of `about.json` and `recipes.arrow`: every row with its vectors and thumbnail, as they are.
It needs no model, neither here nor on another machine.
"""

import json
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

import chef
from chef.errors import ChefError
from chef.files import atomic_file, staging_folder, sync
from chef.index.ingest import BATCH, photo_bytes
from chef.index.store import Store
from chef.index.tidy import tidy
from chef.index.values import FORMAT, dumps, recipe_of, sound
from chef.readers.base import IMAGE_SUFFIXES, Skipped
from chef.recipe import Recipe

_KIND, _VERSION = "chef-backup", 1
_ABOUT, _ROWS = "about.json", "recipes.arrow"
_LONGEST = 3600  # seconds for which a backup keeps its version
_DAMAGED = (zipfile.BadZipFile, zlib.error, pa.ArrowException, EOFError, LookupError, TypeError, ValueError)


def backup(store: Store, file: Path) -> int:
    """Write the latest version of a collection to a file -> the number of recipes."""
    options, count = pa.ipc.IpcWriteOptions(compression="zstd"), 0
    with store.held(_LONGEST), atomic_file(file) as out, zipfile.ZipFile(out, "w") as archive:
        snapshot = store.lance_snapshot()
        with (
            archive.open(_ROWS, "w", force_zip64=True) as member,
            pa.ipc.new_stream(member, snapshot.schema, options=options) as writer,
        ):
            for batch in snapshot.batches():
                rows = pa.Table.from_batches([batch]).select(snapshot.schema.names).cast(snapshot.schema)
                if not all(sound(rows)):
                    raise ChefError(
                        f"recipes in {store.url} are damaged", "first: chef index repair COLLECTION"
                    )
                writer.write_table(rows)
                count += len(rows)
        about = {"kind": _KIND, "version": _VERSION, "chef": chef.__version__, "recipes": count}
        archive.writestr(_ABOUT, json.dumps({**about, "collection": snapshot.metadata}, indent=2))
    sync(file.parent)
    return count


def restore(file: Path, store: Store) -> int:
    """Put a backup in the place of a collection, at once or not at all -> the number of recipes.

    Of the old one nothing stays, damaged as it may be.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            about = json.loads(archive.read(_ABOUT))
            if about["kind"] != _KIND or archive.testzip() is not None:
                raise ValueError("not as it was written")
            if about["version"] > _VERSION or about["collection"].get("format", 0) > FORMAT:
                raise ChefError(f"{file} is from a newer version of chef", "update chef")
            with archive.open(_ROWS) as member, pa.ipc.open_stream(member) as reader:
                latest = store.ledger.latest() if store.ledger else 0
                if store.ledger and (damaged := store.ledger.damaged_manifests()):
                    store.ledger.remove(damaged)
                store.replace(reader.schema, (pa.Table.from_batches([batch]) for batch in reader))
                store.skip_past(latest)
                tidy(store, now=True)
            return int(about["recipes"])
    except _DAMAGED as error:
        raise ChefError(f"{file} is no backup, or damaged", "name a file that chef backup wrote") from error


def export_folder(store: Store, ids: Sequence[str], folder: Path) -> int:
    """Write recipes as `recipes.jsonl`, and photos: the files that are still there, else thumbnails."""
    with staging_folder(folder) as new:
        (new / "photos").mkdir()
        with open(new / "recipes.jsonl", "w", encoding="utf-8") as lines:
            for start in range(0, len(ids), BATCH):
                stored = store.rows(ids[start : start + BATCH], ["recipe", "thumbnail"])
                for number, id in enumerate(ids[start : start + BATCH], start):
                    if id in stored:
                        recipe = recipe_of(stored[id])
                        names = _write_photos(new, f"photos/{number:06d}", recipe, stored[id]["thumbnail"])
                        lines.write(dumps({**recipe.to_json(), "images": names}) + "\n")
    return len(ids)


def _write_photos(folder: Path, name: str, recipe: Recipe, thumbnail: bytes | None) -> list[str]:
    if thumbnail is None:
        return []
    suffix = next((one for one in IMAGE_SUFFIXES if recipe.images and recipe.images[0].endswith(one)), ".jpg")
    photos = photo_bytes(recipe, Skipped(), web=False) or [thumbnail]
    names = [f"{name}-{number}{suffix}" for number in range(len(photos))]
    for one, data in zip(names, photos, strict=True):
        (folder / one).write_bytes(data)
    return names
