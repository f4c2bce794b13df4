"""JSON lines: one recipe per line, plain or gzipped, with `splits.json` and `images/` beside it.

Reads the layout of a folder with `recipes.jsonl`, lines of foreign data sets, and our own `Recipe.to_json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from chef.readers import fields, limits
from chef.readers.clean import decode
from chef.readers.files import document, open_file
from chef.readers.found import Found, Scope
from chef.readers.json_stream import BrokenJson, parse

SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


def read(path: Path, scope: Scope) -> Iterator[Found]:
    """The recipes of a file, a line at a time."""
    splits = _splits(path.parent / "splits.json", scope)
    name = scope.name(path)
    with open_file(path) as stream:
        for number, line in _lines(stream):
            yield from _line(line, f"{name} line {number}", path.parent, splits, scope)


def _line(
    line: bytes | None, where: str, folder: Path, splits: Mapping[str, str], scope: Scope
) -> Iterator[Found]:
    if line is None:
        scope.skipped.add("too large", where, f"a line over {limits.LINE >> 20} MB")
        return
    text = decode(line).strip()
    if not text:
        return
    try:
        value = parse(text)
    except BrokenJson as error:
        scope.skipped.add(error.reason, where, str(error))
        return
    if not isinstance(value, dict):
        scope.skipped.add("not an object", where)
        return
    # A line may wrap its recipe (JSON-LD's @graph); one that holds none is counted for what it lacks.
    for data in list(fields.recipes_in(value)) or [value]:
        yield Found(data, where, folder=folder, split=splits.get(fields.text(data, "id")))


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines, None for one past the limit; the memory never holds more than the limit."""
    number = 0
    while line := stream.readline(limits.LINE + 1):
        number += 1
        if len(line) <= limits.LINE:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limits.LINE)
        yield number, None


def _splits(path: Path, scope: Scope) -> dict[str, str]:
    """Recipe id -> name of its split, from {"train": [ids], ...}; empty without such a file."""
    if not path.is_file():
        return {}
    try:
        text = document(path, scope, limits.DOCUMENT)
        table = parse(text) if text is not None else {}
    except (OSError, BrokenJson) as error:
        scope.skipped.notes.add("splits not read", scope.name(path), str(error))
        return {}
    if not isinstance(table, dict) or not all(isinstance(ids, list) for ids in table.values()):
        scope.skipped.notes.add("splits not read", scope.name(path), "not an object of lists of ids")
        return {}
    return {str(id): str(split) for split, ids in table.items() for id in ids}
