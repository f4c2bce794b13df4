"""The service behind the routes: the collection, the model, and the work under way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from fastapi import Request

from chef.errors import ChefError
from chef.recipe import Recipe
from chef.serve.failures import Refusal, not_there
from chef.serve.line import Line
from chef.serve.metrics import Metrics
from chef.serve.micro_batching import BatchingEncoder, ModelThread
from chef.serve.review import Review
from chef.serve.settings import ServeSettings

if TYPE_CHECKING:
    from chef.index import Entry, Index
    from chef.model.recipe_model import RecipeModel

_LOOKERS = 16  # who watch the service at the same time
_LOOK = 5.0  # seconds a look may take
_MOMENT = 1.0  # seconds that jobs get whose requests are over

Result = TypeVar("Result")


class Service:
    """One collection and one model for all requests."""

    def __init__(self, index: Index, settings: ServeSettings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.index = index
        self.thread: ModelThread | None = None  # computes for all requests, once a model is loaded
        index.prepare_model(self._batching)
        self.reading = Line("read", settings.threads, settings.queue)
        # Writers come one at a time, in a line of their own: readers need not wait for them.
        self.writing = Line("write", 1, settings.write_queue)
        self._looking = Line("look", 1, _LOOKERS)

    def _batching(self, model: RecipeModel) -> RecipeModel:
        settings = self.settings
        encoder = BatchingEncoder(
            model.encoder, settings.batch_window, settings.batch_most, self.metrics.batch
        )
        self.thread = encoder.thread
        return model.with_encoder(encoder)

    @property
    def chef(self) -> RecipeModel:
        """The collection's model; one thread computes for all requests, and for searches."""
        return self.index.chef

    @cached_property
    def review(self) -> Review:
        """The canonical review."""
        if self.settings.review is None:
            raise Refusal(404, "no canonical review here; start chef serve with --review FOLDER")
        return Review(self.settings.review, self.index)

    def warm(self) -> None:
        """Load what the first request would otherwise wait for."""
        self.index.search(recipe=Recipe("warm", "Warm milk"), text="milk", k=1)

    async def write(self, job: Callable[[], Result]) -> Result:
        """The result of a job that changes something, one at a time and to its end: its size is bounded,
        and a client that was sent away could not know what became of it."""
        return await self.writing.run(job, None)

    async def work(self, job: Callable[[], Result]) -> Result:
        """The result of a job in a thread of its own; one that takes too long is 503, one too many 429."""
        return await self.reading.run(job, self.settings.timeout)

    async def look(self, job: Callable[[], Result]) -> Result:
        """The result of a short look at the collection, for those who watch the service: it must not wait
        behind requests, or a service with much to do would seem dead."""
        return await self._looking.run(job, _LOOK)

    def entry(self, id: str) -> Entry:
        """The recipe of the collection; an unknown id is 404."""
        try:
            _ = self.index.version  # looks for what other processes have written
            return self.index.get(id)
        except ChefError as error:
            raise not_there(error) from error

    def close(self) -> bool:
        """End the threads -> False if some still work after a moment; they must not hold up the end."""
        ended = [line.close(_MOMENT) for line in (self.reading, self.writing, self._looking)]
        if all(ended) and self.thread is not None:
            self.thread.close()
        return all(ended)


def service(request: Request) -> Service:
    """The service of the app that a request came to."""
    found: Service = request.app.state.service
    return found
