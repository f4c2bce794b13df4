"""Mealie exports: a zip with `recipes/<slug>/<slug>.json` and `images/original.webp` beside each.

The download of a single recipe (`<slug>.json` and `original.webp` at the top) and unpacked exports are
read too. A full backup (`database.json`) is not an export and holds no recipe files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chef.readers import archive, fields, json_document
from chef.readers.clean import clean, decode
from chef.readers.found import Found, Scope
from chef.readers.json_stream import BrokenJson, parse

# Mealie keeps the photo in three sizes; full.jpg is Nextcloud's, whose folders people zip as well.
_PHOTOS = (
    "images/original.webp",
    "images/original.jpg",
    "images/original.png",
    "original.webp",
    "original.jpg",
    "original.png",
    "images/min-original.webp",
    "full.jpg",
)


def matches(path: Path) -> bool:
    """A zip, or a JSON file of an unpacked export, known by the photo below its folder."""
    if path.suffix.lower() == ".zip":
        return True
    return path.suffix.lower() == ".json" and (path.parent / "images" / "original.webp").is_file()


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipes of an export."""
    return _zipped(path, scope) if path.suffix.lower() == ".zip" else _unpacked(path, scope)


def _unpacked(path: Path, scope: Scope) -> Iterator[Found]:
    photo = next((path.parent / name for name in _PHOTOS if (path.parent / name).is_file()), None)
    for found in json_document.read(path, scope):
        yield replace(found, images=(str(photo),) if photo else ())


def _zipped(path: Path, scope: Scope) -> Iterator[Found]:
    names = archive.names(path)
    before = scope.skipped.total
    recipes = 0
    for name, data in archive.members(path, ".json", scope):
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
            yield Found(item, where, images=_photo(path, name, names), id=id)
    if not recipes and scope.skipped.total == before:
        scope.skipped.add("no recipe in the file", scope.name(path))


def _photo(path: Path, name: str, names: frozenset[str]) -> tuple[str, ...]:
    """The photo beside a recipe. Mealie's `image` field is no file name, only a mark of the photo's age."""
    for place in _PHOTOS:
        photo = archive.beside(name, place)
        if photo in names:
            return (f"{path}!{photo}",)
    return ()
