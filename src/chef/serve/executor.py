"""Threads with a bounded queue: beyond its capacity, requests are rejected instead of piling up."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from chef.serve.errors import Refusal

_SMOOTHING = 0.1  # weight of the latest job in the moving average of job times
_MAX_RETRY = 60  # seconds, the longest Retry-After

Result = TypeVar("Result")


class BoundedExecutor:
    """Runs jobs on some threads, first come first served; above `capacity`, running plus queued, 429.

    >>> executor = BoundedExecutor("search", threads=8, capacity=64)
    >>> await executor.run(lambda: 42, timeout=30)
    42
    """

    def __init__(
        self, name: str, threads: int, capacity: int, on_reject: Callable[[], None] = lambda: None
    ) -> None:
        self._threads, self._capacity, self._on_reject = threads, capacity, on_reject
        self._pool = ThreadPoolExecutor(threads, f"chef-{name}")
        self._lock = Lock()
        self._job_seconds = 0.0  # moving average
        self.busy = 0  # jobs running or queued

    async def run(self, job: Callable[[], Result], timeout: float | None) -> Result:
        """The result of a job; 503 if waiting and running together take longer than `timeout` seconds."""
        with self._lock:
            if self.busy >= self._capacity:
                raise self._rejection()
            self.busy += 1
        future = self._pool.submit(self._timed, job)
        # A job that outlives its request still counts until its thread is free.
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), timeout)
        except TimeoutError:
            raise Refusal(503, f"this took longer than {timeout:g} seconds", {"retry-after": "10"}) from None

    def refusal(self) -> Refusal | None:
        """The answer to a request that arrives now, if the queue is full."""
        with self._lock:
            return self._rejection() if self.busy >= self._capacity else None

    def retry_after(self) -> int:
        """Whole seconds until the present queue is done, estimated from recent job times."""
        return min(max(math.ceil(self._job_seconds * self.busy / self._threads), 1), _MAX_RETRY)

    def close(self, timeout: float) -> bool:
        """Take no more jobs and drop the queued ones -> whether the running ones ended in time."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + timeout
        while self.busy and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self.busy

    def _rejection(self) -> Refusal:
        self._on_reject()
        headers = {"retry-after": str(self.retry_after())}
        return Refusal(429, "too many requests at once; try again in a moment", headers)

    def _timed(self, job: Callable[[], Result]) -> Result:
        start = time.monotonic()
        try:
            return job()
        finally:
            seconds = time.monotonic() - start
            with self._lock:
                weight = _SMOOTHING if self._job_seconds else 1.0
                self._job_seconds += (seconds - self._job_seconds) * weight

    def _done(self, future: Future[Result]) -> None:
        with self._lock:
            self.busy -= 1
