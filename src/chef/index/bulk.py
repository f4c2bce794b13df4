"""Prepared data into a collection, shard by shard; all runs of the same command share the shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chef.data.prepared import Prepared
from chef.data.sharing.pulse import LEASE, Pulse
from chef.data.sharing.team import Held, Team
from chef.index.prepared import shard_recipes
from chef.index.turn import Turn
from chef.index.values import Added
from chef.index.writing import Writer
from chef.progress import Progress

_TIDY = 16  # shards after which somebody joins the small files that they left
_FINISH = "finish"  # the last piece of work


def add_prepared(
    data: Prepared, writer: Writer, turn: Turn | None, progress: Progress, lease: float = LEASE
) -> Added:
    """Store all recipes, with whoever else is at it -> what became of them, whoever stored them.

    turn: where the runs see each other; without one, this run does everything. One that gives no sign of
    life for `lease` seconds loses its shard to the others, who embed only what it has not stored.
    """
    shards = [shard for split in data.splits for shard in data.shards(split)]
    progress.stage("adding recipes", data.manifest.recipes)
    if turn is None:
        total = sum((writer.add_parsed(shard_recipes(data.store, shard)) for shard in shards), Added())
        writer.tidy()
        return total
    with Pulse(turn.store, lease) as pulse:
        _Shared(data, writer, turn, progress, Team(turn.store, pulse.token, lease)).add(shards)
    return turn.total()


class _Shared:
    """One run among others."""

    def __init__(self, data: Prepared, writer: Writer, turn: Turn, progress: Progress, team: Team) -> None:
        self._data, self._writer, self._turn, self._progress, self._team = data, writer, turn, progress, team

    def add(self, shards: list[str]) -> None:
        """Store the shards that nobody has stored, and see to it that all are."""
        places = {shard: number for number, shard in enumerate(shards)}

        def store(shard: str) -> None:
            found = shard_recipes(self._data.store, shard)
            self._turn.mark(shard, self._writer.add_parsed(found))
            if places[shard] % _TIDY == _TIDY - 1:  # not everybody: two at once would be in each other's way
                self._writer.tidy()

        def finish(_: str) -> None:
            self._writer.tidy()
            self._turn.finish(shards)

        # Each run begins elsewhere, else all would ask for the same claims at the same time.
        start = int(self._team.token, 16) % len(shards) if shards else 0
        self._see_to([*shards[start:], *shards[:start]], store)
        self._see_to([_FINISH], finish)

    def _see_to(self, works: list[str], do: Callable[[str], None]) -> None:
        """Do what nobody has, then wait for the others; what a dead one had in hand is done here."""

        def attempt(wanted: Iterable[str]) -> Held:
            return self._attempt(wanted, do)

        done = self._turn.is_done
        for work in self._team.see_through(attempt(works), done, attempt, self._turn.is_over):
            self._advance(work)

    def _attempt(self, works: Iterable[str], do: Callable[[str], None]) -> Held:
        """Do those works that can be claimed; says who has the others."""
        share, marked, held = self._team.share(), self._turn.marked(), Held()
        for work in works:
            if self._turn.is_over():
                return Held()
            if work.rpartition("/")[2] in marked:
                self._advance(work)
                continue
            holder = share.holder(self._turn.store, work)
            if holder != share.token:
                held[work] = holder
            elif self._turn.is_done(work):  # since we looked, by one who has left
                self._advance(work)
            else:
                do(work)
        return held

    def _advance(self, work: str) -> None:
        """Others have stored a shard."""
        found = self._turn.result(work)
        self._progress.advance(found.added + found.updated + found.unchanged)
