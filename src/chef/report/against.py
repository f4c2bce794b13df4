"""One model against several others or against its controls, in words that the intervals allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.report.gap import Gap, Verdict, describe, settle
from chef.report.names import listed

WORDS: dict[Verdict, str] = {"above": "above", "below": "below", "open": "not told apart from"}
MANY = 6  # rivals that a sentence can give figures of
Rivals = Mapping[str, Sequence[Gap]]  # the name of each rival; subject minus rival, one gap a run


def against(subject: str, rivals: Rivals) -> str:
    """A sentence about all rivals; of many, only who they are, for a list of numbers is a table.

    >>> against("The tree", {"a random one": [Gap(8, 5, 11)], "the first listed": [Gap(-9, -12, -6)]})
    'The tree is above a random one (+8.0 [+5.0, +11.0]) and below the first listed (−9.0 [−12.0, −6.0]).'
    """
    parts = []
    for verdict, word in WORDS.items():
        found = [_told(name, gaps, rivals) for name, gaps in rivals.items() if settle(gaps) == verdict]
        if found:
            parts.append(f"{word} {listed(found)}")
    return f"{subject} is {listed(parts)}."


def _told(name: str, gaps: Sequence[Gap], rivals: Rivals) -> str:
    return f"{name} ({describe(gaps)})" if len(rivals) <= MANY else name


def overall(rivals: Rivals) -> Verdict:
    """Above where it is above all, below where it is below any, else open."""
    found = {settle(gaps) for gaps in rivals.values()}
    return "below" if "below" in found else "above" if found == {"above"} else "open"


def beats(rivals: Rivals) -> str:
    """What `overall` comes to when the rivals are controls."""
    said: dict[Verdict, str] = {
        "above": "beats every control",
        "below": "does not beat every control",
        "open": "is not shown to beat every control",
    }
    return said[overall(rivals)]
