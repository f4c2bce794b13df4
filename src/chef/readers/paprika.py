"""Paprika exports: `.paprikarecipes`, a zip of gzipped JSON recipes; or one such `.paprikarecipe`.

Ingredients and directions are texts with one item per line; the photo is inside the JSON, as base64.
Its reference is the recipe's place and the way to the photo in the JSON, as a JSON pointer:
`box.paprikarecipes!Pie.paprikarecipe#/photo_data`, `Pie.paprikarecipe#/photos/0/data`.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chef.readers import archive, limits
from chef.readers.clean import clean, decode
from chef.readers.found import Found, Scope
from chef.readers.json_stream import BrokenJson, parse

SUFFIXES = (".paprikarecipes", ".paprikarecipe")


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipes of an export."""
    if path.suffix.lower() == ".paprikarecipe":
        with open(path, "rb") as stream:
            data = stream.read(limits.DOCUMENT)
        yield from _recipe(data, str(path), scope.name(path), scope)
        return
    for name, data in archive.members(path, ".paprikarecipe", scope):
        yield from _recipe(data, f"{path}!{name}", f"{scope.name(path)}!{clean(name)}", scope)


def _recipe(packed: bytes, place: str, where: str, scope: Scope) -> Iterator[Found]:
    try:
        value = parse(decode(unpack(packed)))
    except BrokenJson as error:
        scope.skipped.add(error.reason, where, str(error))
        return
    if not isinstance(value, dict):
        scope.skipped.add("not an object", where)
        return
    photos = tuple(f"{place}#{pointer}" for pointer in _photos(value))
    # Without a photo of its own the address it was copied from is left: `image_url`.
    yield Found(value, where, images=photos or None)


def unpack(packed: bytes) -> bytes:
    """The JSON of a `.paprikarecipe`; raises BrokenJson if it is damaged or unpacks to too much."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            data = stream.read(limits.DOCUMENT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenJson("broken archive", str(error)) from error
    if len(data) > limits.DOCUMENT:
        raise BrokenJson("too large", f"over {limits.DOCUMENT >> 20} MB unpacked")
    return data


def _photos(recipe: Mapping[str, Any]) -> Iterator[str]:
    if _is_data(recipe.get("photo_data")):
        yield "/photo_data"
    photos = recipe.get("photos")
    for number, photo in enumerate(photos if isinstance(photos, list) else []):
        if isinstance(photo, dict) and _is_data(photo.get("data")):
            yield f"/photos/{number}/data"


def _is_data(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
