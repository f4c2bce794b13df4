"""Text files: those of old programs by their first lines, everything else as people write recipes down."""

from collections.abc import Iterator
from pathlib import Path

from chef.readers import base, fields, old_programs, plain_text
from chef.readers.base import RawRecipe, Scope, content

SUFFIXES = (".txt", ".text", ".mmf", ".mm", ".mxp", ".rk", ".rez", ".nyc")


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one file."""
    data = content(path, scope, base.PAGE)
    if data is None:
        return
    text = old_programs.decode(data)
    reader = next(
        (read for _, begins, read in old_programs.PROGRAMS if begins.search(text)), plain_text.recipes
    )
    yield from fields.of_file(reader(text), path, scope)
