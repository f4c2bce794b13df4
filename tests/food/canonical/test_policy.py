"""What the program decides alone."""

from __future__ import annotations

from chef.food.canonical.decisions import ACCEPT, KEEP, PROGRAM, REJECT, Decision
from chef.food.canonical.policy import QUALIFIER, decide
from chef.food.canonical.propose import Proposal

PROPOSALS = [
    Proposal("butter", "unsalted butter", 9, 5, 3.0, ("qualifier",)),
    Proposal("rice", "wild rice", 9, 5, 3.0, ("qualifier",)),
    Proposal("butter", "buttermilk", 9, 4, 3.0, ("food: Butter", "vectors: 0.80")),
]


def test_only_qualifiers_are_accepted() -> None:
    made = list(decide(PROPOSALS))
    assert [(item.a, item.b) for item in made] == [("butter", "unsalted butter"), ("rice", "wild rice")]
    assert {(item.verdict, item.who, item.reason) for item in made} == {(ACCEPT, PROGRAM, QUALIFIER)}


def test_what_is_decided_already_stays() -> None:
    kept = Decision("wild rice", "", KEEP, PROGRAM, "read")
    rejected = Decision("unsalted butter", "butter", REJECT, PROGRAM, "read")
    assert list(decide(PROPOSALS, [kept, rejected])) == []
