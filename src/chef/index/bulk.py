"""Adds prepared data to a collection, shard by shard; all runs of the same command share the shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chef.data.prepared import Prepared
from chef.data.sharing import LEASE, Held, Pulse, Team
from chef.index.ingest import Writer, shard_recipes
from chef.index.turn import Turn
from chef.index.values import Added
from chef.progress import Progress

_COMPACT_EVERY = 16  # shards
_FINISH = "finish"  # the last piece of work


def add_prepared(
    data: Prepared, writer: Writer, turn: Turn | None, progress: Progress, lease: float = LEASE
) -> Added:
    """Store all recipes together with any other runs -> the counts of all runs.

    turn: where the runs see each other; without one, this run does everything. A run without a heartbeat for
    `lease` seconds loses its shard to the others, who embed only what it has not stored.
    """
    shards = [shard for split in data.splits for shard in data.shards(split)]
    progress.stage("adding recipes", data.manifest.recipes)
    if turn is None:
        total = sum((writer.add_parsed(shard_recipes(data.store, shard)) for shard in shards), Added())
        writer.compact()
        return total
    with Pulse(turn.store, lease) as pulse:
        _Shared(data, writer, turn, progress, Team(turn.store, pulse.token, lease)).add(shards)
    return turn.total()


class _Shared:
    """One run among others."""

    def __init__(self, data: Prepared, writer: Writer, turn: Turn, progress: Progress, team: Team) -> None:
        self._data, self._writer, self._turn, self._progress, self._team = data, writer, turn, progress, team

    def add(self, shards: list[str]) -> None:
        """Store the shards that nobody has stored, and make sure that all are."""
        numbers = {shard: number for number, shard in enumerate(shards)}

        def store(shard: str) -> None:
            recipes = shard_recipes(self._data.store, shard)
            self._turn.mark(shard, self._writer.add_parsed(recipes))
            if numbers[shard] % _COMPACT_EVERY == _COMPACT_EVERY - 1:  # not every run: two would conflict
                self._writer.compact()

        def finish(_: str) -> None:
            self._writer.compact()
            self._turn.finish(shards)

        # Each run starts elsewhere; otherwise all would ask for the same claims at the same time.
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
        counts = self._turn.result(work)
        self._progress.advance(counts.added + counts.updated + counts.unchanged)
