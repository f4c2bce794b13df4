"""Several runs share one piece of work without talking to each other, by claims and heartbeats.

A claim is a file that exactly one run can create, with the run's token in it. If that run dies, another one
makes the next claim on the same work, numbered one higher, which again exactly one can do. Claims save
work, they do not guard the result: doing a piece of work twice must give what doing it once gives, so that
a run that was only suspended and continues with what it lost does no harm.

Heartbeats: each run renews a small file, and the others watch it change. No two clocks are ever compared.
Each watcher measures with its own monotonic clock how long a file has stayed the same, and counts at most
a quarter of the lease from one look to the next: a clock that jumps, or a machine that was asleep, makes
no other run look dead.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from chef.data.prepared import WORK
from chef.errors import ChefError
from chef.storage import Store, last_of

CLAIMS = f"{WORK}/claims"
RUNS = f"{WORK}/runs"
LEASE = 60.0  # seconds without a heartbeat after which others take over a run's work
_BEATS = 6  # heartbeats in a lease
_LOOKS = 4  # looks in a lease, at least, before a run counts as dead

Held = dict[str, str]  # work to the other run that has it; "" where nobody has


@dataclass(frozen=True, slots=True)
class Share:
    """A run's part in shared work, as its worker processes need to know it."""

    token: str
    dead: frozenset[str]  # runs whose claims no longer count

    def holder(self, store: Store, work: str) -> str:
        """Claim the work; returns the token of the run that has it now."""
        claims = (store.take(f"{CLAIMS}/{last_of(work)}.{turn}", self.token) for turn in count())
        return next(holder for holder in claims if holder not in self.dead)


class Pulse:
    """This run's heartbeat, for as long as the block lasts.

    >>> with Pulse(store) as pulse:
    ...     store.take("work/claims/plan.0", pulse.token)
    """

    def __init__(self, store: Store, lease: float = LEASE) -> None:
        self.token = secrets.token_hex(8)
        self._store = store
        self._pause = lease / _BEATS
        self._beats = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_beating, name="chef-pulse", daemon=True)

    def _beat(self) -> None:
        self._beats += 1
        data = json.dumps({"beat": self._beats, **whoami()}).encode()
        self._store.write(f"{RUNS}/{self.token}", data)

    def _keep_beating(self) -> None:
        while not self._over.wait(self._pause):
            try:
                self._beat()
            except (OSError, ChefError):
                # The next beat may succeed. If not, the run's own work fails with the reason.
                continue

    def __enter__(self) -> Pulse:
        self._beat()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._over.set()
        self._thread.join()
        try:
            self._store.remove(f"{RUNS}/{self.token}")  # others may take over unfinished work at once
        except (OSError, ChefError):
            if kind is None:
                raise


@dataclass(slots=True)
class _Seen:
    note: bytes
    at: float
    silence: float = 0.0


class Others:
    """Which of the other runs are alive, as far as this run knows."""

    def __init__(
        self, store: Store, lease: float = LEASE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._lease = lease
        self._clock = clock
        self._seen: dict[str, _Seen] = {}
        self._asked: set[str] = set()

    def known(self) -> set[str]:
        """The runs that have a heartbeat file, or that we were asked about."""
        return {last_of(name) for name in self._store.listing(RUNS)} | self._asked

    def dead(self, tokens: Iterable[str]) -> frozenset[str]:
        """Those of these runs that are known to be dead."""
        return frozenset(token for token in tokens if self.is_dead(token))

    def is_dead(self, token: str) -> bool:
        """Whether a run has ended, or has had no heartbeat for a lease while we watched."""
        self._asked.add(token)
        try:
            note = self._store.read(f"{RUNS}/{token}")
        except FileNotFoundError:
            return True  # it ended, or another run cleaned up after it
        now, seen = self._clock(), self._seen.get(token)
        if seen is None or seen.note != note:
            seen = self._seen[token] = _Seen(note, now)
        seen.silence += min(max(now - seen.at, 0.0), self._lease / _LOOKS)
        seen.at = now
        return seen.silence >= self._lease or is_gone(json.loads(note))


class Team:
    """This run among others: each sees the others' claims and heartbeats.

    >>> team = Team(store, pulse.token)
    >>> team.share().holder(store, "plan") == team.token
    True
    """

    def __init__(self, store: Store, token: str, lease: float = LEASE) -> None:
        self.token = token
        self._others = Others(store, lease)
        self._pause = min(1.0, lease / 20)

    def share(self) -> Share:
        """What the workers need to know: our token, and whose claims no longer count."""
        return Share(self.token, self._others.dead(self._others.known() - {self.token}))

    def see_through(
        self,
        held: Held,
        is_done: Callable[[str], bool],
        again: Callable[[set[str]], Held],
        is_over: Callable[[], bool],
    ) -> Iterator[str]:
        """Wait for the work that others have; what nobody alive has is tried `again`.

        `again` takes works and returns which of them others have by now. Yields the works that others
        finish, and ends when all are done or `is_over`.
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


def whoami() -> dict[str, Any]:
    """This process, as a note for others; empty where the system does not say."""
    try:
        return {**_machine(), "process": os.getpid(), "born": _born(os.getpid())}
    except OSError:  # not Linux
        return {}


def is_gone(note: dict[str, Any]) -> bool:
    """Whether the process of this note has ended. No is also the answer where that cannot be known.

    >>> is_gone(whoami())
    False
    """
    try:
        if not note or any(note.get(name) != value for name, value in _machine().items()):
            return False
    except OSError:
        return False
    try:
        return bool(_born(int(note["process"])) != note["born"])  # another one may have its number now
    except OSError:
        return True


def _machine() -> dict[str, str]:
    """This boot of this machine, and the container: numbers of processes count inside it alone."""
    return {
        "host": socket.gethostname(),
        "boot": Path("/proc/sys/kernel/random/boot_id").read_text().strip(),
        "container": os.readlink("/proc/self/ns/pid"),
    }


def _born(process: int) -> str:
    """When a process started, in the kernel's ticks; OSError if it has ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    if fields[0] in "ZX":  # dead, but not yet waited for by its parent
        raise ProcessLookupError(process)
    return fields[19]
