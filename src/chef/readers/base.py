"""What all readers share: limits, opening files and images, raw recipes, counts of what is skipped."""

from __future__ import annotations

import base64
import binascii
import codecs
import gzip
import io
import json
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from chef.errors import ChefError
from chef.readers.lines import clean, decode
from chef.storage import is_s3

# How much of one thing a reader takes: bad input must not fill the memory.
MB = 1 << 20
LINE = 8 * MB  # one line of JSON lines, one element of a JSON array, any other JSON document
DOCUMENT = 32 * MB  # an archive member once unpacked
ARCHIVE = 1024 * MB  # all members of an archive together
DEPTH = 3  # of archives in archives
VALUES = 500_000  # of JSON that is parsed at once: "[]," takes 30 times its own size
IMAGE = 50 * MB
PAGE = 10 * MB  # a web page
MARKDOWN = MB
# Of one recipe, in characters and in number. Real ones stay far below; the rest is cut off and counted.
TITLE, INGREDIENT, STEP, ITEMS, NUTRIENTS = 300, 1000, 10_000, 500, 50

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".svg")
_EXAMPLES = 5  # kept per reason: enough to find the fault, little enough for millions of lines
# All that zipfile raises for archives that are cut, damaged, encrypted or packed in an unknown way.
ARCHIVE_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError
)  # fmt: skip
_BASE64 = re.compile(r"base64/(\d{1,12})-(\d{1,12})")
_MOVED = "check that the source is still where it was read from"
# A file with one of these names is called after its folder: "pies/apple/index.md" is "pies/apple".
_NAMELESS = {"index", "_index", "recipe"}


class Tally:
    """Reasons, how often each came up, and the first few places where it did."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.examples: dict[str, list[str]] = {}

    def add(self, reason: str, where: str, detail: str = "") -> None:
        """Count one more `reason` (a short stable phrase) at `where`, a file or a line of it."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        kept = self.examples.setdefault(reason, [])
        if len(kept) < _EXAMPLES:
            kept.append(f"{where}: {detail}" if detail else where)

    def update(self, other: Tally) -> None:
        """Take in what another has counted."""
        for reason, count in other.counts.items():
            self.counts[reason] = self.counts.get(reason, 0) + count
            kept = self.examples.setdefault(reason, [])
            kept += other.examples[reason][: _EXAMPLES - len(kept)]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Skipped(Tally):
    """The recipes and files that were not read; `notes` counts faults of recipes that were.

    >>> skipped = Skipped()
    >>> skipped.add("no title", "recipes.jsonl line 3")
    >>> skipped.notes.add("missing image", "recipes.jsonl line 4", "pie.jpg")
    >>> skipped.counts, skipped.notes.counts
    ({'no title': 1}, {'missing image': 1})
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes = Tally()

    def nothing_from(self, source: object) -> ChefError:
        """The error for a caller that needs recipes and got none from `source`."""
        problem = f"no recipe could be read from {source}"
        if self.counts:
            reasons = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
            listed = ", ".join(f"{reason} ({count})" for reason, count in reasons[:3])
            problem += f": {listed}; first: {self.examples[reasons[0][0]][0]}"
        return ChefError(problem, "docs/formats.md lists what can be read")


@dataclass(frozen=True, slots=True)
class Scope:
    """The folder that no reader may leave, and where it counts what it skips.

    For the files of an archive: what to put before their names and ids, and how deep it is in others.
    """

    root: Path
    skipped: Skipped
    prefix: str = ""
    base: str = ""
    depth: int = 0

    def name(self, path: Path) -> str:
        """The file's path relative to the root, to show to the user: the same on every machine."""
        return self.prefix + self._way(path)

    def id(self, path: Path) -> str:
        """The id of the only recipe in a file: its path relative to the root, without the suffix."""
        parts = self._way(path.with_suffix("")).split("/")
        if parts[-1] in _NAMELESS:
            parts = parts[:-1] or ([] if self.base else [clean(self.root.name)])
        return "/".join([self.base, *parts] if self.base else parts)

    def _way(self, path: Path) -> str:
        return clean(os.path.relpath(path, self.root).replace(os.sep, "/"))


