"""One run of several that share work, and what it does about the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from chef.data.sharing.claims import Share
from chef.data.sharing.pulse import LEASE, Others
from chef.storage import Store

Held = dict[str, str]  # work to the other run that has it; "" where nobody has


class Team:
    """This run among others. They talk to nobody: each sees the others' claims and signs of life.

    >>> team = Team(store, pulse.token)
    >>> team.share().holder(store, "plan") == team.token
    True
    """

    def __init__(self, store: Store, token: str, lease: float = LEASE) -> None:
        self.token = token
        self._others = Others(store, lease)
        self._pause = min(1.0, lease / 20)

    def share(self) -> Share:
        """What the workers need to know: who we are, and whose claims count no longer."""
        return Share(self.token, self._others.dead(self._others.known() - {self.token}))

    def see_through(
        self,
        held: Held,
        is_done: Callable[[str], bool],
        again: Callable[[set[str]], Held],
        is_over: Callable[[], bool],
    ) -> Iterator[str]:
        """Wait for the work that others have; what nobody alive has is tried `again`.

        `again` takes works and says which of them others have by now. Gives the works that others finish,
        and ends when all are done, or when all of this is over.
        """
        held = dict(held)
        while held and not is_over():
            while held and is_done(work := next(iter(held))):  # one look at a time: there may be thousands
                del held[work]
                yield work
            lost = {"", *self._others.dead(set(held.values()) - {""})}
            free = {work for work, holder in held.items() if holder in lost}
            if free:
                held = {work: holder for work, holder in held.items() if work not in free} | again(free)
            elif held:
                time.sleep(self._pause)
