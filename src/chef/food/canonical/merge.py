"""Step 3 of the canonical ingredients: decisions on merges, and the map that they make (paper, Sec. 4.1).

Decisions are a plain table, appended line by line so that none is ever lost; rejected pairs stay apart.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chef.errors import ChefError
from chef.food import AMBIGUOUS
from chef.food.canonical.map import CanonicalMap, Entry, token_of
from chef.food.canonical.propose import NameGroup, Proposal, group_names, most_frequent
from chef.text.keys import key

ACCEPT, REJECT, KEEP, DROP, UNDO = "accept", "reject", "keep", "drop", "undo"
VERDICTS = (ACCEPT, REJECT, KEEP, DROP, UNDO)
PERSON, PROGRAM = "person", "program"
_HEADER = "a\tb\tverdict\twho\treason"

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided on two names: accept (one ingredient), reject (never one), undo (take it back).

    Two verdicts concern one name, `b` is empty: keep (an ingredient, however rare), drop (none at all).
    """

    a: str
    b: str
    verdict: str
    who: str
    reason: str

    @property
    def pair(self) -> Pair:
        """The keys, unordered: the decision applies to all spellings of the names."""
        return frozenset((key(self.a), key(self.b)) if self.b else (key(self.a),))

    def line(self) -> str:
        """The decision as one line of the table."""
        return "\t".join((self.a, self.b, self.verdict, self.who, self.reason)) + "\n"


def read_decisions(path: Path) -> list[Decision]:
    """All lines of a decisions file in order; a file that does not exist yet has none.

    A last line without a line end was being written when the program was killed: it is ignored.
    """
    if not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, IsADirectoryError) as error:
        raise ChefError(f"{path} is not a decisions file", "give a file that chef canonical wrote") from error
    lines = text.split("\n")
    lines.pop()  # what follows the last line end: nothing, or half a line
    if not lines:
        return []
    if lines[0] != _HEADER:
        raise ChefError(f"{path} is not a decisions file", f"its first line must be {_HEADER!r}")
    rows = [line.split("\t") for line in lines[1:]]
    for number, cells in enumerate(rows, start=2):
        if len(cells) != 5 or cells[2] not in VERDICTS or cells[3] not in (PERSON, PROGRAM) or not cells[0]:
            raise ChefError(
                f"{path}, line {number}: not two names, a verdict, who and a reason",
                f"verdicts are {', '.join(VERDICTS)}; who is {PERSON} or {PROGRAM}",
            )
    return [Decision(*cells) for cells in rows]


