"""Gap: the difference of two figures, and the sentences that its interval supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from chef.measure.bootstrap import PairedTest
from chef.report.names import listed

Verdict = Literal["above", "below", "open"]
WORDS: dict[Verdict, str] = {"above": "above", "below": "below", "open": "not distinguishable from"}
MANY = 6  # rivals whose figures fit into a sentence
# How a run stands to zero, for the tallies of several runs.
_SIDES: dict[Verdict, str] = {"above": "above zero", "below": "below zero", "open": "across zero"}


Rivals = Mapping[str, Sequence["Gap"]]  # by name; model minus rival, one gap for each run


@dataclass(frozen=True)
class Gap:
    """First minus second in percentage points, in one run, with the 95 % interval of the difference."""

    difference: float
    low: float
    high: float

    @classmethod
    def paired(cls, test: PairedTest) -> Gap:
        return cls(test.difference, *test.ci)

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
    verdicts = {gap.verdict for gap in gaps}
    return verdicts.pop() if len(verdicts) == 1 else "open"


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
    """With a visible sign: '+1.4', '−0.3'; what rounds to zero is '0.0'."""
    text = f"{number:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def against(subject: str, rivals: Rivals) -> str:
    """A sentence about all rivals; many are only named, because a list of numbers is a table.

    >>> against("The tree", {"a random one": [Gap(8, 5, 11)], "the first listed": [Gap(-9, -12, -6)]})
    'The tree is above a random one (+8.0 [+5.0, +11.0]) and below the first listed (−9.0 [−12.0, −6.0]).'
    """
    parts = []
    for verdict, word in WORDS.items():
        names = [
            f"{name} ({describe(gaps)})" if len(rivals) <= MANY else name
            for name, gaps in rivals.items()
            if settle(gaps) == verdict
        ]
        if names:
            parts.append(f"{word} {listed(names)}")
    return f"{subject} is {listed(parts)}."


def overall(rivals: Rivals) -> Verdict:
    """Above if it is above all, below if it is below any, else open."""
    verdicts = {settle(gaps) for gaps in rivals.values()}
    return "below" if "below" in verdicts else "above" if verdicts == {"above"} else "open"


def beats(rivals: Rivals, untested: str | None = None) -> str:
    """What `overall` means when the rivals are controls; `untested`: why it means nothing."""
    if untested:
        return f"is no test of what trees learn, because {untested}"
    words: dict[Verdict, str] = {
        "above": "beats every control",
        "below": "does not beat every control",
        "open": "is not shown to beat every control",
    }
    return words[overall(rivals)]
