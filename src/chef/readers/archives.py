"""Archives: any of the formats inside a zip or tar, and Paprika's own.

Files are unpacked one by one, within bounds, to a folder of their own that is read like any other; photos
stay where they are and get an empty stand-in there. A photo's reference is its way through the archives:
`box.zip!1.zip!image.jpg`.

Paprika: `.paprikarecipes`, a zip of gzipped JSON recipes, or one such `.paprikarecipe`. Ingredients and
directions are texts with one item per line; the photo is inside the JSON, as base64. Its reference is the
recipe's place and a JSON pointer to the photo: `box.paprikarecipes!Pie.paprikarecipe#/photo_data`,
`Pie.paprikarecipe#/photos/0/data`.
"""

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from chef.files import temporary_folder
from chef.readers import base, fields, json_files
from chef.readers.base import ARCHIVE_ERRORS, BrokenJson, RawRecipe, Scope, Skipped, at_most, is_image, parse
from chef.readers.lines import clean, decode

TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".kre")
SUFFIXES = (".zip", *TAR_SUFFIXES)
PAPRIKA_SUFFIXES = (".paprikarecipes", ".paprikarecipe")
# Mealie keeps the photo in three sizes.
_MEALIE_PHOTOS = (
    *(f"{folder}original.{kind}" for folder in ("images/", "") for kind in ("webp", "jpg", "png")),
    "images/min-original.webp",
)
_BESIDE = ("no recipe in the file", "unknown format")  # of files that lie beside recipes in an export


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of an archive, in whatever format they are."""
    from chef.readers import read_folder

    if scope.depth >= base.DEPTH:
        scope.skipped.add("nested too deeply", scope.name(path))
        return
    with temporary_folder("archive") as name:
        folder = Path(name).resolve()
        count, before = 0, scope.skipped.total
        for member, data in _members(path, "", scope):
            try:
                target = folder / member
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            except (OSError, ValueError) as error:  # a name that no disk takes
                where = f"{scope.name(path)}!{clean(member)[:200]}"
                scope.skipped.add("cannot be read", where, getattr(error, "strerror", None) or str(error))
        inside = replace(
            scope,
            root=folder,
            skipped=Skipped(),
            prefix=f"{scope.name(path)}!",
            base=scope.id(path),
            depth=scope.depth + 1,
        )
        for raw in read_folder(folder, inside):
            count += 1
            images = fields.references(raw, inside) if raw.images is None else raw.images
            images = tuple(image.replace(f"{folder}/", f"{path}!", 1) for image in images)
            yield replace(raw, images=images, folder=None)
        for reason in _BESIDE if count else ():
            inside.skipped.counts.pop(reason, None)
        scope.skipped.update(inside.skipped)
        scope.skipped.notes.update(inside.skipped.notes)
        if not count and scope.skipped.total == before:
            scope.skipped.add("no recipe in the file", scope.name(path))


def _members(path: Path, suffix: str, scope: Scope) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the members whose name ends with `suffix`, sorted; what fails is counted.

    Photos come without their bytes, and members together are bounded as well.
    """
    left = base.ARCHIVE
    try:
        with open(path, "rb") as file:
            names = _tar_names(file) if path.name.lower().endswith(TAR_SUFFIXES) else _zip_names(file)
            for name, stream in names:
                parts = name.split("/")
                hidden = any(part.startswith(".") and part != ".." for part in parts)
                if hidden or "__MACOSX" in parts or not name.lower().endswith(suffix):
                    continue
                where = f"{scope.name(path)}!{clean(name)}"
                if not _is_safe(name):
                    scope.skipped.add("unsafe name in the archive", where)
                    continue
                try:
                    data = b"" if is_image(name) else at_most(stream(), min(base.DOCUMENT, left))
                except (*ARCHIVE_ERRORS, tarfile.TarError) as error:
                    scope.skipped.add("broken archive", where, str(error))
                    continue
                if data is None:
                    scope.skipped.add("too large", where, f"over {base.DOCUMENT >> 20} MB unpacked")
                else:
                    left -= len(data)
                    yield name, data
    except (*ARCHIVE_ERRORS, tarfile.TarError) as error:
        scope.skipped.add("broken archive", scope.name(path), clean(str(error)))


def _zip_names(file: BinaryIO) -> Iterator[tuple[str, Callable[[], Any]]]:
    with zipfile.ZipFile(file) as archive:
        for name in sorted(set(archive.namelist())):
            if not name.endswith("/"):
                yield name, lambda name=name: archive.open(name)  # type: ignore[misc]


def _tar_names(file: BinaryIO) -> Iterator[tuple[str, Callable[[], Any]]]:
    taken = 0
    with tarfile.open(fileobj=file) as archive:
        for member in archive:
            taken += member.size  # read even where it is skipped
            if taken > base.ARCHIVE:
                raise ValueError(f"over {base.ARCHIVE >> 20} MB unpacked")
            if member.isfile():
                yield member.name.removeprefix("./"), lambda member=member: archive.extractfile(member)  # type: ignore[misc]


def _is_safe(name: str) -> bool:
    """Whether a member's name stays inside the archive."""
    name = name.replace("\\", "/")
    return not (name.startswith("/") or ":" in name.split("/")[0] or ".." in name.split("/"))


def read_mealie(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipe of an export by Mealie, with the photo in its folder."""
    photo = next((path.parent / name for name in _MEALIE_PHOTOS if (path.parent / name).is_file()), None)
    for raw in json_files.read_document(path, scope):
        # Mealie's `image` field is no file name, only a mark of the photo's age.
        id = f"{scope.base}/{path.stem}" if scope.base else raw.id
        yield replace(raw, images=(str(photo),) if photo else (), id=id)


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
