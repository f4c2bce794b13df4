"""Adds prepared data to a collection, shard by shard; all runs of the same command share the shards.

A turn adds the same prepared data once, by any number of runs together. Its files are in the collection,
below `adding/KEY`, where KEY stands for the data and the model: claims, heartbeats and a mark for each stored
shard, until all are stored; then one small file that says so. A later run begins the next turn and finds
every recipe unchanged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass

from chef.data.prepared import WORK, Manifest, Prepared
from chef.data.sharing import LEASE, Held, Pulse, Team
from chef.index.ingest import Writer, shard_recipes
from chef.index.values import Added
from chef.progress import Progress
from chef.storage import Store, is_s3, last_of, open_store

_COMPACT_EVERY = 16  # shards
_FINISH = "finish"  # the last piece of work
_FINISHED = "finished"
_DONE = f"{WORK}/done"


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
        parts = (writer.add(shard_recipes(data.store, shard), parsed=True) for shard in shards)
        total = sum(parts, Added())
        writer.compact()
        return total
    numbers = {shard: number for number, shard in enumerate(shards)}

    def store(shard: str) -> None:
        turn.mark(shard, writer.add(shard_recipes(data.store, shard), parsed=True))
        if numbers[shard] % _COMPACT_EVERY == _COMPACT_EVERY - 1:  # not every run: two would conflict
            writer.compact()

    def finish(_: str) -> None:
        writer.compact()
        turn.finish(shards)

    with Pulse(turn.store, lease) as pulse:
        run = _Run(turn, Team(turn.store, pulse.token, lease), progress)
        # Each run starts elsewhere; otherwise all would ask for the same claims at the same time.
        start = int(pulse.token, 16) % len(shards) if shards else 0
        run.complete([*shards[start:], *shards[:start]], store)
        run.complete([_FINISH], finish)
    return turn.total()


@dataclass(frozen=True)
class _Run:
    """One run among others."""

    turn: Turn
    team: Team
    progress: Progress

    def complete(self, works: list[str], do: Callable[[str], None]) -> None:
        """Do what nobody has done, then wait for the others; unfinished work of a dead run is done here."""

        def attempt(wanted: Iterable[str]) -> Held:
            return self._attempt(wanted, do)

        for work in self.team.see_through(attempt(works), self.turn.is_done, attempt, self.turn.is_over):
            self._advance(work)

    def _attempt(self, works: Iterable[str], do: Callable[[str], None]) -> Held:
        """Do the work that can be claimed -> who holds the rest."""
        share, marked, held = self.team.share(), self.turn.marked(), Held()
        for work in works:
            if self.turn.is_over():
                return Held()
            if last_of(work) in marked:
                self._advance(work)
                continue
            holder = share.holder(self.turn.store, work)
            if holder != share.token:
                held[work] = holder
            elif self.turn.is_done(work):  # since we looked, by a run that has ended
                self._advance(work)
            else:
                do(work)
        return held

    def _advance(self, work: str) -> None:
        """Count a shard that another run has stored."""
        counts = self.turn.result(work)
        self.progress.advance(counts.added + counts.updated + counts.unchanged)


class Turn:
    """The marks of one turn.

    >>> turn.mark("shards/train-00000.tar", Added(added=1000))
    >>> turn.is_done("shards/train-00000.tar")
    True
    """

    def __init__(self, home: str, number: int) -> None:
        self._home = open_store(home)
        self._name = f"{_FINISHED}/{number:06d}"
        self.store: Store = open_store(f"{home}/{number:06d}")

    @classmethod
    def current(cls, url: str, manifest: Manifest, fingerprint: str) -> Turn | None:
        """The unfinished turn; None where runs cannot share: in memory and in other object stores."""
        if "://" in url and not is_s3(url):
            return None
        key = hashlib.sha256(manifest.to_bytes() + fingerprint.encode()).hexdigest()[:16]
        home = f"{url.rstrip('/')}/adding/{key}"
        numbers = sorted(int(last_of(name)) for name in open_store(home).listing(_FINISHED))
        turn = cls(home, numbers[-1] + 1 if numbers else 1)
        # Remove earlier turns, except the mark that the last one is over: a stalled run may ask for it.
        for number in numbers:
            turn._home.clear(f"{number:06d}")
        for number in numbers[:-1]:
            turn._home.remove(f"{_FINISHED}/{number:06d}")
        return turn

    def is_over(self) -> bool:
        """Whether everything is stored, by this run or by others."""
        return self._home.size(self._name) is not None

    def marked(self) -> set[str]:
        """The work that is done, by the last part of its name."""
        return {last_of(name) for name in self.store.listing(_DONE)}

    def is_done(self, work: str) -> bool:
        """Whether a piece of work is done."""
        return self.store.size(f"{_DONE}/{last_of(work)}") is not None

    def mark(self, work: str, added: Added) -> None:
        """Record that a piece of work is done, with its counts."""
        self.store.write(f"{_DONE}/{last_of(work)}", json.dumps(astuple(added)).encode())

    def result(self, work: str) -> Added:
        """The counts of a piece of work that is done."""
        return _read_counts(self.store, f"{_DONE}/{last_of(work)}")

    def finish(self, works: Iterable[str]) -> None:
        """Record that all work is done, with the total counts, and clean up."""
        total = sum((self.result(work) for work in works), Added())
        self._home.write(self._name, json.dumps(astuple(total)).encode())
        self.store.clear(WORK)

    def total(self) -> Added:
        """The counts of the turn, all runs together."""
        return _read_counts(self._home, self._name)


def _read_counts(store: Store, name: str) -> Added:
    try:
        return Added(*json.loads(store.read(name)))
    except FileNotFoundError:  # cleaned up: whoever asks this late gets no figures
        return Added()
