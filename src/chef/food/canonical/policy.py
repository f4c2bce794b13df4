"""What the program decides by itself: only merges that no cook would argue about.

Everything else is left to a person. The shipped decisions hold this rule's decisions and others that
were made by reading the names; the reason of each says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from chef.food.canonical.decisions import ACCEPT, PROGRAM, REJECT, Decision, in_force
from chef.food.canonical.merge import Classes
from chef.food.canonical.propose import Proposal
from chef.text.keys import key

QUALIFIER = "rule: qualifier"


def decide(proposals: Iterable[Proposal], decisions: Sequence[Decision] = ()) -> Iterator[Decision]:
    """Accept what differs by a qualifier only: "unsalted butter" is butter, "ripe bananas" are bananas.

    A longer name that other decisions already place stays where it is, and so do rejected pairs.
    """
    placed = {
        name
        for decision in in_force(decisions).values()
        if decision.verdict != REJECT
        for name in decision.pair
    }
    classes = Classes(decisions)
    for proposal in proposals:
        if not any(reason.startswith("qualifier") for reason in proposal.reasons):
            continue
        longer, shorter = sorted((proposal.a, proposal.b), key=lambda name: -len(name.split()))
        if key(longer) not in placed and classes.join(key(shorter), key(longer)) is None:
            yield Decision(shorter, longer, ACCEPT, PROGRAM, QUALIFIER)
