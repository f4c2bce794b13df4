"""Gap: how far apart two figures are, and what the intervals allow to be said about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

Verdict = Literal["above", "below", "open"]
# How a run stands to zero, for the tallies of several runs.
_SIDES: dict[Verdict, str] = {"above": "above zero", "below": "below zero", "open": "across zero"}


@dataclass(frozen=True)
class Gap:
    """First minus second in percent points, in one run, with the 95 % interval of the difference."""

    difference: float
    low: float
    high: float

    @classmethod
    def paired(cls, test: Mapping[str, Any]) -> Gap:
        """From a paired test {"difference", "ci"}."""
        return cls(test["difference"], *test["ci"])

    @property
    def turned(self) -> Gap:
        """Second minus first."""
        return Gap(-self.difference, -self.high, -self.low)

    @property
    def verdict(self) -> Verdict:
        return "above" if self.low > 0 else "below" if self.high < 0 else "open"

    @property
    def interval(self) -> str:
        return f"[{signed(self.low)}, {signed(self.high)}]"


def settle(gaps: Sequence[Gap]) -> Verdict:
    """Above or below only where the interval of every run says so."""
    found = {gap.verdict for gap in gaps}
    return found.pop() if len(found) == 1 else "open"


def describe(gaps: Sequence[Gap]) -> str:
    """The difference with its evidence; of several runs, on which side of zero their intervals are.

    >>> describe([Gap(3.2, 1.1, 5.3)])
    '+3.2 [+1.1, +5.3]'
    >>> describe([Gap(3.2, 1.1, 5.3), Gap(2.0, -0.5, 4.5)])
    '+2.6, 1 run above zero, 1 across zero'
    """
    if len(gaps) == 1:
        return f"{signed(gaps[0].difference)} {gaps[0].interval}"
    kinds = [gap.verdict for gap in gaps]
    counts = [(kinds.count(kind), side) for kind, side in _SIDES.items() if kind in kinds]
    if len(counts) == 1:
        said = f"{'both' if len(gaps) == 2 else f'all {len(gaps)}'} runs {counts[0][1]}"
    else:
        (first, side), *rest = counts
        said = f"{first} {'run' if first == 1 else 'runs'} {side}"
        said = ", ".join([said, *(f"{count} {side}" for count, side in rest)])
    return f"{signed(fmean(gap.difference for gap in gaps))}, {said}"


def signed(number: float) -> str:
    """With a sign that a reader sees: '+1.4', '−0.3'; what rounds to nothing is '0.0'."""
    text = f"{number:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")
