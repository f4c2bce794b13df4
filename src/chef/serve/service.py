"""The service behind the routes: one collection, one model, threads with bounded queues for all requests.

Beyond the capacity of a queue, requests are rejected instead of piling up. The canonical review on the page
uses the same proposals and decisions files as `chef canonical review`.
"""

from __future__ import annotations

import asyncio
import ctypes
import math
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from chef.errors import ChefError, TimeUp, set_deadline
from chef.food.canonical import merge
from chef.food.canonical.propose import Proposal, propose, read_proposals, write_proposals
from chef.index import Entry, Index
from chef.model.recipe_model import RecipeModel
from chef.serve.access import Guesses
from chef.serve.errors import Refusal, refusal
from chef.serve.micro_batching import BatchingEncoder, ModelThread
from chef.serve.middleware import Metrics
from chef.serve.settings import ServeSettings
from chef.text.keys import key

_SHARE = 0.95  # of all ingredient lines: only names that cover this share are reviewed, as in the paper


class Review:
    """The proposals of one folder and the decisions on them.

    The folder contains `proposals.tsv` and `decisions.tsv`. Missing proposals are made from the collection's
    own recipes, without word vectors, which a service does not train.
    """

    def __init__(self, folder: Path, index: Index) -> None:
        self._decisions = folder / "decisions.tsv"
        file = folder / "proposals.tsv"
        if not file.exists():
            from chef.food.canonical.propose import count_names, group_names, most_frequent
            from chef.food.units import usda_name
            from chef.text.lines import with_names

            folder.mkdir(parents=True, exist_ok=True)
            counts = count_names(with_names(entry.recipe) for entry in index.entries())
            groups = group_names(counts)
            write_proposals(file, groups, counts, propose(most_frequent(groups, _SHARE), food_of=usda_name))
        _, self._proposals = read_proposals(file)
        self._pairs = {(item.a, item.b) for item in self._proposals}

    def undecided(self) -> list[Proposal]:
        """The proposals that no decision settles yet, the strongest first."""
        synonyms = merge.Synonyms(merge.read_decisions(self._decisions))
        return [item for item in self._proposals if not synonyms.is_settled(item.a, item.b)]

    @property
    def total(self) -> int:
        return len(self._proposals)

    def decide(self, a: str, b: str, verdict: str) -> None:
        """Store a person's decision on a proposal; it is on disk when this returns."""
        if (a, b) not in self._pairs:
            raise Refusal(404, "no such proposal")
        synonyms = merge.Synonyms(merge.read_decisions(self._decisions))
        if verdict == merge.ACCEPT and (rejected := synonyms.forbidden(a, b)):
            raise Refusal(
                409,
                f"that would also merge {rejected.a} and {rejected.b}, which were rejected; undo that first",
            )
        if verdict == merge.UNDO and frozenset((key(a), key(b))) not in synonyms.decided:
            raise Refusal(409, f"there is no decision on {a} and {b}")
        merge.append_decision(self._decisions, merge.Decision(a, b, verdict, merge.PERSON, "page"))


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

    async def run(self, job: Callable[[], Result], timeout: float, patience: float = 0.0) -> Result:
        """The result of a job; 503 if waiting and running together take longer than `timeout` seconds.

        The job ends at its next `check_deadline` then; with `patience` we wait so much longer for what it
        does after its last one.
        """
        with self._lock:
            if self.busy >= self._capacity:
                raise self._rejection()
            self.busy += 1
        future = self._pool.submit(self._timed, job, time.monotonic() + timeout)
        # A job that outlives its request still counts until its thread is free.
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), timeout + patience)
        except (TimeoutError, TimeUp) as error:
            unknown = "; it may still be stored" if patience and isinstance(error, TimeoutError) else ""
            message = f"this took longer than {timeout:g} seconds{unknown}"
            raise Refusal(503, message, {"retry-after": "10"}) from None

    def refusal(self) -> Refusal | None:
        """The answer to a request that arrives now, if the queue is full."""
        with self._lock:
            return self._rejection() if self.busy >= self._capacity else None

    def close(self, timeout: float) -> bool:
        """Take no more jobs and drop the queued ones -> whether the running ones ended in time."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + timeout
        while self.busy and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self.busy

    def _rejection(self) -> Refusal:
        self._on_reject()
        # Whole seconds until the present queue is done, estimated from recent job times.
        seconds = math.ceil(self._job_seconds * self.busy / self._threads)
        headers = {"retry-after": str(min(max(seconds, 1), _MAX_RETRY))}
        return Refusal(429, "too many requests at once; try again in a moment", headers)

    def _timed(self, job: Callable[[], Result], until: float) -> Result:
        start = time.monotonic()
        set_deadline(until)
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


_PROBES = 16  # health checks and metrics scrapes at the same time
_PROBE_TIMEOUT = 5.0  # seconds
_STORING = 60.0  # seconds for the store alone
_CLOSE_TIMEOUT = 1.0  # seconds that jobs get whose requests are over


class Service:
    """One collection and one model for all requests."""

    def __init__(self, index: Index, settings: ServeSettings) -> None:
        self.index, self.settings = index, settings
        self.metrics, self.guesses = Metrics(), Guesses()
        metrics = self.metrics
        self.thread: ModelThread | None = None  # computes for all requests, once a model is loaded
        index.prepare_model(self._batching)
        self.reading = BoundedExecutor("read", settings.threads, settings.queue, metrics.rejected.inc)
        # Writes run one at a time, in a queue of their own: reads never wait for them.
        self.writing = BoundedExecutor("write", 1, settings.write_queue, metrics.rejected.inc)
        self._probing = BoundedExecutor("probe", 1, _PROBES)
        self._aside = BoundedExecutor("aside", 1, settings.queue, metrics.rejected.inc)
        metrics.reading.set_function(lambda: self.reading.busy)
        metrics.writing.set_function(lambda: self.writing.busy)
        metrics.waiting.set_function(lambda: self.thread.waiting if self.thread else 0)

    def _batching(self, model: RecipeModel) -> RecipeModel:
        """The model with an encoder that batches the requests of all threads."""

        def watch(kind: str, size: int) -> None:
            self.metrics.batch_size.labels(kind).observe(size)

        settings = self.settings
        encoder = BatchingEncoder(model.encoder, settings.batch_window, settings.max_batch, watch)
        self.thread = encoder.thread
        return model.with_encoder(encoder)

    @property
    def chef(self) -> RecipeModel:
        """The collection's model; one thread computes for all requests."""
        return self.index.chef

    @cached_property
    def review(self) -> Review:
        """The canonical review."""
        if self.settings.review is None:
            raise Refusal(404, "no canonical review here; start chef serve with --review FOLDER")
        return Review(self.settings.review, self.index)

    def warm_up(self) -> None:
        """Load what the first request would otherwise wait for, and give back what loading took."""
        from PIL import Image

        self.index.search(Image.new("RGB", (64, 64)), text="milk", k=1)
        if sys.platform == "linux":
            ctypes.CDLL(None).malloc_trim(0)  # some 140 MB

    async def read(self, job: Callable[[], Result]) -> Result:
        """The result of a job that only reads: 503 if it takes too long, 429 if the queue is full."""
        return await self.reading.run(job, self.settings.timeout)

    async def write(self, job: Callable[[], Result]) -> Result:
        """The result of a job that changes something. Past its time nothing was stored: all is computed
        first, and then stored in one go."""
        return await self.writing.run(job, self.settings.write_timeout, _STORING)

    async def aside(self, job: Callable[[], Result]) -> Result:
        """The result of a long job that is done once for all, such as the map: reads do not wait for it."""
        return await self._aside.run(job, self.settings.timeout)

    async def probe(self, job: Callable[[], Result]) -> Result:
        """The result of a short job for monitoring, which never waits behind requests: a busy service must
        not seem dead."""
        return await self._probing.run(job, _PROBE_TIMEOUT)

    def entry(self, id: str) -> Entry:
        """The recipe of the collection; an unknown id is 404."""
        try:
            _ = self.index.version  # notices what other processes have written
            return self.index.get(id)
        except ChefError as error:
            raise refusal(error) from error

    def close(self) -> bool:
        """End the threads -> False if some are still busy after a moment; the exit must not wait for them."""
        all_of_them = (self.reading, self.writing, self._probing, self._aside)
        closed = [executor.close(_CLOSE_TIMEOUT) for executor in all_of_them]
        if all(closed) and self.thread is not None:
            self.thread.close()
        return all(closed)


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


CurrentService = Annotated[Service, Depends(_service)]  # of the app that the request came to
