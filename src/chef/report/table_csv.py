"""A table as CSV: plain numbers, the spread of each figure in columns of its own."""

from __future__ import annotations

import csv
import io

from chef.report.table import Cell, Table
from chef.report.value import Value


def table_csv(table: Table) -> str:
    """One line a row. A column "R@1" is followed by "R@1 sd", "R@1 low", "R@1 high" where rows have them."""
    cells = [[row.cells[place] for block in table.blocks for row in block.rows] for place in _places(table)]
    extras = [[name for name in _EXTRAS if any(_extra(cell, name) for cell in column)] for column in cells]
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n").writerow
    head = ["block", table.stub.lower(), "kind"]
    for column, names in zip(table.columns, extras, strict=True):
        label = f"{column.group}: {column.label}" if column.group else column.label
        head += [label, *(f"{label} {name}" for name in names)]
    write(head)
    for block in table.blocks:
        for row in block.rows:
            line = [block.heading, row.label, row.kind]
            for cell, names in zip(row.cells, extras, strict=True):
                line += [_plain(cell), *(_extra(cell, name) for name in names)]
            write(line)
    return file.getvalue()


_EXTRAS = ("sd", "low", "high", "runs")


def _places(table: Table) -> range:
    return range(len(table.columns))


def _plain(cell: Cell) -> str:
    return _number(cell.mean) if isinstance(cell, Value) else cell or ""


def _extra(cell: Cell, name: str) -> str:
    if not isinstance(cell, Value):
        return ""
    if name == "runs":
        return " ".join(_number(value) for value in cell.values) if cell.sd is not None else ""
    found = {"sd": cell.sd, "low": cell.ci and cell.ci[0], "high": cell.ci and cell.ci[1]}[name]
    return "" if found is None else _number(found)


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
