"""JSON: documents, arrays of any size, JSON lines, and the folders of Nextcloud Cookbook."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from chef.errors import check_deadline
from chef.readers import base, fields
from chef.readers.base import BrokenJson, RawRecipe, Scope, document, open_file, parse
from chef.readers.lines import FALLBACK, decode

DOCUMENT_SUFFIXES = (".json", ".jsonld", ".json.gz")
LINES_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
# Nextcloud keeps a recipe's photo beside its `recipe.json`. Best first: the thumbnail is made from the photo.
# Tandoor's is called image.
_NEXTCLOUD_PHOTOS = ("full.jpg", "thumb.jpg", *(f"image.{kind}" for kind in ("jpg", "jpeg", "png", "webp")))
_CHUNK = 1 << 20
_SPACE = re.compile(r"[\s\ufeff]*")


def read_document(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of a .json or .jsonld file: one, an array, or schema.org's JSON-LD in any wrapping.

    An array is streamed, anything else is parsed as a whole.
    """
    with open_file(path) as stream:
        is_array = stream.read(1024).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    return _array(path, scope) if is_array else _single(path, scope)


def _single(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    text = document(path, scope, base.LINE)
    if text is None:
        return
    try:
        value = parse(text)
    except BrokenJson as error:
        if "Extra data" in str(error):  # JSON lines under another name
            yield from read_lines(path, scope)
        else:
            scope.skipped.add(error.reason, scope.name(path), str(error))
        return
    yield from fields.of_file(fields.recipes_in(value), path, scope)


def _array(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    name = scope.name(path)
    others: list[int] = []
    count, is_broken = 0, False
    with open_file(path) as stream:
        try:
            for number, element in enumerate(elements(stream), 1):
                recipes = list(fields.recipes_in(element))
                count += len(recipes)
                for data in recipes:
                    yield RawRecipe(data, f"{name} item {number}", folder=path.parent)
                # Beside its recipe a page's JSON-LD lists the site and the author: nothing was lost there.
                if not recipes and not (isinstance(element, dict) and "@type" in element):
                    others.append(number)
        except BrokenJson as error:
            scope.skipped.add(error.reason, name, str(error))
            is_broken = True
    if count:
        for number in others:
            scope.skipped.add("not a recipe", f"{name} item {number}")
    elif not is_broken:
        scope.skipped.add("no recipe in the file", name)


def read_nextcloud(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipe of one folder of Nextcloud Cookbook, with the photo beside it."""
    photo = next((path.parent / name for name in _NEXTCLOUD_PHOTOS if (path.parent / name).is_file()), None)
    for raw in read_document(path, scope):
        # Its `image` field tells where the photo originally came from; the one on disk counts.
        yield raw if photo is None else replace(raw, images=(str(photo),))


def read_lines(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of a JSON lines file, plain or gzipped, with `splits.json` and `images/` beside it.

    Reads our own `Recipe.to_json` as well as the lines of other data sets.
    """
    splits = _splits(path.parent / "splits.json", scope)
    name = scope.name(path)
    with open_file(path) as stream:
        for number, line in _lines(stream):
            where = f"{name} line {number}"
            if line is None:
                scope.skipped.add("too large", where, f"a line over {base.LINE >> 20} MB")
                continue
            if not (text := decode(line).strip()):
                continue
            try:
                value = parse(text)
            except BrokenJson as error:
                scope.skipped.add(error.reason, where, str(error))
                continue
            if not isinstance(value, dict):
                scope.skipped.add("not an object", where)
                continue
            # A line may wrap its recipe (JSON-LD's @graph); one that holds none is counted for what it lacks.
            for data in list(fields.recipes_in(value)) or [value]:
                split = splits.get(fields.text(data, "id"))
                yield RawRecipe(data, where, folder=path.parent, split=split)


def _lines(stream: Any) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines, None for one past the limit; memory never holds more than the limit."""
    number = 0
    while line := stream.readline(base.LINE + 1):
        number += 1
        check_deadline()
        if line == b"\n":  # thousands of empty lines at a time: few bytes of a packed file can be millions
            held = stream.peek(1)
            empty = held[: len(held) - len(held.lstrip(b"\n"))]
            number += len(empty)
            stream.read(len(empty))
        elif len(line) <= base.LINE:
            yield number, line
        else:
            while line and not line.endswith(b"\n"):
                line = stream.readline(base.LINE)
            yield number, None


def _splits(path: Path, scope: Scope) -> dict[str, str]:
    """Recipe id -> name of its split, from {"train": [ids], ...}; empty without such a file."""
    if not path.is_file():
        return {}
    problem = "not an object of lists of ids"
    try:
        text = document(path, scope, base.DOCUMENT)
        table = parse(text) if text is not None else {}
    except (OSError, BrokenJson) as error:
        table, problem = None, str(error)
    if not isinstance(table, dict) or not all(isinstance(ids, list) for ids in table.values()):
        scope.skipped.notes.add("splits not read", scope.name(path), problem)
        return {}
    return {str(id): str(split) for split, ids in table.items() for id in ids}


def elements(stream: BinaryIO, limit: int = base.LINE) -> Iterator[Any]:
    """The elements of the JSON array in `stream`, in order, holding at most about `limit` characters.

    Raises BrokenJson where the text ends early, is not JSON or has an element past the limit: all that
    came before has been yielded by then.
    """
    buffer = _Buffer(stream)
    if not buffer.skip("["):
        raise BrokenJson("not JSON", "no array of recipes")
    count = 0
    while not buffer.skip("]"):
        if count and not buffer.skip(","):
            raise buffer.broken(count)
        yield buffer.value(limit, count)
        count += 1


class _Buffer:
    """The part of the text that is not used up yet. Decoding starts over when a value was cut off, so
    each refill doubles the text held: the work stays linear in the size of the file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")(FALLBACK).decode
        self._scan = json.JSONDecoder(strict=False).raw_decode
        self._text = ""
        self._at = 0
        self._ended = False

    def skip(self, mark: str) -> bool:
        """Skip white space, and `mark` if it comes next."""
        while True:
            spaces = _SPACE.match(self._text, self._at)
            self._at = spaces.end() if spaces else self._at
            if self._at < len(self._text):
                break
            if not self._refill():
                return False
        if not self._text.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def value(self, limit: int, count: int) -> Any:
        self.skip("")
        while True:
            if len(self._text) - self._at > _CHUNK and base.has_too_many_values(self._text[self._at :]):
                detail = f"more than {base.VALUES:,} values, after {count} recipes; the rest was not read"
                raise BrokenJson("too large", detail)
            try:
                value, end = self._scan(self._text, self._at)
            except RecursionError:
                raise BrokenJson("not JSON", f"nested too deeply, after {count} recipes") from None
            except ValueError as error:
                if not self._is_cut(error):
                    raise BrokenJson("not JSON", f"after {count} recipes; the rest was not read") from error
                if len(self._text) - self._at > limit:
                    detail = f"no end within {limit >> 20} MB, after {count} recipes; the rest was not read"
                    raise BrokenJson("too large", detail) from None
                if not self._refill():
                    raise _cut_short(count) from error
                continue
            # A number may continue in the next chunk: "1" of "12", "10" of "10." and of "10e+".
            if isinstance(value, int | float) and len(self._text) - end < 3 and self._refill():
                continue
            self._at = end
            return value

    def _is_cut(self, error: ValueError) -> bool:
        """Whether the text held is not wrong, only incomplete."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        # An open string is reported at its start, anything else within a few characters of the end.
        return error.msg.startswith("Unterminated") or error.pos > len(self._text) - 12

    def broken(self, count: int) -> BrokenJson:
        """What to raise where neither a comma nor the end of the array comes next."""
        if self._at == len(self._text):
            return _cut_short(count)
        return BrokenJson("not JSON", f"after {count} recipes; the rest was not read")

    def _refill(self) -> bool:
        """Hold more text; False at the end of the file."""
        if self._ended:
            return False
        rest = self._text[self._at :]
        data = self._stream.read(max(_CHUNK, len(rest)))
        self._ended = not data
        self._text = rest + self._decode(data, final=self._ended)
        self._at = 0
        return True


def _cut_short(count: int) -> BrokenJson:
    return BrokenJson("cut short", f"the file ends in the middle, after {count} recipes")
