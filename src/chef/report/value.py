"""Value: one figure of a table, measured once or with several training seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any


@dataclass(frozen=True)
class Value:
    """The figure of each run. `ci` is its confidence interval over queries, for a single run only."""

    values: tuple[float, ...]
    ci: tuple[float, float] | None = None
    digits: int = 1

    @classmethod
    def of(cls, cells: Iterable[Mapping[str, Any]], metric: str, digits: int = 1) -> Value | None:
        """The metric in the cells of several runs; None where no cell has it.

        >>> Value.of([{"R@1": 40.0}, {"R@1": 42.0}], "R@1").text
        '41.0 ± 1.4'
        """
        having = [cell for cell in cells if cell.get(metric) is not None]
        if not having:
            return None
        ci = having[0].get("ci", {}).get(metric) if len(having) == 1 else None
        return cls(tuple(float(cell[metric]) for cell in having), tuple(ci) if ci else None, digits)

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
        """What stands beside the figure: the sd of several runs, or the interval of one."""
        if self.sd is not None:
            return f"± {self.number(self.sd)}"
        return f"[{self.number(self.ci[0])}, {self.number(self.ci[1])}]" if self.ci else ""

    @property
    def text(self) -> str:
        return f"{self.shown} {self.spread}".rstrip()

    def number(self, value: float) -> str:
        return f"{value:,.{self.digits}f}".replace("-", "−")
