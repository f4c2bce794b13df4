"""Step 3 of the canonical ingredients: a person accepts or rejects the proposals (paper, Sec. 4.1).

Only the logic: which proposal is next, what a key does, what the screen says. Each decision is in the
decisions file before the next question, so the review can stop at any moment and resume another day.
"""

from collections.abc import Iterable
from pathlib import Path

from chef.food.canonical import merge
from chef.food.canonical.propose import Proposal

HELP = "y one ingredient   n two   s skip   u undo   q quit"
_NEIGHBOURS = 6


class Review:
    """A review that resumes where the decisions file ends.

    >>> review = Review(proposals, Path("decisions.tsv"))      # doctest: +SKIP
    >>> review.press("y")
    """

    def __init__(self, proposals: Iterable[Proposal], path: Path) -> None:
        self._proposals = list(proposals)
        self._path = path
        self._skipped: list[int] = []  # in this session only: a skipped one is asked again next time
        self._decisions = merge.read_decisions(path)
        self._synonyms = merge.Synonyms(self._decisions)
        self.message = ""

    @property
    def current(self) -> Proposal | None:
        """The next proposal to decide; None when all are decided."""
        skipped = set(self._skipped)
        left = (item for number, item in enumerate(self._proposals) if number not in skipped)
        return next((item for item in left if not self._synonyms.is_settled(item.a, item.b)), None)

    @property
    def done(self) -> int:
        """How many proposals need no question any more."""
        return sum(self._synonyms.is_settled(proposal.a, proposal.b) for proposal in self._proposals)

    def press(self, pressed: str) -> bool:
        """Do what a key says; False when the person wants to stop."""
        self.message = ""
        proposal = self.current
        if pressed == "q":
            return False
        if pressed == "u":
            self._undo()
        elif proposal is not None and pressed == "y":
            if rejected := self._synonyms.forbidden(proposal.a, proposal.b):
                names = f"{rejected.a} and {rejected.b}"
                self.message = (
                    f"not merged: {names} were rejected and would be one; undo that first, or press n"
                )
            else:
                self._record(merge.Decision(proposal.a, proposal.b, merge.ACCEPT, merge.PERSON, "review"))
        elif proposal is not None and pressed == "n":
            self._record(merge.Decision(proposal.a, proposal.b, merge.REJECT, merge.PERSON, "review"))
        elif proposal is not None and pressed == "s":
            self._skipped.append(self._proposals.index(proposal))
        else:
            self.message = HELP
        return True

    def _record(self, decision: merge.Decision) -> None:
        merge.append_decision(self._path, decision)
        self._decisions.append(decision)
        self._synonyms = merge.Synonyms(self._decisions)

    def _undo(self) -> None:
        """Take back the last thing: a skip of this session, else the last decision of a person."""
        if self._skipped:
            self._skipped.pop()
            return
        mine = [decision for decision in self._synonyms.decided.values() if decision.who == merge.PERSON]
        if not mine:
            self.message = "nothing to undo"
            return
        last = mine[-1]
        self._record(merge.Decision(last.a, last.b, merge.UNDO, merge.PERSON, f"was {last.verdict}"))
        self.message = f"undone: {last.verdict} {last.a} | {last.b}"

    def screen(self) -> str:
        """What the person sees now."""
        proposal = self.current
        lines = [f"{self.done} of {len(self._proposals)} decided", ""]
        if proposal is None:
            left = "Only skipped proposals are left" if self._skipped else "All proposals are decided"
            lines.append(f"{left}: press q.")
        else:
            for name, count in ((proposal.a, proposal.count_a), (proposal.b, proposal.count_b)):
                others = {
                    item.b if item.a == name else item.a: item.score
                    for item in self._proposals
                    if item is not proposal and name in (item.a, item.b)
                }
                nearest = sorted(others.items(), key=lambda item: (-item[1], item[0]))[:_NEIGHBOURS]
                near = ", ".join(other for other, _ in nearest)
                lines.append(f"  {name}  ({count} lines){'   near: ' + near if near else ''}")
            lines += ["", "  because of " + "; ".join(proposal.reasons)]
        return "\n".join([*lines, "", self.message or HELP])
