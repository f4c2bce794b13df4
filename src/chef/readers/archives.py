"""Exports of Mealie and Paprika: zip archives, read in place and never unpacked to disk.

Mealie: a zip with `recipes/<slug>/<slug>.json` and `images/original.webp` beside each. The download of a
single recipe (`<slug>.json` and `original.webp` at the top) and unpacked exports are read too. A full backup
(`database.json`) is not an export and holds no recipe files.

Paprika: `.paprikarecipes`, a zip of gzipped JSON recipes, or one such `.paprikarecipe`. Ingredients and
directions are texts with one item per line; the photo is inside the JSON, as base64. Its reference is the
recipe's place and a JSON pointer to the photo: `box.paprikarecipes!Pie.paprikarecipe#/photo_data`,
`Pie.paprikarecipe#/photos/0/data`.
"""

import gzip
import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chef.readers import base, fields, json_files
from chef.readers.base import ARCHIVE_ERRORS, BrokenJson, RawRecipe, Scope, at_most, parse
from chef.readers.lines import clean, decode

PAPRIKA_SUFFIXES = (".paprikarecipes", ".paprikarecipe")
# Mealie keeps the photo in three sizes; full.jpg is Nextcloud's, whose folders people zip as well.
_MEALIE_PHOTOS = (
    *(f"{folder}original.{kind}" for folder in ("images/", "") for kind in ("webp", "jpg", "png")),
    "images/min-original.webp",
    "full.jpg",
)


def _members(path: Path, suffix: str, scope: Scope) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the members whose name ends with `suffix`, sorted; what fails is counted."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in sorted(set(archive.namelist())):
                parts = name.split("/")
                hidden = any(part.startswith(".") and part != ".." for part in parts)
                if hidden or "__MACOSX" in parts or not name.lower().endswith(suffix):
                    continue
                where = f"{scope.name(path)}!{clean(name)}"
                if not _is_safe(name):
                    scope.skipped.add("unsafe name in the archive", where)
                    continue
                try:
                    with archive.open(name) as stream:
                        data = at_most(stream, base.DOCUMENT)
                except ARCHIVE_ERRORS as error:
                    scope.skipped.add("broken archive", where, str(error))
                    continue
                if data is None:
                    scope.skipped.add("too large", where, f"over {base.DOCUMENT >> 20} MB unpacked")
                else:
                    yield name, data
    except ARCHIVE_ERRORS as error:
        scope.skipped.add("broken archive", scope.name(path), str(error))


def _is_safe(name: str) -> bool:
    """Whether a member's name stays inside the archive."""
    name = name.replace("\\", "/")
    return not (name.startswith("/") or ":" in name.split("/")[0] or ".." in name.split("/"))


def read_mealie(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of a Mealie export."""
    if path.suffix.lower() == ".zip":
        yield from _zipped(path, scope)
        return
    photo = next((path.parent / name for name in _MEALIE_PHOTOS if (path.parent / name).is_file()), None)
    for raw in json_files.read_document(path, scope):
        yield replace(raw, images=(str(photo),) if photo else ())


def _zipped(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = frozenset(filter(_is_safe, archive.namelist()))
    except ARCHIVE_ERRORS:
        names = frozenset()  # reading its members counts the fault
    before = scope.skipped.total
    recipes = 0
    for name, data in _members(path, ".json", scope):
        where = f"{scope.name(path)}!{clean(name)}"
        try:
            value = parse(decode(data))
        except BrokenJson as error:
            scope.skipped.add(error.reason, where, str(error))
            continue
        for item in fields.recipes_in(value):
            recipes += 1
            stem = clean(name.rsplit("/", 1)[-1][: -len(".json")])
            id = f"{scope.id(path)}/{stem}"
            # Mealie's `image` field is no file name, only a mark of the photo's age.
            photos = (posixpath.join(posixpath.dirname(name), photo) for photo in _MEALIE_PHOTOS)
            images = tuple(f"{path}!{photo}" for photo in photos if photo in names)[:1]
            yield RawRecipe(item, where, images=images, id=id)
    if not recipes and scope.skipped.total == before:
        scope.skipped.add("no recipe in the file", scope.name(path))


def read_paprika(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of a Paprika export."""
    if path.suffix.lower() == ".paprikarecipe":
        with open(path, "rb") as stream:
            data = stream.read(base.DOCUMENT)
        yield from _paprika_recipe(data, str(path), scope.name(path), scope)
        return
    for name, data in _members(path, ".paprikarecipe", scope):
        yield from _paprika_recipe(data, f"{path}!{name}", f"{scope.name(path)}!{clean(name)}", scope)


def _paprika_recipe(packed: bytes, place: str, where: str, scope: Scope) -> Iterator[RawRecipe]:
    try:
        value = parse(decode(unpack_paprika(packed)))
    except BrokenJson as error:
        scope.skipped.add(error.reason, where, str(error))
        return
    if not isinstance(value, dict):
        scope.skipped.add("not an object", where)
        return
    photos = value.get("photos")
    stored = {"/photo_data": value.get("photo_data")}
    for number, photo in enumerate(photos if isinstance(photos, list) else []):
        stored[f"/photos/{number}/data"] = photo.get("data") if isinstance(photo, dict) else None
    images = (f"{place}#{at}" for at, data in stored.items() if isinstance(data, str) and data.strip())
    # Without a photo of its own the address it was copied from is left: `image_url`.
    yield RawRecipe(value, where, images=tuple(images) or None)


def unpack_paprika(packed: bytes) -> bytes:
    """The JSON of a `.paprikarecipe`; raises BrokenJson if it is damaged or unpacks to too much."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            data = at_most(stream, base.DOCUMENT)
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenJson("broken archive", str(error)) from error
    if data is None:
        raise BrokenJson("too large", f"over {base.DOCUMENT >> 20} MB unpacked")
    return data
