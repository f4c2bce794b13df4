"""A collection for many threads: its model is a shared one, also after another process has changed it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from chef.errors import ChefError
from chef.index import Index
from chef.model.encoder import Encoder
from chef.model.recipe_model import RecipeModel
from chef.serve.micro_batching import BatchingEncoder, ModelThread


class SharedIndex(Index):
    """The same collection as the Index it is made of.

    >>> index = SharedIndex(chef.Index("my-collection"), lambda encoder: BatchingEncoder(encoder, 0.004, 16))
    """

    def __init__(self, index: Index, batching: Callable[[Encoder], BatchingEncoder]) -> None:
        self.__dict__.update(index.__dict__)
        self._batching = batching
        self._fault: ChefError | None = None
        if self._chef is not None:
            self._chef = self._shared(self._chef)

    @property
    def thread(self) -> ModelThread:
        """The thread that computes for all requests."""
        encoder = self.chef.encoder
        assert isinstance(encoder, BatchingEncoder)
        return encoder.thread

    def ready(self) -> None:
        """Raise ChefError unless the collection can be read with a model that is here."""
        _ = self.version
        if self._fault is not None:
            list(self.entries(0, 0))  # which looks again

    def close(self) -> None:
        """End the thread of the model, if there is one."""
        if self._chef is not None:
            self.thread.close()

    def _load(self, model: str | Path | RecipeModel | None) -> None:
        try:
            super()._load(model)
        except ChefError as error:
            # Whoever asks next cannot help that the collection was rebuilt for a model that is not here.
            self._fault = ChefError(f"the collection at {self.url} needs another model: {error}")
            raise self._fault from error
        assert self._chef is not None
        self._chef, self._fault = self._shared(self._chef), None

    def _shared(self, model: RecipeModel) -> RecipeModel:
        return model.with_encoder(self._batching(model.encoder))
