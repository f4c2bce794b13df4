"""Files and folders: opening with bounds, and the walk through a folder."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from chef.readers.clean import decode
from chef.readers.found import Scope

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".svg")
# Files that belong to a layout we read and hold no recipes of their own.
_SIDE_FILES = {"splits.json", "truth.jsonl"}


def open_file(path: Path) -> BinaryIO:
    """The bytes of a file, unpacked if its name ends in `.gz`."""
    return cast(BinaryIO, gzip.open(path, "rb") if path.suffix.lower() == ".gz" else open(path, "rb"))


def document(path: Path, scope: Scope, limit: int) -> str | None:
    """The text of a file that is parsed as a whole; None, and counted, if it is too large for that."""
    with open_file(path) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        scope.skipped.add("too large", scope.name(path), f"over {limit >> 20} MB")
        return None
    return decode(data)


def walk(folder: Path, scope: Scope, is_whole: Callable[[Path], bool]) -> Iterator[Path]:
    """The files of a folder sorted by name, then those of its subfolders the same way.

    A folder that is one data set as a whole comes itself and is not entered. Hidden files, images and
    side files are left out at once, so a folder of a million photos costs no memory.
    """
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        if is_whole(here):
            yield here
            continue
        files, folders = _listing(here, scope)
        for name in files:
            yield here / name
        waiting += [here / name for name in reversed(folders)]


def _listing(folder: Path, scope: Scope) -> tuple[list[str], list[str]]:
    files: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or entry.name in _SIDE_FILES:
                    continue
                if entry.is_dir(follow_symlinks=False):  # a link could lead round in circles
                    folders.append(entry.name)
                elif entry.is_file() and not entry.name.lower().endswith(IMAGE_SUFFIXES):
                    files.append(entry.name)
    except OSError as error:
        scope.skipped.add("cannot be read", scope.name(folder), error.strerror or "")
    return sorted(files), sorted(folders)
