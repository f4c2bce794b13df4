"""Raw recipe -> Recipe: cleaning, the id, the images, and the rules for what counts as a recipe."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote, urljoin

from chef.readers import fields
from chef.readers.base import RawRecipe, Scope, is_web
from chef.readers.lines import ingredients, steps
from chef.recipe import Ingredient, Recipe

# Where site generators keep images, below the recipe's folder or one above it.
_FOLDERS = ("", "images", "static", "assets", "assets/images", "img")
_LENGTH = 1000  # of a name; no file system takes more


class Builder:
    """Makes the recipes of one source, and remembers their ids.

    A recipe without a title or without ingredients is skipped, and so is a second one of the same id;
    a recipe without steps is read.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        # Eight bytes of a hash, not the id itself: a million recipes then take some 60 MB.
        self._seen: set[int] = set()

    def recipe(self, raw: RawRecipe) -> Recipe | None:
        """The recipe, or None after counting why there is none."""
        data, skipped = raw.data, self._scope.skipped
        title = fields.text(data, "title")
        if not title:
            skipped.add("no title", raw.where)
            return None
        items = ingredients(fields.first(data, "ingredients"))
        if not items:
            skipped.add("no ingredients", raw.where, title[:80])
            return None
        name = self._id(raw, title, items)
        if name is None:
            return None
        return Recipe(
            id=name,
            title=title,
            ingredients=items,
            steps=steps(fields.first(data, "steps")),
            images=self._images(raw),
            tags=fields.tags(data),
            source=fields.text(data, "source") or None,
            licence=fields.text(data, "licence") or None,
            url=fields.url(data) or raw.url,
            split=fields.text(data, "split") or raw.split,
        )

    def _images(self, raw: RawRecipe) -> tuple[str, ...]:
        images = raw.images
        if images is None:
            images = references(fields.image_names(fields.first(raw.data, "images")), raw, self._scope)
        kept = []
        for image in images:
            try:
                image.encode()  # file names are bytes: one that is no text cannot be stored and found again
                kept.append(image)
            except UnicodeEncodeError:
                self._scope.skipped.notes.add("image name is no text", raw.where)
        return tuple(kept)

    def _id(self, raw: RawRecipe, title: str, items: Iterable[Ingredient]) -> str | None:
        """The given id, else the one of the file, else one made from the content; None for a duplicate."""
        given = fields.text(raw.data, "id")
        if given:
            choices = [given]
        else:
            content = content_id(title, items)
            # pie.md and pie.html in one folder would share "pie": the second also gets its content's id.
            choices = [raw.id, f"{raw.id}-{content}"] if raw.id else [content]
        for choice in choices:
            short = int.from_bytes(hashlib.blake2b(choice.encode(), digest_size=8).digest(), "big")
            if short not in self._seen:
                self._seen.add(short)
                return choice
        self._scope.skipped.add("duplicate id", raw.where, choices[-1][:200])
        return None


def content_id(title: str, items: Iterable[Ingredient]) -> str:
    """The id of a recipe that has no other: 16 hexadecimal digits of its title and ingredient lines."""
    content = "\n".join([title, *(item.line for item in items)])
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def references(names: Iterable[str], raw: RawRecipe, scope: Scope) -> tuple[str, ...]:
    """What `image_bytes` can open of the images a recipe names; the others are noted and left out."""
    kept = (_reference(name, raw, scope) for name in names)
    return tuple(dict.fromkeys(reference for reference in kept if reference))


def _reference(name: str, raw: RawRecipe, scope: Scope) -> str | None:
    if is_web(name):
        return name
    if raw.folder is None:  # from a web page: names are addresses relative to it
        return _address(name, raw, scope)
    outside = False
    for path in _candidates(name, raw.folder, scope.root):
        if not _is_inside(path, scope.root):
            outside = True
            continue
        # os.path.isfile, unlike Path.is_file, says no to names that are too long or otherwise impossible.
        if os.path.isfile(path):
            return path
    scope.skipped.notes.add("image outside the source" if outside else "missing image", raw.where, name[:200])
    return None


def _address(name: str, raw: RawRecipe, scope: Scope) -> str | None:
    try:
        address = urljoin(raw.url or "", name)
    except ValueError:  # a broken IPv6 host
        address = ""
    if is_web(address):
        return address
    scope.skipped.notes.add("missing image", raw.where, name[:200])
    return None


def _candidates(name: str, folder: Path, root: Path) -> Iterator[str]:
    name = name.replace("\\", "/")
    if name.startswith("data:") or len(name) > _LENGTH:
        return
    if _is_inside(os.path.normpath(name), root):
        yield os.path.normpath(name)
    written = name.lstrip("/")  # a site's "/images/pie.jpg" starts at the site's own root
    for spelling in dict.fromkeys((written, unquote(written.partition("?")[0]).replace("\0", ""))):
        for base in (folder, *takewhile(lambda parent: _is_inside(str(parent), root), folder.parents)):
            for subfolder in _FOLDERS:
                yield os.path.normpath(os.path.join(base, subfolder, spelling))
                yield os.path.normpath(os.path.join(base, subfolder, os.path.basename(spelling)))


def _is_inside(path: str, root: Path) -> bool:
    return path == str(root) or path.startswith(os.path.join(str(root), ""))