def append_decision(path: Path, decision: Decision) -> None:
    """Append one decision to the file; it is on the disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "r+b" if path.exists() else "x+b") as file:
        # Half a line that a killed program left would spoil the next one.
        content = file.read()
        whole = content.rfind(b"\n") + 1
        file.truncate(whole)
        file.seek(whole)
        start = "" if whole else _HEADER + "\n"
        file.write((start + decision.line()).encode())
        file.flush()
        os.fsync(file.fileno())


def table(decisions: Iterable[Decision]) -> str:
    """The text of a whole decisions file."""
    return _HEADER + "\n" + "".join(decision.line() for decision in decisions)


def in_force(decisions: Iterable[Decision]) -> dict[Pair, Decision]:
    """The decision in force for each pair: the last one in the file, a person's over the program's."""
    last: dict[tuple[Pair, str], Decision] = {}
    for decision in decisions:
        at = (decision.pair, decision.who)
        last.pop(at, None)
        if decision.verdict != UNDO:
            last[at] = decision
    held = (at for at in last if at[1] == PERSON or (at[0], PERSON) not in last)
    return {at[0]: last[at] for at in held}


QUALIFIER = "rule: qualifier"
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


class Synonyms:
    """Sets of names that are one ingredient (a union-find over keys); a rejected pair is never in one set.

    Rejections come first, then a person's merges, then the program's, each in the order of the file.
    `conflicts` lists the merges that a rejection forbade.
    """

    def __init__(self, decisions: Iterable[Decision] = ()) -> None:
        self._parent: dict[str, str] = {}
        # For each set, the sets it must never join, and the decision that says so.
        self._apart: dict[str, dict[str, Decision]] = {}
        self.conflicts: list[Conflict] = []
        self.decided = in_force(decisions)
        for decision in self.decided.values():
            if decision.verdict == REJECT:
                first, second = self.find(key(decision.a)), self.find(key(decision.b))
                if first != second:
                    self._apart.setdefault(first, {})[second] = decision
                    self._apart.setdefault(second, {})[first] = decision
        for decision in sorted(self.decided.values(), key=lambda decision: decision.who != PERSON):
            if decision.verdict == ACCEPT and (rejected := self.join(decision.a, decision.b)):
                self.conflicts.append(Conflict(decision, rejected))

    def find(self, key: str) -> str:
        """The key that stands for the set of a key."""
        root = key
        while (above := self._parent.get(root, root)) != root:
            root = above
        while key != root:
            self._parent[key], key = root, self._parent.get(key, key)
        return root

    def forbidden(self, a: str, b: str) -> Decision | None:
        """The rejection that keeps two names apart, if any."""
        return self._apart.get(self.find(key(a)), {}).get(self.find(key(b)))

    def is_settled(self, a: str, b: str) -> bool:
        """Whether two names need no question: decided on, or already one ingredient through other merges."""
        return frozenset((key(a), key(b))) in self.decided or self.find(key(a)) == self.find(key(b))

    def join(self, a: str, b: str) -> Decision | None:
        """Make two names one ingredient, unless a rejection forbids it, which is returned."""
        if forbidden := self.forbidden(a, b):
            return forbidden
        first, second = self.find(key(a)), self.find(key(b))
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


def decide(proposals: Iterable[Proposal], decisions: Sequence[Decision] = ()) -> Iterator[Decision]:
    """What the program decides by itself: only merges that no cook would argue about.

    It accepts what differs by a qualifier only: "unsalted butter" is butter, "ripe bananas" are bananas. A
    longer name that other decisions already place stays where it is, and so do rejected pairs. Everything
    else is left to a person. The shipped decisions contain those of this rule and others that were made by
    reading the names; the reason of each says which.
    """
    synonyms = Synonyms(decisions)
    placed = {
        name for pair, decision in synonyms.decided.items() if decision.verdict != REJECT for name in pair
    }
    for proposal in proposals:
        if not any(reason.startswith("qualifier") for reason in proposal.reasons):
            continue
        longer, shorter = sorted((proposal.a, proposal.b), key=lambda name: -len(name.split()))
        if key(longer) not in placed and synonyms.join(shorter, longer) is None:
            yield Decision(shorter, longer, ACCEPT, PROGRAM, QUALIFIER)


def build_map(
    counts: Mapping[str, int], decisions: Iterable[Decision], *, share: float = 0.95, minimum: int = 5
) -> tuple[CanonicalMap, list[Conflict]]:
    """The map of counted names and decisions, and the merges that rejections forbade.

    Kept are the names behind `share` of all occurrences, none rarer than `minimum` (those are mistakes of
    writers and of the parser), and every name that was merged or kept by a decision; the token is the name
    used most in a set.
    """
    synonyms = Synonyms(decisions)
    by_verdict: dict[str, list[Decision]] = {}
    for decision in synonyms.decided.values():
        by_verdict.setdefault(decision.verdict, []).append(decision)
    accepted = by_verdict.get(ACCEPT, [])
    # The recipes at hand need not have the names of the accepted merges.
    counts = {name: 0 for decision in accepted for name in (decision.a, decision.b)} | dict(counts)
    dropped = {key(decision.a) for decision in by_verdict.get(DROP, [])}
    groups = [group for group in group_names(counts) if group.key not in dropped]
    first_merge: dict[str, Decision] = {}
    for decision in accepted:
        for name in decision.pair:
            first_merge.setdefault(name, decision)
    kept = {group.key for group in most_frequent(groups, share, minimum)} | first_merge.keys()
    kept |= {key(decision.a) for decision in by_verdict.get(KEEP, [])}
    entries = _entries([group for group in groups if group.key in kept], counts, synonyms, first_merge)
    return CanonicalMap(entries), synonyms.conflicts


def _entries(
    kept: list[NameGroup], counts: Mapping[str, int], synonyms: Synonyms, first_merge: Mapping[str, Decision]
) -> Iterable[Entry]:
    heads = Counter(key(decision.a) for decision in first_merge.values())
    sets: dict[str, list[NameGroup]] = {}
    for group in kept:
        sets.setdefault(synonyms.find(group.key), []).append(group)
    for members in sets.values():
        leader = _leader(members, heads)
        token = token_of(leader.name)
        for group in members:
            how = "form" if group is leader else first_merge[group.key].reason
            for name in group.names:
                yield Entry(token, name, counts[name], "name" if name == leader.name else how)


def _leader(members: list[NameGroup], heads: Mapping[str, int]) -> NameGroup:
    """The group whose name is most often used: "white sugar" and "cane sugar" also say sugar.

    A name that is rare by itself, or ambiguous, does not profit from longer ones: yolks, pepper. Where
    all are rare the counts are chance, and the name that the decisions merge others into leads.
    """
    most = max(group.count for group in members)
    if most < _RARE:
        return max(members, key=lambda group: (heads[group.key], group.count, group.name))

    def uses(group: NameGroup) -> tuple[int, int, str]:
        if group.key in AMBIGUOUS or group.count < _COMMON * most:
            return group.count, -len(group.key), group.name
        longer = sum(item.count for item in members if item.key.endswith(" " + group.key))
        return group.count + longer, -len(group.key), group.name

    return max(members, key=uses)
