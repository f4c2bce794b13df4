"""The line of requests that are at work or wait: bounded, so that too many are sent away and not all kept."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from chef.serve.failures import Refusal

_RECENT = 0.1  # how much the last job counts in what a job takes
_LONGEST = 60  # seconds that we ever tell a client to wait

Result = TypeVar("Result")


class Line:
    """Jobs for some threads, in the order they came; beyond `most`, at work and waiting together, 429.

    >>> line = Line("search", threads=8, most=64)
    >>> await line.run(lambda: 42, seconds=30)
    42
    """

    def __init__(self, name: str, threads: int, most: int) -> None:
        self._threads, self._most = threads, most
        self._pool = ThreadPoolExecutor(threads, f"chef-{name}")
        self._lock = Lock()
        self._seconds = 0.0  # what a job took lately
        self.busy = 0
        self.turned_away = 0

    async def run(self, job: Callable[[], Result], seconds: float | None) -> Result:
        """The result of a job; one that takes longer, its wait included, is 503."""
        with self._lock:
            if self.busy >= self._most:
                raise self._full()
            self.busy += 1
        future = self._pool.submit(self._timed, job)
        # A job that outlives its request still counts until its thread is free.
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
        except TimeoutError:
            raise Refusal(503, f"this took longer than {seconds:g} seconds", {"retry-after": "10"}) from None

    def refusal(self) -> Refusal | None:
        """What to answer a request that comes now, if there is no room for it."""
        with self._lock:
            return self._full() if self.busy >= self._most else None

    def retry_after(self) -> int:
        """Whole seconds until the line as it stands is done, by what jobs took lately."""
        return min(max(math.ceil(self._seconds * self.busy / self._threads), 1), _LONGEST)

    def close(self, seconds: float) -> bool:
        """Take no more jobs and drop those that nobody has begun -> whether the others ended in time."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + seconds
        while self.busy and time.monotonic() < until:
            time.sleep(0.01)
        return not self.busy

    def _full(self) -> Refusal:
        self.turned_away += 1
        return Refusal(
            429,
            "too many requests at once; try again in a moment",
            {"retry-after": str(self.retry_after())},
        )

    def _timed(self, job: Callable[[], Result]) -> Result:
        start = time.monotonic()
        try:
            return job()
        finally:
            took = time.monotonic() - start
            with self._lock:
                self._seconds += (took - self._seconds) * (_RECENT if self._seconds else 1.0)

    def _done(self, future: Future[Result]) -> None:
        with self._lock:
            self.busy -= 1
