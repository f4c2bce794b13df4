"""Text files: those of old programs by their first lines, everything else as people write recipes down."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from chef.readers import base, fields, lines, old_programs, plain_text
from chef.readers.base import RawRecipe, Scope, content

SUFFIXES = (".txt", ".text", ".mmf", ".mm", ".mxp", ".rk", ".rez", ".nyc")


def read(path: Path, scope: Scope) -> Iterator[RawRecipe]:
    """The recipes of one file."""
    data = content(path, scope, base.PAGE)
    if data is None:
        return
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = lines.decode(data) if is_wide else old_programs.decode(data)
    reader = next(
        (read for _, begins, read in old_programs.PROGRAMS if begins.search(text)), plain_text.recipes
    )
    yield from fields.of_file(reader(text), path, scope)
