"""Table: the content of a table, before it is formatted as HTML, LaTeX or CSV; Value: one figure in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Literal

from chef.measure.ranks import Scores

Kind = Literal["model", "control", "paper"]


@dataclass(frozen=True)
class Value:
    """The figure of each run. `ci` is its confidence interval over queries, for a single run only."""

    values: tuple[float, ...]
    ci: Sequence[float] | None = None
    digits: int = 1

    @classmethod
    def of(cls, scores: Iterable[Scores | None], metric: str, digits: int = 1) -> Value | None:
        """The metric in the scores of several runs; None where no run has it.

        >>> Value.of([Scores(values={"R@1": 40.0}), Scores(values={"R@1": 42.0})], "R@1").text
        '41.0 ± 1.4'
        """
        having = [one for one in scores if one is not None and metric in one.values]
        if not having:
            return None
        ci = (having[0].ci or {}).get(metric) if len(having) == 1 else None
        return cls(tuple(one[metric] for one in having), ci, digits)

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def sd(self) -> float | None:
        """The sample standard deviation over runs; None for a single run."""
        return stdev(self.values) if len(self.values) > 1 else None

    @property
    def shown(self) -> str:
        return self.number(self.mean)

    @property
    def spread(self) -> str:
        """What is printed beside the figure: the sd of several runs, or the interval of one."""
        if self.sd is not None:
            return f"± {self.number(self.sd)}"
        return f"[{self.number(self.ci[0])}, {self.number(self.ci[1])}]" if self.ci else ""

    @property
    def ends(self) -> tuple[float, float]:
        """One sd around the mean of several runs, or the interval of one."""
        if self.sd is not None:
            return self.mean - self.sd, self.mean + self.sd
        low, high = self.ci or (self.mean, self.mean)
        return low, high

    @property
    def text(self) -> str:
        return f"{self.shown} {self.spread}".rstrip()

    @property
    def runs(self) -> str:
        """The figure of every run."""
        return ", ".join(self.number(value) for value in self.values)

    def number(self, value: float) -> str:
        return f"{value:,.{self.digits}f}".replace("-", "−")


Cell = Value | str | None


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


def metric_columns(
    metrics: Sequence[str], groups: Iterable[str] = ("",), paper: str | None = None
) -> list[Column]:
    """The same metrics under each heading; `paper` is that of the paper's figures. A low medR is good."""
    return [
        Column(metric, group, "low" if metric == "medR" else "high", group == paper)
        for group in groups
        for metric in metrics
    ]


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

    @property
    def is_grouped(self) -> bool:
        return any(column.group for column in self.columns)

    def opens_group(self, place: int) -> bool:
        """Whether a line is drawn to the left of a column."""
        changes = place == 0 or self.columns[place].group != self.columns[place - 1].group
        return self.is_grouped and changes

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
