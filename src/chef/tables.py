"""The package's own tables: tab-separated text, with comment lines that start with #."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def rows(package: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a file in the `tables` folder of a package, without comments; read once.

    >>> rows("chef.food", "units.tsv")[0][:3]
    ('gram', 'mass', '1')
    """
    text = (files(package) / "tables" / name).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(tuple(line.split("\t")) for line in lines)
