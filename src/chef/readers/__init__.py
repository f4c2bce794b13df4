"""Readers: any common recipe format -> `Recipe` values.

>>> skipped = Skipped()
>>> for recipe in read("cookbook/", skipped):      # doctest: +SKIP
...     print(recipe.title)

Each format has a function that turns a path into `RawRecipe` values; `fields` makes recipes of them.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from chef.errors import ChefError
from chef.files import rows
from chef.readers import (
    apps,
    archives,
    cooklang,
    csv_files,
    html_page,
    json_files,
    markdown,
    plain_text,
    recipe1m,
    xml_files,
)  # fmt: skip
from chef.readers.base import RawRecipe, Scope, Skipped, image_bytes, is_image, is_own, is_web
from chef.readers.fields import Builder
from chef.readers.remote import RemoteCopy
from chef.recipe import Recipe
from chef.storage import is_s3

__all__ = ["KINDS", "Kind", "Skipped", "image_bytes", "one_recipe", "read"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One format: its name, how a path of it is recognised, and its reader."""

    name: str
    matches: Callable[[Path], bool]
    read: Callable[[Path, Scope], Iterator[RawRecipe]]
    is_folder: bool = False  # the format is a folder as a whole, not single files


def _ends_with(suffixes: tuple[str, ...]) -> Callable[[Path], bool]:
    return lambda path: path.name.lower().endswith(suffixes)


def _is_nextcloud(path: Path) -> bool:
    """Whether a JSON file is one of Nextcloud Cookbook's: by its name, or the photo beside it."""
    is_json = path.suffix.lower() == ".json"
    return is_json and (path.name == "recipe.json" or (path.parent / "full.jpg").is_file())


def _is_mealie(path: Path) -> bool:
    """Whether a JSON file is one of an export by Mealie: named like its folder, or known by its photo."""
    is_named = path.stem == path.parent.name and path.parent.parent.name == "recipes"
    photos = (path.parent / "images/original.webp", path.parent / "original.webp")
    return path.suffix.lower() == ".json" and (is_named or any(photo.is_file() for photo in photos))


# The first kind that matches a path reads it: `json` comes last, after the layouts that are JSON as well.
KINDS = (
    Kind("recipe1m", lambda folder: (folder / "layer1.json").is_file(), recipe1m.read, is_folder=True),
    Kind("jsonl", _ends_with(json_files.LINES_SUFFIXES), json_files.read_lines),
    Kind("html", _ends_with(html_page.SUFFIXES), html_page.read),
    Kind("markdown", _ends_with(markdown.SUFFIXES), markdown.read),
    Kind("cooklang", _ends_with(cooklang.SUFFIXES), cooklang.read),
    Kind("text", _ends_with(plain_text.SUFFIXES), plain_text.read),
    Kind("xml", _ends_with(xml_files.SUFFIXES), xml_files.read),
    Kind("csv", _ends_with(csv_files.SUFFIXES), csv_files.read),
    Kind("paprika", _ends_with(archives.PAPRIKA_SUFFIXES), archives.read_paprika),
    Kind("archive", _ends_with(archives.SUFFIXES), archives.read),
    Kind("nextcloud", _is_nextcloud, json_files.read_nextcloud),
    Kind("mealie backup", lambda path: path.name == apps.MEALIE_BACKUP, apps.read_mealie_backup),
    Kind("mealie", _is_mealie, archives.read_mealie),
    Kind("json", _ends_with(json_files.DOCUMENT_SUFFIXES), json_files.read_document),
)

_UNSUPPORTED = rows("chef.readers", "unsupported.tsv")
# How text of a kind begins, in small letters.
_STARTS = {b"<!doctype html": "html", b"<html": "html", b"<": "xml", b"{": "json", b"[": "json", b"": "text"}
# Files that belong to a layout we read and hold no recipes of their own.
_SIDE_FILES = {"splits.json", "truth.jsonl"}
_ABOUT = {"readme", "license", "licence", "copying", "contributing", "changelog", "code_of_conduct"}


def read(
    source: str | Path,
    skipped: Skipped | None = None,
    *,
    kind: str | None = None,
    ids: list[set[int]] | None = None,
) -> Iterator[Recipe]:
    """The recipes of a file, a folder or an address, one at a time, in the same order on every run.

    `skipped` counts what was not read and why; bad data never raises. A source that is missing, and a
    web page that cannot be fetched or has no recipe, raise ChefError. A caller that must have recipes and got
    none raises `skipped.nothing_from(source)`. `kind` names one of KINDS: only that format is read then.
    With one list of `ids` for several sources, no two of their recipes get the same id.
    """
    skipped = Skipped() if skipped is None else skipped
    chosen = next((known for known in KINDS if known.name == kind), None)
    if kind is not None and chosen is None:
        raise ChefError(f"unknown recipe format {kind!r}", f"one of {', '.join(one.name for one in KINDS)}")
    if is_s3(source):
        copy = RemoteCopy(str(source))
        return copy.recipes(read(copy.path, skipped, kind=kind, ids=ids), skipped)
    if isinstance(source, str) and is_web(source):
        scope = Scope(Path(), skipped)
        return filter(None, map(Builder(scope, ids).recipe, html_page.read_web(source, scope)))
    path = Path(os.path.abspath(source))
    if not str(source).strip() or not path.exists():
        raise ChefError(f"no such file or folder: {source}", "give a file, folder or web address that exists")
    if path.is_dir():
        try:
            os.scandir(path).close()
        except OSError as error:
            raise ChefError(f"cannot list {path}: {error.strerror}", "check its permissions") from error
    elif not path.is_file():
        raise ChefError(f"not a file or folder: {source}", "copy its content into a file first")
    scope = Scope(path if path.is_dir() else path.parent, skipped)
    raw = read_folder(path, scope, chosen) if path.is_dir() else _file(path, scope, chosen)
    return filter(None, map(Builder(scope, ids).recipe, raw))


