"""Decisions on merges: a plain table, appended line by line so that no decision is ever lost."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from chef.errors import ChefError
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
    return {
        pair: decision
        for (pair, who), decision in last.items()
        if who == PERSON or (pair, PERSON) not in last
    }
