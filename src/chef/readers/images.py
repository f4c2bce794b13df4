"""The bytes of an image from its reference.

| reference | what |
|---|---|
| `photos/pie.jpg` | a file |
| `export.zip!recipes/pie/images/original.webp` | a member of a zip archive |
| `shards/test-00000.tar!00000007.0.jpg` | a member of a shard of prepared data |
| `Pie.paprikarecipe#/photo_data` | base64 in a gzipped JSON file, at a JSON pointer |
| `box.paprikarecipes!Pie.paprikarecipe#/photos/0/data` | the same inside an archive |
| `s3://bucket/photos/pie.jpg` | an object of an object store |
| `s3://bucket/shards/test-00000.tar!00000007.0.jpg` | a member of a shard there |
| `https://example.org/pie.jpg` | a web address |
"""

from __future__ import annotations

import base64
import binascii
import os
import tarfile
import zipfile
from typing import Any

from chef.errors import ChefError
from chef.readers import archives, base, remote
from chef.readers.base import at_most, is_web
from chef.readers.fetch import fetch
from chef.readers.json_files import BrokenJson, parse
from chef.readers.lines import decode
from chef.storage import is_s3

_WAY_OUT = "check that the source is still where it was read from"


def image_bytes(reference: str) -> bytes:
    """The bytes of the image; raises ChefError with the reference if it cannot be read or is over 50 MB.

    >>> image_bytes("no/such/pie.jpg")
    Traceback (most recent call last):
    chef.errors.ChefError: no image at no/such/pie.jpg (check that the source is still where it was read from)
    """
    if is_web(reference):
        return fetch(reference, base.IMAGE, ("image/", "application/octet-stream")).body
    try:
        data = _stored(reference)
    except (*archives.ERRORS, tarfile.TarError, BrokenJson, KeyError) as error:
        raise ChefError(f"the image {reference} cannot be read: {error}", _WAY_OUT) from error
    if data is None:
        raise ChefError(f"the image {reference} is larger than {base.IMAGE >> 20} MB", "make it smaller")
    return data


def _stored(reference: str) -> bytes | None:
    """The bytes of a reference on disk or in an object store, None if they are too many."""
    if is_s3(reference):
        return remote.photo(reference, base.IMAGE)
    if os.path.isfile(reference):
        return _file(reference, base.IMAGE)
    place, _, pointer = reference.rpartition("#/")
    if place.lower().endswith(".paprikarecipe"):
        packed = _place(place, base.DOCUMENT)
        return None if packed is None else _field(packed, pointer)
    return _place(reference, base.IMAGE)


def _place(place: str, limit: int) -> bytes | None:
    """The bytes of a file or of a member of an archive."""
    if os.path.isfile(place):
        return _file(place, limit)
    # Names may hold "!" themselves: the archive is the first part that is a file.
    at = place.find("!")
    while at >= 0 and not os.path.isfile(place[:at]):
        at = place.find("!", at + 1)
    if at < 0:
        raise ChefError(f"no image at {place}", _WAY_OUT)
    path, member = place[:at], place[at + 1 :]
    if path.lower().endswith(".tar"):  # a shard of prepared data
        with tarfile.open(path) as tar:
            stream = tar.extractfile(member)
            return b"" if stream is None else at_most(stream, limit)
    with zipfile.ZipFile(path) as archive:
        return archives.read_member(archive, member, limit)


def _file(path: str, limit: int) -> bytes | None:
    with open(path, "rb") as stream:
        return at_most(stream, limit)


def _field(packed: bytes, pointer: str) -> bytes:
    value: Any = parse(decode(archives.unpack_paprika(packed)))
    for step in pointer.split("/"):
        if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            raise ValueError(f"nothing at {pointer}")
    if not isinstance(value, str):
        raise ValueError(f"no base64 at {pointer}")
    try:
        return base64.b64decode(value)
    except binascii.Error as error:
        raise ValueError(f"no base64 at {pointer}") from error
