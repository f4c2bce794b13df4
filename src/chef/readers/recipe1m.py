"""Recipe1M: a folder with `layer1.json`, `layer2.json`, `det_ingrs.json` and the images.

layer1 has the recipes, layer2 the images of some of them, det_ingrs the ingredient names; the three need
not be in the same order. All are streamed. The join goes through a temporary SQLite database on disk
(image names and ingredient names by recipe id), so memory stays small for a million recipes.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.readers.base import BrokenJson, RawRecipe, Scope
from chef.readers.json_files import elements
from chef.readers.lines import plain

_IMAGE_NAME = re.compile(r"[\w-]{4,}\.\w{2,5}")
_SPLITS = ("train", "val", "test")


def read(folder: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes in the order of layer1, with images, ingredient names and split."""
    try:
        with closing(_join(folder, scope)) as tables:
            photos = _Photos(folder, scope)
            where = scope.name(folder / "layer1.json")
            for data in _objects(folder / "layer1.json", scope):
                yield _raw(data, where, tables, photos)
    except sqlite3.Error as error:
        problem = f"cannot join the files of {folder}: {error}"
        raise ChefError(problem, "free some space for temporary files") from error


def _raw(data: Mapping[str, Any], where: str, tables: sqlite3.Connection, photos: _Photos) -> RawRecipe:
    id = plain(data.get("id"))
    where = f"{where} {id}" if id else where
    split = plain(data.get("partition"))
    names = _look_up(tables, "names", id)
    lines = data.get("ingredients")
    if isinstance(lines, list):
        # Our own form keeps each line as it is, so that lines and names stay in step.
        names += [None] * (len(lines) - len(names))
        items = [{"line": _text(line), "name": name} for line, name in zip(lines, names, strict=False)]
        data = {**data, "ingredients": items}
    return RawRecipe(data, where, images=photos.references(_look_up(tables, "images", id), split, where))


def _text(item: Any) -> str:
    text = item.get("text") if isinstance(item, dict) else item
    return text if isinstance(text, str) else plain(text)  # cleaned later, with all the rest


def _join(folder: Path, scope: Scope) -> sqlite3.Connection:
    """The tables `images` and `names`, recipe id -> JSON list."""
    # The empty name makes a private database on disk that SQLite removes when it is closed.
    tables = sqlite3.connect("", check_same_thread=False)
    for table, file, values in (("images", "layer2.json", _images), ("names", "det_ingrs.json", _names)):
        tables.execute(f"CREATE TABLE {table} (id TEXT PRIMARY KEY, list TEXT) WITHOUT ROWID")
        if (folder / file).is_file():
            objects = _objects(folder / file, scope)
            rows = ((plain(data.get("id")), json.dumps(values(data))) for data in objects)
            tables.executemany(f"INSERT OR IGNORE INTO {table} VALUES (?, ?)", rows)
        else:
            scope.skipped.notes.add("missing file", scope.name(folder / file))
    return tables


def _look_up(tables: sqlite3.Connection, table: str, id: str) -> list[Any]:
    row = tables.execute(f"SELECT list FROM {table} WHERE id = ?", (id,)).fetchone()
    values: list[Any] = json.loads(row[0]) if row else []
    return values


def _images(data: Mapping[str, Any]) -> list[str]:
    images = data["images"] if isinstance(data.get("images"), list) else []
    return [plain(image.get("id") if isinstance(image, dict) else image) for image in images]


def _names(data: Mapping[str, Any]) -> list[str | None]:
    """The name of each ingredient line; None where the data set says it is not valid."""
    lines, valid = data.get("ingredients"), data.get("valid")
    if not isinstance(lines, list) or not isinstance(valid, list):
        return []
    return [_text(line) if good is True else None for line, good in zip(lines, valid, strict=False)]


def _objects(path: Path, scope: Scope) -> Iterator[Mapping[str, Any]]:
    """The objects of one of the files; where it breaks off is counted, what came before is used."""
    with open(path, "rb") as stream:
        try:
            for number, value in enumerate(elements(stream), 1):
                if isinstance(value, dict):
                    yield value
                else:
                    scope.skipped.add("not an object", f"{scope.name(path)} item {number}")
        except BrokenJson as error:
            scope.skipped.add(error.reason, scope.name(path), str(error))


class _Photos:
    """Finds image files in their four-level folders: 3e233001e2.jpg is 3/e/2/3/3e233001e2.jpg."""

    def __init__(self, folder: Path, scope: Scope) -> None:
        self._notes = scope.skipped.notes
        bases = [folder, folder / "images"]
        # Published copies differ: one tree for all images, or one for each split.
        self._trees = [base for base in bases if _has_tree(base)]
        self._split_trees = [base for base in bases if any(_has_tree(base / split) for split in _SPLITS)]

    def references(self, names: list[Any], split: str, where: str) -> tuple[str, ...]:
        return tuple(path for name in names if (path := self._find(str(name), split, where)))

    def _find(self, name: str, split: str, where: str) -> str | None:
        if not _IMAGE_NAME.fullmatch(name):
            self._notes.add("image outside the source", where, name[:200])
            return None
        trees = self._trees + [base / split for base in self._split_trees if split in _SPLITS]
        path = next(filter(os.path.isfile, (os.path.join(tree, *name[:4], name) for tree in trees)), None)
        if path is None:
            self._notes.add("missing image", where, name)
        return path


def _has_tree(folder: Path) -> bool:
    """Whether a folder has subfolders of one letter: the first level of the image tree."""
    try:
        with os.scandir(folder) as entries:
            return any(len(entry.name) == 1 and entry.is_dir() for entry in entries)
    except OSError:  # no such folder
        return False
