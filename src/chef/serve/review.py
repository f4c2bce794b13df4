"""The canonical review on the page: the same proposals and decisions files as `chef canonical review`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from chef.food.canonical.merge import (
    ACCEPT,
    PERSON,
    UNDO,
    Decision,
    Synonyms,
    append_decision,
    read_decisions,
)
from chef.food.canonical.propose import Proposal, propose, read_proposals, write_proposals
from chef.serve.errors import Refusal
from chef.text.keys import key

if TYPE_CHECKING:
    from chef.index import Index

_SHARE = 0.95  # of all ingredient lines: only names that cover this share are reviewed, as in the paper


class Review:
    """The proposals of one folder and the decisions on them.

    The folder contains `proposals.tsv` and `decisions.tsv`. Missing proposals are made from the collection's
    own recipes, without word vectors, which a service does not train.
    """

    def __init__(self, folder: Path, index: Index) -> None:
        self._decisions = folder / "decisions.tsv"
        file = folder / "proposals.tsv"
        if not file.exists():
            from chef.food.canonical.propose import count_names, group_names, most_frequent
            from chef.food.units import usda_name
            from chef.text.lines import with_names

            folder.mkdir(parents=True, exist_ok=True)
            counts = count_names(with_names(entry.recipe) for entry in index.entries())
            groups = group_names(counts)
            write_proposals(file, groups, counts, propose(most_frequent(groups, _SHARE), food_of=usda_name))
        _, self._proposals = read_proposals(file)
        self._pairs = {(item.a, item.b) for item in self._proposals}

    def undecided(self) -> list[Proposal]:
        """The proposals that no decision settles yet, the strongest first."""
        synonyms = Synonyms(read_decisions(self._decisions))
        return [item for item in self._proposals if not synonyms.is_settled(item.a, item.b)]

    @property
    def total(self) -> int:
        return len(self._proposals)

    def decide(self, a: str, b: str, verdict: str) -> None:
        """Store a person's decision on a proposal; it is on disk when this returns."""
        if (a, b) not in self._pairs:
            raise Refusal(404, "no such proposal")
        synonyms = Synonyms(read_decisions(self._decisions))
        if verdict == ACCEPT and (rejected := synonyms.forbidden(a, b)):
            raise Refusal(
                409,
                f"that would also merge {rejected.a} and {rejected.b}, which were rejected; undo that first",
            )
        if verdict == UNDO and frozenset((key(a), key(b))) not in synonyms.decided:
            raise Refusal(409, f"there is no decision on {a} and {b}")
        append_decision(self._decisions, Decision(a, b, verdict, PERSON, "page"))
