"""What a reader could not use, and why."""

from __future__ import annotations

from chef.errors import ChefError

_EXAMPLES = 5  # kept per reason: enough to find the fault, little enough for millions of lines


class Tally:
    """Reasons, how often each came up, and its first few places."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.examples: dict[str, list[str]] = {}

    def add(self, reason: str, where: str, detail: str = "") -> None:
        """Count one more `reason` (a short stable phrase) seen at `where`, a file or a line of it."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        kept = self.examples.setdefault(reason, [])
        if len(kept) < _EXAMPLES:
            kept.append(f"{where}: {detail}" if detail else where)

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Skipped(Tally):
    """The recipes and files that were not read; `notes` counts faults of recipes that were read.

    >>> skipped = Skipped()
    >>> skipped.add("no title", "recipes.jsonl line 3")
    >>> skipped.notes.add("missing image", "recipes.jsonl line 4", "pie.jpg")
    >>> skipped.counts, skipped.notes.counts
    ({'no title': 1}, {'missing image': 1})
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes = Tally()

    def nothing_from(self, source: object) -> ChefError:
        """The error for a caller that needs recipes and got none from `source`."""
        problem = f"no recipe could be read from {source}"
        if self.counts:
            reasons = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
            told = ", ".join(f"{reason} ({count})" for reason, count in reasons[:3])
            problem += f": {told}; first: {self.examples[reasons[0][0]][0]}"
        return ChefError(problem, "docs/formats.md lists what can be read")
