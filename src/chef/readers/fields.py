"""Fields under the names that formats give them -> `Recipe`: cleaned, with an id and its images.

JSON lines, schema.org, Mealie, Nextcloud, Paprika and Markdown front matter differ in names and nesting,
not in meaning: one table of names and three tolerant walks read them all.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from chef.errors import check_deadline
from chef.files import rows, word_lists
from chef.readers import apps, base, details
from chef.readers.base import RawRecipe, Scope, is_web
from chef.readers.lines import clean, ingredients, plain, steps
from chef.recipe import Ingredient, Recipe, Step

NAMES = word_lists("chef.readers", "fields.tsv")

PHOTOS = "#photos"  # the references of photos that are inside the file itself
_IMAGE_NAMES = ("url", "contentUrl", "src", "path", "file", "@id")
_DEPTH = 8  # how deep lists and sections may nest
# Where site generators keep images, below the recipe's folder or one above it.
_FOLDERS = ("", "images", "static", "assets", "assets/images", "img")
_LENGTH = 1000  # of a name; no file system takes more


def names_of(format: str) -> dict[str, str]:
    """The fields of a format by its own names for them; "" for what is not read."""
    table = rows("chef.readers", "names.tsv")
    listed = ((field.strip("-"), names) for of, field, names in table if of == format)
    return {name: field for field, names in listed for name in names.split("|")}


def first(data: Mapping[str, Any], field: str) -> Any:
    """The value of a field under the first of its names that has one, else None."""
    values = map(data.get, NAMES[field])
    return next((value for value in values if value not in (None, "", [], {})), None)


def text(data: Mapping[str, Any], field: str) -> str:
    """The clean text of a field that is a single value, "" where it has none."""
    value = first(data, field)
    if isinstance(value, list):
        value = next((item for item in value if plain(item)), None)
    return plain(value)


def url(data: Mapping[str, Any]) -> str | None:
    """The web address of the recipe. Others, such as `javascript:`, must never become a link."""
    return next(filter(is_web, map(plain, map(data.get, NAMES["url"]))), None)


def is_recipe(data: Mapping[str, Any]) -> bool:
    """Whether an object claims to be a recipe: by its schema.org type, or by a title and ingredients."""
    if "@type" not in data:
        return first(data, "ingredients") is not None and first(data, "title") is not None
    kinds = data["@type"] if isinstance(data["@type"], list) else [data["@type"]]
    # "Recipe", "schema:Recipe" and "https://schema.org/Recipe" are the same type.
    names = [kind.replace(":", "/").rsplit("/", 1)[-1].lower() for kind in kinds if isinstance(kind, str)]
    return "recipe" in names


def recipes_in(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The recipe objects inside a JSON value: itself, in lists, under `@graph` and in wrappers."""
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        if (changed := apps.adapted(value)) is not None:
            value = changed
        if is_recipe(value):
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                yield from recipes_in(item, depth + 1)


