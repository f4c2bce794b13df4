"""The package's own small tables: tab-separated, with comment lines that start with #."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files


def rows(name: str) -> Iterator[list[str]]:
    """The rows of a table in `resources/`, without comments.

    >>> next(rows("units.tsv"))[:3]
    ['gram', 'mass', '1']
    """
    text = (files("chef.text") / "resources" / name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
