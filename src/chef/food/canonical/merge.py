"""Step 3's result: the accepted merges made one map, the rejected pairs kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chef.food.canonical.ambiguous import AMBIGUOUS
from chef.food.canonical.census import Group, focus, groups
from chef.food.canonical.decisions import ACCEPT, DROP, KEEP, PERSON, REJECT, Decision, in_force
from chef.food.canonical.map import CanonicalMap, Entry, token_of
from chef.text.keys import key

_COMMON = 0.1  # of the most frequent name of a set
_RARE = 5  # lines


@dataclass(frozen=True, slots=True)
class Conflict:
    """An accepted merge that was not made: through others it would join a rejected pair."""

    merge: Decision
    rejected: Decision

    def __str__(self) -> str:
        return (
            f"{self.merge.a!r} and {self.merge.b!r} stay apart although accepted: "
            f"{self.rejected.a!r} and {self.rejected.b!r} are rejected"
        )


class Classes:
    """Sets of names that are one ingredient; a rejected pair never meets in one set.

    Rejections come first, then a person's merges, then the program's, each in the order of the file.
    `conflicts` holds the merges that a rejection forbade.
    """

    def __init__(self, decisions: Iterable[Decision] = ()) -> None:
        self._parent: dict[str, str] = {}
        # For each set, the sets it must never join, and the decision that says so.
        self._apart: dict[str, dict[str, Decision]] = {}
        self.conflicts: list[Conflict] = []
        held = in_force(decisions).values()
        for decision in held:
            if decision.verdict == REJECT:
                self.part(decision)
        for decision in sorted(held, key=lambda decision: decision.who != PERSON):
            if decision.verdict == ACCEPT and (rejected := self.join(key(decision.a), key(decision.b))):
                self.conflicts.append(Conflict(decision, rejected))

    def part(self, decision: Decision) -> None:
        """Keep the two names of a rejection apart from now on."""
        first, second = self.find(key(decision.a)), self.find(key(decision.b))
        if first != second:
            self._apart.setdefault(first, {})[second] = decision
            self._apart.setdefault(second, {})[first] = decision

    def find(self, name: str) -> str:
        """The key that stands for the set of a key."""
        root = name
        while (above := self._parent.get(root, root)) != root:
            root = above
        while name != root:
            self._parent[name], name = root, self._parent.get(name, name)
        return root

    def forbidden(self, first: str, second: str) -> Decision | None:
        """The rejection that keeps the sets of two keys apart, if any."""
        return self._apart.get(self.find(first), {}).get(self.find(second))

    def join(self, first: str, second: str) -> Decision | None:
        """Make two sets one; the rejection that forbids it, if any, is given back and nothing changes."""
        if forbidden := self.forbidden(first, second):
            return forbidden
        first, second = self.find(first), self.find(second)
        if first == second:
            return None
        self._parent[second] = first
        mine = self._apart.setdefault(first, {})
        for other, decision in self._apart.pop(second, {}).items():
            theirs = self._apart[other]
            theirs.pop(second)
            theirs.setdefault(first, decision)
            mine.setdefault(other, decision)
        return None


def build_map(
    counts: Mapping[str, int], decisions: Iterable[Decision], *, share: float = 0.95, minimum: int = 5
) -> tuple[CanonicalMap, list[Conflict]]:
    """The map of counted names and decisions, and the merges that rejections forbade.

    Kept are the names behind `share` of all occurrences, none rarer than `minimum` (such are slips of the
    pen and of the parser), and every name that was merged or kept by a decision; the token is the name
    used most in a set.
    """
    decisions = list(decisions)
    classes = Classes(decisions)
    held = in_force(decisions)
    counts = dict(counts) | {name: 0 for name in _decided(held.values()) if name not in counts}
    accepted = [decision for decision in held.values() if decision.verdict == ACCEPT]
    dropped = {key(decision.a) for decision in held.values() if decision.verdict == DROP}
    found = [group for group in groups(counts) if group.key not in dropped]
    decided: dict[str, Decision] = {}  # the first merge of each name
    for decision in accepted:
        for name in decision.pair:
            decided.setdefault(name, decision)
    kept = {group.key for group in focus(found, share, minimum)} | decided.keys()
    kept |= {key(decision.a) for decision in held.values() if decision.verdict == KEEP}
    entries = _entries([group for group in found if group.key in kept], counts, classes, decided)
    return CanonicalMap(entries), classes.conflicts


def _decided(held: Iterable[Decision]) -> Iterator[str]:
    """The names of accepted merges; the recipes at hand need not have them."""
    for decision in held:
        if decision.verdict == ACCEPT:
            yield decision.a
            yield decision.b


def _entries(
    kept: list[Group], counts: Mapping[str, int], classes: Classes, decided: Mapping[str, Decision]
) -> Iterable[Entry]:
    heads = Counter(key(decision.a) for decision in decided.values())
    sets: dict[str, list[Group]] = {}
    for group in kept:
        sets.setdefault(classes.find(group.key), []).append(group)
    for members in sets.values():
        first = _leader(members, heads)
        token = token_of(first.name)
        for group in members:
            how = "form" if group is first else decided[group.key].reason
            for name in group.names:
                yield Entry(token, name, counts[name], "name" if name == first.name else how)


def _leader(members: list[Group], heads: Mapping[str, int]) -> Group:
    """The group whose name is most often used: "white sugar" and "cane sugar" also say sugar.

    A name that is rare by itself, or ambiguous, does not profit from longer ones: yolks, pepper. Where
    all are rare the counts are chance, and the name that the decisions merge others into leads.
    """
    most = max(group.count for group in members)
    if most < _RARE:
        return max(members, key=lambda group: (heads[group.key], group.count, group.name))

    def uses(group: Group) -> tuple[int, int, str]:
        if group.key in AMBIGUOUS or group.count < _COMMON * most:
            return group.count, -len(group.key), group.name
        tail = " " + group.key
        longer = sum(item.count for item in members if item.key.endswith(tail))
        return group.count + longer, -len(group.key), group.name

    return max(members, key=uses)
