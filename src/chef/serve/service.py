"""The service behind the routes: one collection and one model for all requests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from chef.errors import ChefError
from chef.index import Entry, Index
from chef.model.recipe_model import RecipeModel
from chef.recipe import Recipe
from chef.serve.errors import Refusal, not_found
from chef.serve.executor import BoundedExecutor
from chef.serve.metrics import Metrics
from chef.serve.micro_batching import BatchingEncoder, ModelThread
from chef.serve.review import Review
from chef.serve.settings import ServeSettings

_PROBES = 16  # health checks and metrics scrapes at the same time
_PROBE_TIMEOUT = 5.0  # seconds
_CLOSE_TIMEOUT = 1.0  # seconds that jobs get whose requests are over

Result = TypeVar("Result")


class Service:
    """One collection and one model for all requests."""

    def __init__(self, index: Index, settings: ServeSettings) -> None:
        self.index, self.settings = index, settings
        self.metrics = metrics = Metrics()
        self.thread: ModelThread | None = None  # computes for all requests, once a model is loaded
        index.prepare_model(self._batching)
        self.reading = BoundedExecutor("read", settings.threads, settings.queue, metrics.rejected.inc)
        # Writes run one at a time, in a queue of their own: reads never wait for them.
        self.writing = BoundedExecutor("write", 1, settings.write_queue, metrics.rejected.inc)
        self._probing = BoundedExecutor("probe", 1, _PROBES)
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
        """Load what the first request would otherwise wait for."""
        self.index.search(recipe=Recipe("warm", "Warm milk"), text="milk", k=1)

    async def read(self, job: Callable[[], Result]) -> Result:
        """The result of a job that only reads: 503 if it takes too long, 429 if the queue is full."""
        return await self.reading.run(job, self.settings.timeout)

    async def write(self, job: Callable[[], Result]) -> Result:
        """The result of a job that changes something; without a timeout, because its size is bounded and a
        client that was refused midway could not know what became of it."""
        return await self.writing.run(job, None)

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
            raise not_found(error) from error

    def close(self) -> bool:
        """End the threads -> False if some are still busy after a moment; the exit must not wait for them."""
        closed = [executor.close(_CLOSE_TIMEOUT) for executor in (self.reading, self.writing, self._probing)]
        if all(closed) and self.thread is not None:
            self.thread.close()
        return all(closed)


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


CurrentService = Annotated[Service, Depends(_service)]  # of the app that the request came to
