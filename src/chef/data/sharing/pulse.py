"""Signs of life: each run that shares work renews a small file, and the others watch it change.

No two clocks are ever compared, and none is trusted far. Whoever watches counts, by its own steady clock,
how long a file has stayed the same, and counts at most a quarter of the lease from one look to the next:
a clock that jumps, or a machine that was asleep, makes nobody else look dead.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

from chef.data.manifest import WORK
from chef.data.sharing.process import is_gone, whoami
from chef.errors import ChefError
from chef.storage import Store, last_of

RUNS = f"{WORK}/runs"
LEASE = 60.0  # seconds without a sign of life after which a run's work falls to the others
_BEATS = 6  # signs of life in a lease
_LOOKS = 4  # looks in a lease, at least, before a run counts as dead


class Pulse:
    """This run's signs of life, for as long as the block lasts.

    >>> with Pulse(store) as pulse:
    ...     store.take("work/claims/plan.0", pulse.token)
    """

    def __init__(self, store: Store, lease: float = LEASE) -> None:
        self.token = secrets.token_hex(8)
        self._store = store
        self._pause = lease / _BEATS
        self._beats = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, name="chef-pulse", daemon=True)

    def _beat(self) -> None:
        self._beats += 1
        data = json.dumps({"beat": self._beats, **whoami()}).encode()
        self._store.write(f"{RUNS}/{self.token}", data)

    def _go_on(self) -> None:
        while not self._over.wait(self._pause):
            try:
                self._beat()
            except (OSError, ChefError):
                # The next beat may succeed. If not, the run's own work fails and tells the reason.
                continue

    def __enter__(self) -> Pulse:
        self._beat()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        try:
            self._store.remove(f"{RUNS}/{self.token}")  # what is left undone is free at once
        except (OSError, ChefError):
            if error is None:
                raise


@dataclass(slots=True)
class _Seen:
    note: bytes
    at: float
    silence: float = 0.0


class Others:
    """What this run knows of the others' lives."""

    def __init__(
        self, store: Store, lease: float = LEASE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._lease = lease
        self._clock = clock
        self._seen: dict[str, _Seen] = {}
        self._met: set[str] = set()

    def known(self) -> set[str]:
        """The runs that have left a sign of life, or that we came across."""
        return {last_of(name) for name in self._store.listing(RUNS)} | self._met

    def dead(self, tokens: Iterable[str]) -> frozenset[str]:
        """Those of these runs that are dead as far as can be told now."""
        return frozenset(token for token in tokens if self.is_dead(token))

    def is_dead(self, token: str) -> bool:
        """Whether a run has ended, or has given no sign of life for a lease while we looked."""
        self._met.add(token)
        try:
            note = self._store.read(f"{RUNS}/{token}")
        except FileNotFoundError:
            return True  # it took its sign away, or somebody cleared up after it
        now, seen = self._clock(), self._seen.get(token)
        if seen is None or seen.note != note:
            seen = self._seen[token] = _Seen(note, now)
        seen.silence += min(max(now - seen.at, 0.0), self._lease / _LOOKS)
        seen.at = now
        return seen.silence >= self._lease or is_gone(json.loads(note))