@dataclass(frozen=True, slots=True)
class RawRecipe:
    """One recipe as its file has it, not cleaned yet.

    `data` holds its fields under any of the names in `chef.readers.fields.NAMES`; `where` tells the user
    the place. Images named in `data` are looked up relative to `folder`, unless the format itself says
    where they are: then `images` holds the references. `id` and `split` count where `data` gives none.
    """

    data: Mapping[str, Any]
    where: str
    folder: Path | None = None
    images: tuple[str, ...] | None = None
    id: str | None = None
    split: str | None = None
    url: str | None = None


def is_web(reference: str) -> bool:
    """Whether a source or an image is a web address."""
    return reference.lower().startswith(("http://", "https://"))


def is_image(name: str) -> bool:
    """Whether a file is an image, by its name."""
    return name.lower().endswith(IMAGE_SUFFIXES)


def is_own(path: str | Path, root: Path) -> bool:
    """Whether a file is below the root, or the root itself, with all links followed."""
    real, inside = os.path.realpath(path), os.path.realpath(root)
    return real == inside or real.startswith(os.path.join(inside, ""))


def open_file(path: Path) -> BinaryIO:
    """The bytes of a text file, unpacked if its name ends in `.gz`, as UTF-8 if they are UTF-16."""
    opened: Any = (gzip.open if path.suffix.lower() == ".gz" else open)(path, "rb")
    is_utf16 = opened.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return cast(BinaryIO, io.BufferedReader(_AsUtf8(opened)) if is_utf16 else opened)