def of_file(recipes: Iterable[Mapping[str, Any]], path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one file: the first is named after it, any more are known by their content."""
    name, id = scope.name(path), scope.id(path)
    count = 0
    for count, data in enumerate(recipes, 1):
        own_id = id if count == 1 else None
        yield RawRecipe(data, name, folder=path.parent, images=data.get(PHOTOS), id=own_id)
    if not count:
        scope.skipped.add("no recipe in the file", name)


def tags(data: Mapping[str, Any]) -> tuple[str, ...]:
    """All tags once each, in the order they are given; a string may hold several between commas."""
    by_key: dict[str, str] = {}
    for name in NAMES["tags"]:
        value = data.get(name)
        items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
        for item in items:
            tag = plain((item.get("name") or item.get("title") or item) if isinstance(item, dict) else item)
            if tag:
                by_key.setdefault(tag.lower(), tag)
    return tuple(by_key.values())


def image_names(value: Any, depth: int = 0) -> Iterator[str]:
    """The images a recipe names: a string, an ImageObject, or lists of them."""
    if isinstance(value, str):
        if name := clean(value):
            yield name
    elif isinstance(value, list) and depth < _DEPTH:
        for item in value:
            yield from image_names(item, depth + 1)
    elif isinstance(value, dict) and depth < _DEPTH:
        for name in _IMAGE_NAMES:
            if names := list(image_names(value.get(name), depth + 1)):
                yield from names
                return


class Builder:
    """Makes the recipes of one source, and remembers their ids.

    A recipe without a title or without ingredients is skipped, and so is a second one of the same id;
    a recipe without steps is read.
    """

    def __init__(self, scope: Scope, ids: list[set[int]] | None = None) -> None:
        self._scope, self._others, self._is_one_of_many = scope, list(ids or ()), ids is not None
        self._seen: set[int] = set()
        if ids is not None:
            ids.append(self._seen)

    def recipe(self, raw: RawRecipe) -> Recipe | None:
        """The recipe, or None after counting why there is none."""
        check_deadline()
        data, skipped = raw.data, self._scope.skipped
        if not (title := text(data, "title")):
            skipped.add("no title", raw.where)
            return None
        if not (items := ingredients(first(data, "ingredients"))):
            skipped.add("no ingredients", raw.where, title[:80])
            return None
        made = steps(first(data, "steps"))
        if (name := self._id(raw, title, items, made)) is None:
            return None
        kept = tuple(
            replace(item, line=item.line[: base.INGREDIENT], name=item.name and item.name[: base.INGREDIENT])
            for item in items[: base.ITEMS]
        )
        short = tuple(
            Step(step.text[: base.STEP], step.section and step.section[: base.TITLE])
            for step in made[: base.ITEMS]
        )
        if (title, kept, short) != (title[: base.TITLE], items, made):
            skipped.notes.add("too long, cut", raw.where, title[:80])
        return Recipe(
            id=name,
            title=title[: base.TITLE],
            ingredients=kept,
            steps=short,
            images=self._images(raw),
            tags=tags(data),
            source=text(data, "source") or None,
            licence=text(data, "licence") or None,
            url=url(data) or raw.url or next(filter(is_web, [text(data, "source")]), None),
            split=text(data, "split") or raw.split,
            description=text(data, "description")[: base.STEP] or None,
            servings=details.servings(first(data, "servings")),
            prep_minutes=details.minutes(first(data, "prep_minutes")),
            cook_minutes=details.minutes(first(data, "cook_minutes")),
            total_minutes=details.minutes(first(data, "total_minutes")),
            notes=details.notes(first(data, "notes")),
            language=text(data, "language")[:35] or None,
            rating=details.rating(first(data, "rating")),
            nutrition=details.nutrition(first(data, "nutrition")),
            favourite=first(data, "favourite") is True,
            own_note="\n".join(details.notes(first(data, "own_note"))) or None,
        )

    def _images(self, raw: RawRecipe) -> tuple[str, ...]:
        images = references(raw, self._scope) if raw.images is None else raw.images
        valid = []
        for image in images:
            if os.path.islink(image) and not base.is_own(image, self._scope.root):
                self._scope.skipped.notes.add("image outside the source", raw.where)
                continue
            try:
                image.encode()  # file names are bytes: one that is not text could not be stored
                valid.append(image)
            except UnicodeEncodeError:
                self._scope.skipped.notes.add("image name is no text", raw.where)
        return tuple(valid)

    def _id(
        self, raw: RawRecipe, title: str, items: Iterable[Ingredient], made: Iterable[Step]
    ) -> str | None:
        """The given id, else the one of the file, else one made from the content; None for a duplicate."""
        whole = ""
        if given := text(raw.data, "id"):
            choices = [given]
        else:
            lines = "\n".join([title, *(item.line for item in items)])
            content = hashlib.sha256(lines.encode()).hexdigest()[:16]
            # pie.md and pie.html in one folder would share "pie": the second also gets its content's id.
            choices = [raw.id, f"{raw.id}-{content}"] if raw.id else [content]
            whole = "\n".join([raw.id or "", lines, *(step.text for step in made)])
            if raw.id and self._others and self._is_known(raw.id):
                # A/pie.md and B/pie.md, given one by one: the second is "B/pie". The same file again is not.
                if self._is_known(whole):
                    del choices[1:]
                else:
                    choices[0] = f"{clean(self._scope.root.name)}/{raw.id}"
        for choice in choices:
            if _short(choice) not in self._seen and not self._is_known(choice):
                self._seen.add(_short(choice))
                if raw.id and whole and self._is_one_of_many:
                    self._seen.add(_short(whole))
                return choice
        self._scope.skipped.add("duplicate id", raw.where, choices[-1][:200])
        return None

    def _is_known(self, text: str) -> bool:
        """Whether an earlier source has it."""
        return any(_short(text) in others for others in self._others)


def _short(id: str) -> int:
    """Eight bytes of a hash, not the id itself: a million recipes then take some 60 MB."""
    return int.from_bytes(hashlib.blake2b(id.encode(), digest_size=8).digest(), "big")


def references(raw: RawRecipe, scope: Scope) -> tuple[str, ...]:
    """The photos that a recipe names, as far as they are there."""
    names = image_names(first(raw.data, "images"))
    kept = (_reference(name, raw, scope) for name in names)
    return tuple(dict.fromkeys(reference for reference in kept if reference))


def _reference(name: str, raw: RawRecipe, scope: Scope) -> str | None:
    if is_web(name):
        return name
    if raw.folder is None:  # from a web page: names are addresses relative to it
        with suppress(ValueError):  # a broken IPv6 host
            if is_web(address := urljoin(raw.url or "", name)):
                return address
    outside = False
    for path in _candidates(name, raw.folder, scope.root) if raw.folder else ():
        if not _is_inside(path, scope.root):
            outside = True
        elif os.path.isfile(path):  # unlike Path.is_file it accepts names that are too long or impossible
            if base.is_own(path, scope.root):
                return path
            outside = True
    scope.skipped.notes.add("image outside the source" if outside else "missing image", raw.where, name[:200])
    return None


def _candidates(name: str, folder: Path, root: Path) -> Iterator[str]:
    name = name.replace("\\", "/")
    if name.startswith("data:") or len(name) > _LENGTH:
        return
    if _is_inside(os.path.normpath(name), root):
        yield os.path.normpath(name)
    written = name.lstrip("/")  # a site's "/images/pie.jpg" starts at the site's own root
    for spelling in dict.fromkeys((written, unquote(written.partition("?")[0]).replace("\0", ""))):
        for above in (folder, *takewhile(lambda parent: _is_inside(str(parent), root), folder.parents)):
            for subfolder in _FOLDERS:
                yield os.path.normpath(os.path.join(above, subfolder, spelling))
                yield os.path.normpath(os.path.join(above, subfolder, os.path.basename(spelling)))


def _is_inside(path: str, root: Path) -> bool:
    return path == str(root) or path.startswith(os.path.join(str(root), ""))