def one_recipe(source: str | Path, id: str | None = None) -> Recipe:
    """The only recipe of a file in any format that chef reads, or the one with this id.

    >>> one_recipe("soup.json").title
    'Tomato soup'
    """
    skipped = Skipped()
    recipes = (recipe for recipe in read(source, skipped) if id is None or recipe.id == id)
    recipe = next(recipes, None)
    if recipe is not None:
        if id is None and next(recipes, None) is not None:
            raise ChefError(f"{source} holds more than one recipe", "name one with --id")
        return recipe
    if id is not None and not skipped.counts:
        way_out = "chef explain without --id tells if there is just one"
        raise ChefError(f"no recipe {id!r} in {source}", way_out)
    raise skipped.nothing_from(source)


def read_folder(folder: Path, scope: Scope, chosen: Kind | None = None) -> Iterator[RawRecipe]:
    """The recipes of a folder, or those of one kind."""
    kinds = KINDS if chosen is None else (chosen,)
    whole = [kind for kind in kinds if kind.is_folder]
    for path in _walk(folder, scope, lambda here: any(kind.matches(here) for kind in whole)):
        is_folder = path.is_dir()
        kind = next((kind for kind in kinds if kind.is_folder == is_folder and kind.matches(path)), None)
        # A page about the collection may hold a recipe; if it holds none, nothing was lost.
        about = path.stem.lower() in _ABOUT
        if kind is not None:
            yield from _guarded(kind, path, replace(scope, skipped=Skipped()) if about else scope)
        elif chosen is None and not about:
            scope.skipped.add("unknown format", scope.name(path), _what_it_is(path))


def _what_it_is(path: Path) -> str:
    """What a file seems to be that no reader takes, and what can be done."""
    suffix = path.suffix.lower()
    listed = (f"{what}: {advice}" for names, what, advice in _UNSUPPORTED if suffix in names.split())
    return next(listed, "")


def _walk(folder: Path, scope: Scope, is_whole: Callable[[Path], bool]) -> Iterator[Path]:
    """The files of a folder sorted by name, then those of its subfolders the same way.

    A folder that is one data set as a whole is yielded itself and not entered. Hidden files, images and
    side files are left out right away, so a folder of a million photos costs no memory.
    """
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        if is_whole(here):
            yield here
            continue
        files, folders = list[str](), list[str]()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.name in _SIDE_FILES:
                        continue
                    if entry.is_dir(follow_symlinks=False):  # a link could lead round in circles
                        folders.append(entry.name)
                    elif entry.is_file() and not is_image(entry.name):
                        if not entry.is_symlink() or is_own(entry.path, scope.root):
                            files.append(entry.name)
                        else:
                            scope.skipped.add("link out of the source", scope.name(here / entry.name))
        except OSError as error:
            scope.skipped.add("cannot be read", scope.name(here), error.strerror or "")
        yield from (here / name for name in sorted(files))
        waiting += [here / name for name in sorted(folders, reverse=True)]


def _file(path: Path, scope: Scope, chosen: Kind | None) -> Iterator[RawRecipe]:
    kind = chosen or next((kind for kind in KINDS if not kind.is_folder and kind.matches(path)), None)
    if kind is None and not (what := _what_it_is(path)):
        kind, what = _by_content(path)
    if kind is None:
        scope.skipped.add("unknown format", scope.name(path), what)
    else:
        yield from _guarded(kind, path, scope)


def _by_content(path: Path) -> tuple[Kind | None, str]:
    """The kind of a file whose name says nothing, by how it begins; None, and what it is, for no text."""
    with open(path, "rb") as stream:
        start = stream.read(4096)
    is_zip, is_pdf = start.startswith(b"PK"), start.startswith(b"%PDF")
    if is_pdf or (b"\0" in start and not is_zip):
        what = "a PDF" if is_pdf else "no text"
        return None, f"{what}: save it as .txt, .html or one of the formats in docs/formats.md"
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    name = "archive" if is_zip else next(_STARTS[start] for start in _STARTS if text.startswith(start))
    return next(kind for kind in KINDS if kind.name == name), ""


def _guarded(kind: Kind, path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """A fault of one file ends the reading of that file, not of the folder."""
    try:
        yield from kind.read(path, scope)
    except (EOFError, zlib.error) as error:
        scope.skipped.add("cut short", scope.name(path), str(error))
    except OSError as error:
        scope.skipped.add("cannot be read", scope.name(path), error.strerror or str(error))
