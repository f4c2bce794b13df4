"""What all stages of a run share: where, from what, how, who is told, with whom and by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from chef.data.manifest import NAME
from chef.data.pool import Pool
from chef.data.preparing.claims import Outcome, shared
from chef.data.preparing.source import Source
from chef.data.preparing.workplace import Workplace
from chef.data.settings import PrepareSettings
from chef.data.sharing.claims import Share
from chef.data.sharing.team import Held, Team
from chef.errors import ChefError
from chef.progress import Progress
from chef.storage import Store


@dataclass(frozen=True, slots=True)
class Context:
    """One run, alone or as one of a team."""

    place: Workplace
    recipes: Source
    settings: PrepareSettings
    chosen: dict[str, Any]  # all settings, as the manifest tells them
    progress: Progress
    team: Team | None
    pool: Pool

    @property
    def store(self) -> Store:
        """The place to prepare the data in."""
        return self.place.store

    def share(self) -> Share | None:
        """What the workers must know of the team; None for a run that is alone."""
        return self.team.share() if self.team else None

    def has(self, name: str) -> bool:
        """Whether a file is there."""
        return self.store.size(name) is not None

    def is_finished(self) -> bool:
        """Whether all is done, by us or by others."""
        return self.has(NAME)

    def do(self, tasks: Iterable[Callable[[], Outcome]], held: Held) -> Iterator[Outcome]:
        """Have the workers do tasks; gives what we did and notes what others have."""
        for outcome in self.pool.run(tasks):
            if outcome.holder:
                held[outcome.work] = outcome.holder
            else:
                yield outcome

    def by_one(self, work: str, do: Callable[[], object], is_done: Callable[[], bool]) -> None:
        """A piece of work for one run; the others of its team wait until it is done."""

        def did() -> Outcome:
            do()
            return Outcome(work)

        def attempt(_: set[str]) -> Held:
            outcome = shared(self.store, self.share(), work, is_done, did)
            return {work: outcome.holder} if outcome.holder else {}

        if self.team is None:
            do()
            return
        for _ in self.team.see_through({work: ""}, lambda _: is_done(), attempt, self.is_finished):
            pass

    def other_source(self) -> ChefError:
        """The error of a team whose members do not read the same."""
        problem = f"{self.store.place()} holds unfinished work on other recipes"
        return ChefError(problem, "give the same source on all machines, or remove that work and start anew")
