"""Studies for the tests of the sections, and ways to look into what they say."""

from __future__ import annotations

from typing import Any

from chef.report.section import Section
from chef.report.study import Run, Study
from chef.report.table import Cell, Table
from chef.report.value import Value
from tests.report.made import comparison, result

MODELS = ("t+t+l", "s+l+l", "g+l+l-attention")


def study(
    models: tuple[str, ...] = MODELS, seeds: tuple[int, ...] = (0,), n: int = 1200, **changes: Any
) -> Study:
    """Every model with every seed; `changes` are put into every result."""
    runs = [Run(model, seed, result(model, seed, n=n) | changes) for seed in seeds for model in models]
    rows = [
        comparison(first, second) | {"seeds": [seed, seed]}
        for seed in seeds
        for place, first in enumerate(models)
        for second in models[place + 1 :]
    ]
    return Study("kitchen", "test", n, tuple(runs), tuple(rows))


def table(section: Section | None, name: str) -> Table:
    assert section is not None
    (found,) = [one for one in section.tables if one.name == name]
    return found


def row(found: Table, label: str, block: int = 0) -> list[Cell]:
    (cells,) = [list(one.cells) for one in found.blocks[block].rows if one.label == label]
    return cells


def figures(cells: list[Cell]) -> list[float]:
    """The means of a row; None and text are left out."""
    return [cell.mean for cell in cells if isinstance(cell, Value)]
