"""Claims: which run does which piece of work, where several share it.

A claim is a file that exactly one run can make, with the run's token in it. If that run dies, another one
makes the next claim on the same work, numbered one higher, which again exactly one can do. Claims save
work, they do not guard the result: doing a piece of work twice must give what doing it once gives, so that
a run that was only asleep and goes on with what it lost does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from chef.data.manifest import WORK
from chef.storage import Store, last_of

CLAIMS = f"{WORK}/claims"


@dataclass(frozen=True, slots=True)
class Share:
    """A run's part in shared work, as its worker processes need to know it."""

    token: str
    dead: frozenset[str]  # runs whose claims count no longer

    def holder(self, store: Store, work: str) -> str:
        """Claim the work; says who has it now: this run, or another."""
        turns = count()
        while True:
            holder = store.take(f"{CLAIMS}/{last_of(work)}.{next(turns)}", self.token)
            if holder not in self.dead:
                return holder
