"""Readers: any common recipe format -> `Recipe` values.

>>> skipped = Skipped()
>>> for recipe in read("cookbook/", skipped):      # doctest: +SKIP
...     print(recipe.title)

Each format is one file here that turns a path into `Found` values; `build` makes the recipes of them.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from chef.errors import ChefError
from chef.readers import (
    html_page,
    json_document,
    json_lines,
    markdown,
    mealie,
    nextcloud,
    paprika,
    recipe1m,
    web,
)
from chef.readers.afar import Copy
from chef.readers.build import Builder
from chef.readers.fields import is_web
from chef.readers.files import walk
from chef.readers.found import Found, Scope
from chef.readers.images import image_bytes
from chef.readers.skipped import Skipped
from chef.recipe import Recipe
from chef.storage import is_s3

__all__ = ["KINDS", "Kind", "Skipped", "image_bytes", "read"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One format: its name, how a path of it is recognised, and its reader."""

    name: str
    matches: Callable[[Path], bool]
    read: Callable[[Path, Scope], Iterator[Found]]
    is_folder: bool = False  # the format is a folder as a whole, not single files


def _ends_with(suffixes: tuple[str, ...]) -> Callable[[Path], bool]:
    return lambda path: path.name.lower().endswith(suffixes)


# The first kind that matches a path reads it: the narrow ones come before `json`.
KINDS = (
    Kind("recipe1m", recipe1m.matches, recipe1m.read, is_folder=True),
    Kind("jsonl", _ends_with(json_lines.SUFFIXES), json_lines.read),
    Kind("nextcloud", nextcloud.matches, nextcloud.read),
    Kind("mealie", mealie.matches, mealie.read),
    Kind("json", _ends_with(json_document.SUFFIXES), json_document.read),
    Kind("html", _ends_with(html_page.SUFFIXES), html_page.read),
    Kind("markdown", _ends_with(markdown.SUFFIXES), markdown.read),
    Kind("paprika", _ends_with(paprika.SUFFIXES), paprika.read),
)


_ABOUT = {"readme", "license", "licence", "copying", "contributing", "changelog", "code_of_conduct"}


def read(source: str | Path, skipped: Skipped | None = None, *, kind: str | None = None) -> Iterator[Recipe]:
    """The recipes of a file, a folder or an address, one at a time, in the same order on every run.

    `skipped` counts what was not read and why; bad data never raises. A source that is missing, and a
    web page that cannot be had or has no recipe, raise ChefError. A caller that must have recipes and got
    none raises `skipped.nothing_from(source)`. `kind` names one of KINDS: only that format is read then.
    """
    skipped = Skipped() if skipped is None else skipped
    chosen = _kind(kind)
    if isinstance(source, str) and is_web(source):
        scope = Scope(Path(), skipped)
        return _recipes(web.read(source, scope), scope)
    if is_s3(source):
        copy = Copy(str(source))
        return copy.recipes(read(copy.path, skipped, kind=kind), skipped)
    path = Path(os.path.abspath(source))
    if not str(source).strip() or not path.exists():
        raise ChefError(f"no such file or folder: {source}", "give a file, folder or web address that exists")
    if path.is_dir():
        _check_listing(path)
        scope = Scope(path, skipped)
        return _recipes(_folder(path, scope, chosen), scope)
    if not path.is_file():
        raise ChefError(f"not a file or folder: {source}", "copy its content into a file first")
    scope = Scope(path.parent, skipped)
    return _recipes(_file(path, scope, chosen), scope)


def _recipes(found: Iterator[Found], scope: Scope) -> Iterator[Recipe]:
    builder = Builder(scope)
    for item in found:
        if recipe := builder.recipe(item):
            yield recipe


def _kind(name: str | None) -> Kind | None:
    if name is None:
        return None
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise ChefError(f"unknown recipe format {name!r}", f"one of {', '.join(kind.name for kind in KINDS)}")


def _check_listing(folder: Path) -> None:
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise ChefError(f"cannot list {folder}: {error.strerror}", "check its permissions") from error


def _folder(folder: Path, scope: Scope, chosen: Kind | None) -> Iterator[Found]:
    kinds = KINDS if chosen is None else (chosen,)
    whole = [kind for kind in kinds if kind.is_folder]
    for path in walk(folder, scope, lambda here: any(kind.matches(here) for kind in whole)):
        is_folder = path.is_dir()
        kind = next((kind for kind in kinds if kind.is_folder == is_folder and kind.matches(path)), None)
        # A page about the collection may hold a recipe; if it holds none, nothing was lost.
        about = path.stem.lower() in _ABOUT
        if kind is not None:
            yield from _guarded(kind, path, replace(scope, skipped=Skipped()) if about else scope)
        elif chosen is None and not about:
            scope.skipped.add("unknown format", scope.name(path))


def _file(path: Path, scope: Scope, chosen: Kind | None) -> Iterator[Found]:
    kind = chosen or next((kind for kind in KINDS if not kind.is_folder and kind.matches(path)), None)
    if kind is None:
        scope.skipped.add("unknown format", scope.name(path))
    else:
        yield from _guarded(kind, path, scope)


def _guarded(kind: Kind, path: Path, scope: Scope) -> Iterator[Found]:
    """One file's faults end its own reading, not that of the folder."""
    try:
        yield from kind.read(path, scope)
    except (EOFError, zlib.error) as error:
        scope.skipped.add("cut short", scope.name(path), str(error))
    except OSError as error:
        scope.skipped.add("cannot be read", scope.name(path), error.strerror or str(error))
