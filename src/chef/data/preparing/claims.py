"""Claims: which run does which piece of work, where several share it.

A claim is a file that exactly one run can make, with the run's token in it. If that run dies, another one
makes the next claim on the same work, numbered one higher, which again exactly one can do. Claims save
work, they do not guard the result: every piece of work gives the same bytes whoever does it and is written
in one move, so a run that was only asleep and goes on with what it lost does no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from chef.data.manifest import NAME, Files
from chef.data.preparing.names import CLAIMS
from chef.errors import ChefError
from chef.storage import Store, last_of


@dataclass(frozen=True, slots=True)
class Share:
    """A run's part in shared work, as its worker processes need to know it."""

    token: str
    dead: frozenset[str]  # runs whose claims count no longer

    def holder(self, store: Store, work: str) -> str:
        """Claim the work; says who has it now: this run, or another."""
        for turn in count():
            holder = store.take(f"{CLAIMS}/{last_of(work)}.{turn}", self.token)
            if holder not in self.dead:
                return holder
        raise AssertionError("count() ends")  # pragma: no cover


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a piece of work: done, or in another run's hands."""

    work: str
    holder: str = ""  # the other run; "": it is done
    files: Files = field(default_factory=dict)
    recipes: int = 0


def shared(
    store: Store, share: Share | None, work: str, is_done: Callable[[], bool], do: Callable[[], Outcome]
) -> Outcome:
    """Do the work unless it is done or another run has it. A run that is alone (no share) just does it."""
    if share is None:
        return do()

    def is_over() -> bool:
        return is_done() or store.size(NAME) is not None

    try:
        holder = share.holder(store, work)
        if holder != share.token:
            return Outcome(work, holder)
        return Outcome(work) if is_over() else do()
    except (OSError, ChefError):
        # While we slept others may have finished, and put away what we were reading.
        if is_over():
            return Outcome(work)
        raise
