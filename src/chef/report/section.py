"""Section: a part of the page, and the findings it adds to the summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from markupsafe import Markup

from chef.report.gap import Rivals, Verdict, against, overall
from chef.report.names import shown
from chef.report.table import Table

Outcome = Literal["holds", "does not hold", "not settled", "not tested"]


@dataclass(frozen=True)
class Finding:
    """A claim of the paper about a model, and what the figures say about it."""

    model: str
    claim: str
    outcome: Outcome
    evidence: str

    def unless(self, untested: str | None) -> Finding:
        """The same, or "not tested" for this reason; see `Study.untested`."""
        said = f"Its figures are no test, because {untested}. {self.evidence}"
        return replace(self, outcome="not tested", evidence=said) if untested else self


@dataclass(frozen=True)
class Figure:
    """A picture: `html` is drawn already, `caption` is plain text."""

    html: Markup
    caption: str
    wide: bool = False


@dataclass(frozen=True)
class Folded:
    """Something for those who want it: shown when the reader opens it."""

    summary: str
    blocks: Sequence[Table | Figure]


Block = Table | Figure | Folded


@dataclass(frozen=True)
class Section:
    """`name` is that of the anchor, `lead` the first paragraph: what is asked here."""

    name: str
    title: str
    lead: str
    blocks: Sequence[Block]
    findings: Sequence[Finding] = field(default_factory=tuple)

    @property
    def tables(self) -> list[Table]:
        """All tables, folded ones too."""
        inside = [
            one for block in self.blocks for one in (block.blocks if isinstance(block, Folded) else [block])
        ]
        return [one for one in inside if isinstance(one, Table)]


def outcome(verdict: Verdict) -> Outcome:
    """What "first is above second" comes to."""
    outcomes: dict[Verdict, Outcome] = {"above": "holds", "below": "does not hold", "open": "not settled"}
    return outcomes[verdict]


def better_than_without(model: str, does: str, ways: Mapping[str, Rivals]) -> Finding:
    """Whether a model with a tree over the ingredients is above all models without, in every way compared."""
    every = {f"{way} {other}": gaps for way, rivals in ways.items() for other, gaps in rivals.items()}
    evidence = " ".join(against(f"{way}: it", rivals) for way, rivals in ways.items())
    claim = f"{shown(model)}, with a tree over the ingredients, {does} better than models without"
    return Finding(model, claim, outcome(overall(every)), evidence)
