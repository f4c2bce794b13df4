"""Table: what a table says, before it takes the form of HTML, LaTeX or CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from chef.report.value import Value

Cell = Value | str | None
Kind = Literal["model", "control", "paper"]


@dataclass(frozen=True)
class Column:
    """`group` is the heading over several columns; `best` says which end is good, None for neither."""

    label: str
    group: str = ""
    best: Literal["high", "low"] | None = None
    paper: bool = False  # the paper's own figures, from other data

    @property
    def arrow(self) -> str:
        return {"high": " ↑", "low": " ↓", None: ""}[self.best]


@dataclass(frozen=True)
class Row:
    label: str
    cells: Sequence[Cell]
    kind: Kind = "model"


@dataclass(frozen=True)
class Block:
    """Rows under a heading of their own; best figures are found within a block."""

    heading: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Table:
    """`name` is the file's name; `says` are the sentences under the table."""

    name: str
    title: str
    caption: str
    columns: Sequence[Column]
    blocks: Sequence[Block]
    says: Sequence[str] = field(default_factory=tuple)
    stub: str = "Model"  # the heading over the row labels

    def groups(self) -> Iterator[tuple[str, int, bool]]:
        """(heading, columns under it, the paper's or not), left to right."""
        start = 0
        for place in range(1, len(self.columns) + 1):
            if place == len(self.columns) or self.columns[place].group != self.columns[start].group:
                yield self.columns[start].group, place - start, self.columns[start].paper
                start = place

    def is_best(self, block: Block, place: int, row: Row) -> bool:
        """Whether a model has the best figure of its column; never said where one model stands alone."""
        column, mine = self.columns[place], row.cells[place]
        if column.best is None or column.paper or row.kind != "model" or not isinstance(mine, Value):
            return False
        others = [
            cell.mean
            for other in block.rows
            if other.kind == "model" and isinstance(cell := other.cells[place], Value)
        ]
        best = max(others) if column.best == "high" else min(others)
        return len(others) > 1 and mine.shown == mine.number(best)
