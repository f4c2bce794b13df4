"""One thread owns the model: embeds that arrive together are computed together."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

Result = TypeVar("Result")
Compute = Callable[[Sequence[Any]], Sequence[Any]]


@dataclass(slots=True)
class _Job:
    kind: str | None  # None: a call by itself
    item: Any
    future: Future[Any] = field(default_factory=Future)


class ModelThread:
    """Computes items in batches of one kind, and whole calls one at a time, all in its own thread.

    >>> thread = ModelThread({"double": lambda items: [2 * item for item in items]})
    >>> thread.submit("double", 21).result()
    42
    """

    def __init__(
        self,
        kinds: dict[str, Compute],
        window: float = 0.004,
        most: int = 16,
        watch: Callable[[str, int], None] | None = None,
    ) -> None:
        """window: seconds the first item of a batch waits for others; most: items of a batch.

        `watch(kind, size)` hears of every batch.
        """
        self._kinds = kinds
        self._window = window
        self._most = most
        self._watch = watch
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="chef-model", daemon=True)
        self._thread.start()

    def submit(self, kind: str, item: Any) -> Future[Any]:
        """One item to compute with others of its kind."""
        return self._put(_Job(kind, item))

    def call(self, function: Callable[[], Result]) -> Result:
        """The result of a function that needs the model to itself; runs at once on the thread itself."""
        if threading.current_thread() is self._thread:
            return function()
        result: Result = self._put(_Job(None, function)).result()
        return result

    @property
    def is_here(self) -> bool:
        """Whether the caller is the thread itself, which must not wait for its own work."""
        return threading.current_thread() is self._thread

    @property
    def waiting(self) -> int:
        """Jobs that nobody has begun."""
        return len(self._jobs)

    def end(self) -> None:
        """Let the thread finish what was asked for and then end; nobody waits for that."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def close(self) -> None:
        """Finish what was asked for, then end the thread."""
        self.end()
        self._thread.join()

    def _put(self, job: _Job) -> Future[Any]:
        with self._changed:
            if self._closed:
                raise RuntimeError("the service is closing")
            self._jobs.append(job)
            self._changed.notify()
        return job.future

    def _run(self) -> None:
        while batch := self._next():
            wanted = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if wanted:
                self._compute(wanted)

    def _next(self) -> list[_Job]:
        """The first job with those of its kind that come within the window; none when all is over."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            if not self._jobs:
                return []
            first = self._jobs.popleft()
            batch = [first]
            until = time.monotonic() + self._window
            while first.kind is not None:
                batch += self._take(first.kind, self._most - len(batch))
                left = until - time.monotonic()
                if len(batch) == self._most or left <= 0 or self._closed:
                    break
                self._changed.wait(left)
            return batch

    def _take(self, kind: str, most: int) -> list[_Job]:
        taken = [job for job in self._jobs if job.kind == kind][:most]
        for job in taken:
            self._jobs.remove(job)
        return taken

    def _compute(self, batch: list[_Job]) -> None:
        kind = batch[0].kind
        try:
            if kind is None:
                results: Sequence[Any] = [batch[0].item()]
            else:
                results = self._kinds[kind]([job.item for job in batch])
                if self._watch:
                    self._watch(kind, len(batch))
        except Exception as error:
            if len(batch) == 1:
                batch[0].future.set_exception(error)
            else:
                # One bad item must not fail its neighbours: each alone tells whose fault it was.
                for job in batch:
                    self._compute([job])
            return
        for job, result in zip(batch, results, strict=True):
            job.future.set_result(result)