class _AsUtf8(io.RawIOBase):
    """A stream of UTF-16 as one of UTF-8."""

    def __init__(self, stream: BinaryIO) -> None:
        self._text = io.TextIOWrapper(stream, "utf-16", "replace", newline="")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._text.read(len(buffer) // 4).encode("utf-8", "replace")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._text.close()
        super().close()


def at_most(stream: BinaryIO | Any, limit: int) -> bytes | None:
    """The rest of a stream, None if that is more than `limit` bytes, whatever size a header claims."""
    data: bytes = stream.read(limit + 1)
    return data if len(data) <= limit else None


def content(path: Path, scope: Scope, limit: int) -> bytes | None:
    """The bytes of a file that is parsed as a whole; None, and counted, if it is too large for that."""
    with open_file(path) as stream:
        data = at_most(stream, limit)
    if data is None:
        scope.skipped.add("too large", scope.name(path), f"over {limit >> 20} MB")
    return data


def document(path: Path, scope: Scope, limit: int) -> str | None:
    """The text of such a file."""
    data = content(path, scope, limit)
    return None if data is None else decode(data)


class BrokenJson(Exception):
    """The text stopped being JSON; `reason` is the phrase to count, `str()` the detail."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        super().__init__(detail)


def has_too_many_values(text: str | bytes, values: int = VALUES) -> bool:
    """Whether a JSON text would take too much memory, by its marks; those in strings count as well."""
    marks: Any = ",[{" if isinstance(text, str) else (b",", b"[", b"{")
    return sum(map(text.count, marks)) > values


def parse(text: str, values: int = VALUES) -> Any:
    """The value of a JSON text; raw line breaks inside strings are accepted, as many sites write them."""
    if has_too_many_values(text, values):
        raise BrokenJson("too large", f"more than {values:,} values")
    try:
        return json.loads(text, strict=False)
    except RecursionError:
        raise BrokenJson("not JSON", "nested too deeply") from None
    except ValueError as error:
        raise BrokenJson("not JSON", str(error)) from error


def image_bytes(reference: str, limit: int = IMAGE) -> bytes:
    """The bytes of an image from its reference; raises ChefError if it cannot be read or is over the limit.

    | reference | what |
    |---|---|
    | `photos/pie.jpg` | a file |
    | `export.zip!recipes/pie/images/original.webp` | a member of a zip archive |
    | `shards/test-00000.tar!00000007.0.jpg` | a member of a shard of prepared data |
    | `box.zip!1.zip!image.jpg` | a member of an archive in an archive |
    | `box.grmt#/base64/120-4800` | base64 in a part of a file |
    | `Pie.paprikarecipe#/photo_data` | base64 in a gzipped JSON file, at a JSON pointer |
    | `box.paprikarecipes!Pie.paprikarecipe#/photos/0/data` | the same inside an archive |
    | `s3://bucket/photos/pie.jpg` | an object of an object store |
    | `s3://bucket/shards/test-00000.tar!00000007.0.jpg` | a member of a shard there |
    | `https://example.org/pie.jpg` | a web address |

    >>> image_bytes("no/such/pie.jpg")
    Traceback (most recent call last):
    chef.errors.ChefError: no image at no/such/pie.jpg (check that the source is still where it was read from)
    """
    if is_web(reference):
        from chef.readers.web import fetch

        return fetch(reference, limit, ("image/", "application/octet-stream")).body
    place, _, pointer = reference.rpartition("#/")
    try:
        data: bytes | None
        if is_s3(reference):
            from chef.readers.remote import photo

            data = photo(reference, limit)
        elif (part := _BASE64.fullmatch(pointer)) and not os.path.isfile(reference):
            whole = _place(place, DOCUMENT)
            data = None if whole is None else base64.b64decode(whole[int(part[1]) : int(part[2])])
        elif place.lower().endswith(".paprikarecipe") and not os.path.isfile(reference):
            packed = _place(place, DOCUMENT)
            data = None if packed is None else _field(packed, pointer)
        else:
            data = _place(reference, limit)
    except (*ARCHIVE_ERRORS, tarfile.TarError, BrokenJson, KeyError) as error:
        raise ChefError(f"the image {reference} cannot be read: {clean(str(error))}", _MOVED) from error
    if data is None:
        raise ChefError(f"the image {reference} is larger than {limit >> 20} MB", "make it smaller")
    return data


def _place(place: str, limit: int) -> bytes | None:
    """The bytes of a file or of a member of an archive."""
    if os.path.isfile(place):
        with open(place, "rb") as stream:
            return at_most(stream, limit)
    # Names may hold "!" themselves: the archive is the first part that is a file.
    at = place.find("!")
    while at >= 0 and not os.path.isfile(place[:at]):
        at = place.find("!", at + 1)
    if at < 0:
        raise ChefError(f"no image at {place}", _MOVED)
    with open(place[:at], "rb") as file:
        return _member(file, place[at + 1 :], limit)


def _member(file: BinaryIO, name: str, limit: int) -> bytes | None:
    """The bytes of a member of a zip or tar, or of one in an archive inside it."""
    is_zip = zipfile.is_zipfile(file)
    file.seek(0)
    with zipfile.ZipFile(file) if is_zip else tarfile.open(fileobj=file) as archive:
        at = len(name)
        while at >= 0:  # the whole name, else what is before one of its "!"
            try:
                if isinstance(archive, zipfile.ZipFile):
                    stream: Any = archive.open(name[:at])
                    size = archive.getinfo(name[:at]).file_size
                else:
                    stream = archive.extractfile(name[:at])
                    size = archive.getmember(name[:at]).size
            except KeyError:
                at = name.rfind("!", 0, at)
                continue
            with stream:
                if at == len(name):
                    return at_most(stream, limit) if size <= limit else None
                inner = at_most(stream, DOCUMENT)
            return None if inner is None else _member(io.BytesIO(inner), name[at + 1 :], limit)
    raise KeyError(f"no member {name[:200]!r}")


def _field(packed: bytes, pointer: str) -> bytes:
    from chef.readers.archives import unpack_paprika

    value: Any = parse(decode(unpack_paprika(packed)))
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
