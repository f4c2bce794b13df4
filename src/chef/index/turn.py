"""A turn: adding the same prepared data to a collection once, by any number of runs together.

Its files lie in the collection, below `adding/KEY`, where KEY stands for the data and the model: claims,
heartbeats and a mark for each shard that is stored, until all are; then one small file that says so. Any run
after that begins the next turn, and finds every recipe unchanged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple

from chef.data.prepared import WORK, Manifest
from chef.index.values import Added
from chef.storage import Store, is_s3, last_of, open_store

_PLACE = "adding"
_FINISHED = "finished"
_DONE = f"{WORK}/done"


def turn_of(url: str, manifest: Manifest, fingerprint: str) -> Turn | None:
    """The turn that is not finished yet; None where runs cannot share: in memory, in other object stores."""
    if "://" in url and not is_s3(url):
        return None
    key = hashlib.sha256(manifest.to_bytes() + fingerprint.encode()).hexdigest()[:16]
    home = f"{url.rstrip('/')}/{_PLACE}/{key}"
    numbers = sorted(int(last_of(name)) for name in open_store(home).listing(_FINISHED))
    turn = Turn(home, numbers[-1] + 1 if numbers else 1)
    turn.clear_up(numbers)
    return turn


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

    def clear_up(self, finished: Sequence[int]) -> None:
        """Remove what is left of earlier turns, except that the last one is over: a stalled run may ask."""
        for number in finished:
            self._home.clear(f"{number:06d}")
        for number in finished[:-1]:
            self._home.remove(f"{_FINISHED}/{number:06d}")

    def is_over(self) -> bool:
        """Whether everything is stored, by this run or by others."""
        return self._home.size(self._name) is not None

    def marked(self) -> set[str]:
        """The works that are done, by the last step of their names."""
        return {last_of(name) for name in self.store.listing(_DONE)}

    def is_done(self, work: str) -> bool:
        """Whether a work is done."""
        return self.store.size(f"{_DONE}/{last_of(work)}") is not None

    def mark(self, work: str, added: Added) -> None:
        """Record that a work is done, with its counts."""
        self.store.write(f"{_DONE}/{last_of(work)}", json.dumps(astuple(added)).encode())

    def result(self, work: str) -> Added:
        """The counts of a work that is done."""
        return _added(self.store, f"{_DONE}/{last_of(work)}")

    def finish(self, works: Iterable[str]) -> None:
        """Record that all works are done, with their total counts, and clean up."""
        total = sum((self.result(work) for work in works), Added())
        self._home.write(self._name, json.dumps(astuple(total)).encode())
        self.store.clear(WORK)

    def total(self) -> Added:
        """The counts of the turn, all runs together."""
        return _added(self._home, self._name)


def _added(store: Store, name: str) -> Added:
    try:
        return Added(*json.loads(store.read(name)))
    except FileNotFoundError:  # cleared up: whoever asks so late gets no figures
        return Added()
