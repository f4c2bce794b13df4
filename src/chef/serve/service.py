"""The service behind the routes: the collection, the model, and the work under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from fastapi import Request

from chef.errors import ChefError
from chef.index import Index
from chef.recipe import Recipe
from chef.serve.failures import Refusal, not_there
from chef.serve.metrics import Metrics
from chef.serve.review import Review
from chef.serve.settings import ServeSettings
from chef.serve.shared_chef import SharedChef

if TYPE_CHECKING:
    from chef.index import Entry

Result = TypeVar("Result")


class Service:
    """One collection and one model for all requests."""

    def __init__(self, index: Index, settings: ServeSettings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        # The collection asks this model too: the embeds of all requests meet in one thread.
        self.chef = SharedChef(index.chef, settings.batch_window, settings.batch_most, self.metrics.batch)
        self.index = Index(index.url, self.chef)
        self._writing = Lock()  # readers need not wait
        self._pool = ThreadPoolExecutor(settings.threads, "chef-request")
        self._busy = 0
        self._count = Lock()

    @cached_property
    def review(self) -> Review:
        """The canonical review."""
        if self.settings.review is None:
            raise Refusal(404, "no canonical review here; start chef serve with --review FOLDER")
        return Review(self.settings.review, self.index)

    def warm(self) -> None:
        """Load what the first request would otherwise wait for."""
        self.index.search(recipe=Recipe("warm", "Warm milk"), k=1)

    @property
    def busy(self) -> int:
        """Requests at work or waiting for a thread."""
        return self._busy

    async def write(self, job: Callable[[], Result]) -> Result:
        """The result of a job that changes something, one at a time and to its end: its size is bounded,
        and a client that was sent away could not know what became of it."""

        def alone() -> Result:
            with self._writing:
                return job()

        return await self._run(alone, None)

    async def work(self, job: Callable[[], Result]) -> Result:
        """The result of a job in a thread of its own; one that takes too long is 503."""
        return await self._run(job, self.settings.timeout)

    async def _run(self, job: Callable[[], Result], seconds: float | None) -> Result:
        """Too many jobs at once are 503."""
        with self._count:
            if self._busy >= self.settings.queue:
                raise Refusal(503, "too many requests at once; try again in a moment", {"retry-after": "1"})
            self._busy += 1
        future = self._pool.submit(job)
        # A job that outlives its request still counts until its thread is free.
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
        except TimeoutError:
            raise Refusal(503, f"this took longer than {seconds:g} seconds", {"retry-after": "10"}) from None

    def _done(self, future: Future[Result]) -> None:
        with self._count:
            self._busy -= 1

    def entry(self, id: str) -> Entry:
        """The recipe of the collection; an unknown id is 404."""
        try:
            _ = self.index.version  # looks for what other processes have written
            return self.index.get(id)
        except ChefError as error:
            raise not_there(error) from error

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.chef.thread.close()


def service(request: Request) -> Service:
    """The service of the app that a request came to."""
    found: Service = request.app.state.service
    return found
