"""Image names in a recipe -> references that exist, never outside the source folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin

from chef.readers.fields import is_web
from chef.readers.found import Found, Scope

# Where web-site generators keep pictures, below the recipe's folder or one above it.
_FOLDERS = ("", "images", "static", "assets", "assets/images", "img")
_LENGTH = 1000  # of a name; no file system takes more


def references(names: Iterable[str], found: Found, scope: Scope) -> tuple[str, ...]:
    """What `image_bytes` can open of the images a recipe names; the others are noted and left out."""
    kept: dict[str, None] = {}
    for name in names:
        if reference := _reference(name, found, scope):
            kept[reference] = None
    return tuple(kept)


def _reference(name: str, found: Found, scope: Scope) -> str | None:
    if is_web(name):
        return name
    if found.folder is None:  # from a web page: names are addresses relative to it
        return _address(name, found, scope)
    outside = False
    for path in _candidates(name, found.folder, scope.root):
        if not _is_inside(path, scope.root):
            outside = True
            continue
        # os.path.isfile, unlike Path.is_file, says no to names that are too long or otherwise impossible.
        if os.path.isfile(path):
            return path
    scope.skipped.notes.add(
        "image outside the source" if outside else "missing image", found.where, name[:200]
    )
    return None


def _address(name: str, found: Found, scope: Scope) -> str | None:
    try:
        address = urljoin(found.url or "", name)
    except ValueError:  # a broken IPv6 host
        address = ""
    if is_web(address):
        return address
    scope.skipped.notes.add("missing image", found.where, name[:200])
    return None


def _candidates(name: str, folder: Path, root: Path) -> Iterator[str]:
    name = name.replace("\\", "/")
    if name.startswith("data:") or len(name) > _LENGTH:
        return
    if _is_inside(os.path.normpath(name), root):
        yield os.path.normpath(name)
    written = name.lstrip("/")  # a site's "/images/pie.jpg" starts at the site's own root
    for spelling in dict.fromkeys((written, unquote(written.partition("?")[0]).replace("\0", ""))):
        for base in _upwards(folder, root):
            for place in _FOLDERS:
                yield os.path.normpath(os.path.join(base, place, spelling))
                yield os.path.normpath(os.path.join(base, place, os.path.basename(spelling)))


def _upwards(folder: Path, root: Path) -> Iterator[Path]:
    yield folder
    for parent in folder.parents:
        if not _is_inside(str(parent), root):
            return
        yield parent


def _is_inside(path: str, root: Path) -> bool:
    return path == str(root) or path.startswith(os.path.join(str(root), ""))
