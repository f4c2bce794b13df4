"""Zip archives, read in place: bounded, and never unpacked to disk."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from chef.readers import limits
from chef.readers.clean import clean
from chef.readers.found import Scope

# All that zipfile raises for archives that are cut, damaged, encrypted or packed in an unknown way.
ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


def members(path: Path, suffix: str, scope: Scope) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the members whose name ends with `suffix`, sorted; what fails is counted."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in sorted(set(archive.namelist())):
                if name.lower().endswith(suffix) and not _is_hidden(name):
                    yield from _member(archive, name, f"{scope.name(path)}!{clean(name)}", scope)
    except ERRORS as error:
        scope.skipped.add("broken archive", scope.name(path), str(error))


def _member(archive: zipfile.ZipFile, name: str, where: str, scope: Scope) -> Iterator[tuple[str, bytes]]:
    if not is_safe(name):
        scope.skipped.add("unsafe name in the archive", where)
        return
    try:
        data = unpack(archive, name, limits.DOCUMENT)
    except ERRORS as error:
        scope.skipped.add("broken archive", where, str(error))
        return
    if data is None:
        scope.skipped.add("too large", where, f"over {limits.DOCUMENT >> 20} MB unpacked")
    else:
        yield name, data


def unpack(archive: zipfile.ZipFile, name: str, limit: int) -> bytes | None:
    """The bytes of a member, None if there are more than `limit`, whatever size its header claims."""
    with archive.open(name) as stream:
        data = stream.read(limit + 1)
    return data if len(data) <= limit else None


def names(path: Path) -> frozenset[str]:
    """The names of all members that stay inside the archive; none of an archive that is broken."""
    try:
        with zipfile.ZipFile(path) as archive:
            return frozenset(filter(is_safe, archive.namelist()))
    except ERRORS:
        return frozenset()  # reading its members counts the fault


def is_safe(name: str) -> bool:
    """Whether a member's name stays inside the archive."""
    name = name.replace("\\", "/")
    return not (name.startswith("/") or ":" in name.split("/")[0] or ".." in name.split("/"))


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/") if part != "..")


def beside(name: str, other: str) -> str:
    """The full name of a member given from another one: beside("pie/pie.json", "images/original.webp")."""
    return posixpath.join(posixpath.dirname(name), other)
