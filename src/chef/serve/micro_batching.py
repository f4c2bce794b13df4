"""Micro-batching: one thread runs the model on what several requests ask for at the same moment."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, TypeVar
from weakref import finalize

import numpy as np
from torch import Tensor

from chef.data.texts import RecipeText
from chef.model.encoder import Encoded, Encoder, Vectors
from chef.model.tree import RecipeTrees

PHOTO, RECIPE = "photo", "recipe"
_PHOTOS = 4

Result = TypeVar("Result")
Compute = Callable[[Sequence[Any]], Iterable[Any]]


class BatchingEncoder(Encoder):
    """An encoder for many threads: callers preprocess photos and texts, one thread runs the model for all.

    Simultaneous calls are joined into one batch; recipes with given trees are encoded alone.

    >>> model = chef.load()
    >>> model = model.with_encoder(BatchingEncoder(model.encoder, window=0.004, max_batch=16))
    """

    def __init__(
        self, encoder: Encoder, window: float, max_batch: int, watch: Callable[[str, int], None] | None = None
    ) -> None:
        """window, max_batch, watch: see `ModelThread`."""
        super().__init__(encoder.model, encoder.vocabulary, encoder.open_photos)
        self._encoder, self._exclusive = encoder, encoder._exclusive
        compute: dict[str, Compute] = {
            PHOTO: partial(_embed_photos, encoder), RECIPE: partial(_encode_jobs, encoder)
        }  # fmt: skip
        self.thread = ModelThread(compute, window, max_batch, watch)
        # The thread does not refer to this object: once a model is replaced, its thread ends.
        finalize(self, self.thread.end).atexit = False

    def encode_batch(
        self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees] | None = None
    ) -> Encoded:
        if trees is not None:
            return self.thread.call(lambda: self._encoder.encode_batch(texts, trees))
        encoded: Encoded = self.thread.submit(RECIPE, texts).result()
        return encoded

    def image_batch(self, pictures: Sequence[Tensor], views: int | None = None) -> Vectors:
        if views is not None:
            return self.thread.call(lambda: self._encoder.image_batch(pictures, views))
        futures = [self.thread.submit(PHOTO, picture) for picture in pictures]
        return np.stack([future.result() for future in futures])


def _embed_photos(encoder: Encoder, pictures: Sequence[Tensor]) -> list[Vectors]:
    """The vectors of photos, a few at a time on a CPU: 16 take 150 MB more memory there and no less time."""
    size = _PHOTOS if encoder.device.type == "cpu" else len(pictures)
    return [
        vector
        for start in range(0, len(pictures), size)
        for vector in encoder.image_batch(pictures[start : start + size])
    ]


def _encode_jobs(encoder: Encoder, jobs: Sequence[Sequence[RecipeText]]) -> list[Encoded]:
    """The texts of several callers in one batch, and each caller's part of the result."""
    encoded = encoder.encode_batch([text for texts in jobs for text in texts])
    ends = accumulate(map(len, jobs))
    return [encoded[end - len(texts) : end] for texts, end in zip(jobs, ends, strict=True)]


@dataclass(slots=True)
class _Job:
    kind: str | None  # None: a call that is not batched
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
        max_batch: int = 16,
        watch: Callable[[str, int], None] | None = None,
    ) -> None:
        """window: seconds that the first item of a batch waits for others; max_batch: items of a batch.

        `watch(kind, size)` is called after every batch.
        """
        self._kinds, self._watch = kinds, watch
        self._window, self._max_batch = window, max_batch
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="chef-model", daemon=True)
        self._thread.start()

    def submit(self, kind: str, item: Any) -> Future[Any]:
        """Queue one item, to be computed with others of its kind."""
        return self._put(_Job(kind, item))

    def call(self, function: Callable[[], Result]) -> Result:
        """The result of a function that needs the model to itself; on this very thread it runs at once."""
        if threading.current_thread() is self._thread:
            return function()
        result: Result = self._put(_Job(None, function)).result()
        return result

    @property
    def waiting(self) -> int:
        """Jobs that have not started."""
        return len(self._jobs)

    def end(self) -> None:
        """Let the thread finish its jobs and then end, without waiting for it."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def close(self) -> None:
        """Finish all jobs and end the thread."""
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
        """The first job and others of its kind that arrive within the window; empty when closed and done."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            if not self._jobs:
                return []
            first = self._jobs.popleft()
            batch = [first]
            until = time.monotonic() + self._window
            while first.kind is not None:
                same = [job for job in self._jobs if job.kind == first.kind][: self._max_batch - len(batch)]
                for job in same:
                    self._jobs.remove(job)
                batch += same
                left = until - time.monotonic()
                if len(batch) == self._max_batch or left <= 0 or self._closed:
                    break
                self._changed.wait(left)
            return batch

    def _compute(self, batch: list[_Job]) -> None:
        kind = batch[0].kind
        try:
            if kind is None:
                results: Iterable[Any] = [batch[0].item()]
            else:
                results = self._kinds[kind]([job.item for job in batch])
                if self._watch:
                    self._watch(kind, len(batch))
        except Exception as error:
            if len(batch) == 1:
                batch[0].future.set_exception(error)
            else:
                # One bad item must not fail the others: each is tried alone.
                for job in batch:
                    self._compute([job])
            return
        for job, result in zip(batch, results, strict=True):
            job.future.set_result(result)
