"""A .json or .jsonld file: one recipe, an array of them, or schema.org's JSON-LD in any wrapping."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chef.readers import fields, json_lines, limits
from chef.readers.files import document, open_file
from chef.readers.found import Found, Scope
from chef.readers.json_stream import BrokenJson, elements, parse, starts_array

SUFFIXES = (".json", ".jsonld", ".json.gz")


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipes of a file; an array is streamed, anything else is parsed as a whole."""
    with open_file(path) as stream:
        is_array = starts_array(stream)
    return _array(path, scope) if is_array else _single(path, scope)


def _single(path: Path, scope: Scope) -> Iterator[Found]:
    text = document(path, scope, limits.DOCUMENT)
    if text is None:
        return
    name = scope.name(path)
    try:
        value = parse(text)
    except BrokenJson as error:
        if "Extra data" in str(error):  # JSON lines under another name
            yield from json_lines.read(path, scope)
        else:
            scope.skipped.add(error.reason, name, str(error))
        return
    count = 0
    for count, data in enumerate(fields.recipes_in(value), 1):
        # A file holds one recipe as a rule, and lends it its name; any more are known by their content.
        yield Found(data, name, folder=path.parent, id=scope.id(path) if count == 1 else None)
    if not count:
        scope.skipped.add("no recipe in the file", name)


def _array(path: Path, scope: Scope) -> Iterator[Found]:
    name = scope.name(path)
    others: list[int] = []
    recipes, is_broken = 0, False
    with open_file(path) as stream:
        try:
            for number, element in enumerate(elements(stream), 1):
                found = list(fields.recipes_in(element))
                recipes += len(found)
                for data in found:
                    yield Found(data, f"{name} item {number}", folder=path.parent)
                # Beside its recipe a page's JSON-LD lists the site and the author: nothing was lost there.
                if not found and not (isinstance(element, dict) and "@type" in element):
                    others.append(number)
        except BrokenJson as error:
            scope.skipped.add(error.reason, name, str(error))
            is_broken = True
    if not recipes:
        if not is_broken:
            scope.skipped.add("no recipe in the file", name)
        return
    for number in others:
        scope.skipped.add("not a recipe", f"{name} item {number}")
