"""A piece of work done by the run that claims it; every piece gives the same bytes whoever does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from chef.data.manifest import NAME, Files
from chef.data.sharing.claims import Share
from chef.errors import ChefError
from chef.storage import Store


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
