"""A model for many threads: pictures and text are read by who asks, one thread computes for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import finalize

import torch
from torch import Tensor

from chef.data.batches import RecipeBatch
from chef.data.settings import PrepareSettings
from chef.data.texts import RecipeText, TextMaker
from chef.food.canonical import CanonicalMap
from chef.model.encoders import Encoding
from chef.model.joint import JointModel
from chef.model.loaded import Chef
from chef.model.recipe_encoder import Merges, RecipeEncoding
from chef.model.threads import one_thread
from chef.recipe import Recipe
from chef.serve.model_thread import ModelThread

if TYPE_CHECKING:
    from chef.model.noise import Noise

_FEW = 4  # that one thread of torch embeds as fast as many
PHOTO, RECIPE = "photo", "recipe"

Result = TypeVar("Result")


class SharedChef(Chef):
    """The same model as the Chef it is made of, for many threads.

    >>> shared = SharedChef(chef.load(), window=0.004, most=16)
    """

    def __init__(
        self, chef: Chef, window: float, most: int, watch: Callable[[str, int], None] | None = None
    ) -> None:
        self.__dict__.update(chef.__dict__)
        self.__dict__.pop("texts", None)  # which is not made for many threads
        self._plain = chef
        # The labeller of ingredient lines keeps the last line's figures in itself: one reader at a time.
        self.reading = RLock()
        shared = SharedModel(chef.model, window, most, watch)
        self.thread = shared.thread
        self.model = cast(JointModel, shared)
        # A model whose place another one took ends with its last request.
        finalize(self, shared.thread.end).atexit = False

    @cached_property
    def texts(self) -> TextMaker:
        maker = self._plain.texts
        return _OneAtATime(maker.canonical, maker.settings, self.reading)


class _OneAtATime(TextMaker):
    def __init__(self, canonical: CanonicalMap, settings: PrepareSettings, reading: RLock) -> None:
        super().__init__(canonical, settings)
        self._reading = reading

    def __call__(self, recipe: Recipe) -> RecipeText:
        with self._reading:
            return super().__call__(recipe)


class SharedModel:
    """A joint model whose towers run in one thread, on what several callers ask for at the same moment.

    Everything else of the model is the model's own.
    """

    def __init__(
        self, model: JointModel, window: float, most: int, watch: Callable[[str, int], None] | None
    ) -> None:
        self._model = model
        self.thread = ModelThread({PHOTO: self._photos, RECIPE: self._recipes}, window, most, watch)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def embed_images(self, images: Tensor, *, views: int | None = None) -> Tensor:
        if views is not None or self.thread.is_here:
            return self._alone(lambda: self._model.embed_images(images, views=views))
        waiting = [self.thread.submit(PHOTO, image) for image in images]
        return torch.stack([future.result() for future in waiting])

    def encode_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> RecipeEncoding:
        if noise is not None or merges is not None or self.thread.is_here:
            return self._alone(lambda: self._model.encode_recipes(batch, noise=noise, merges=merges))
        encoding: RecipeEncoding = self.thread.submit(RECIPE, batch).result()
        return encoding

    @torch.no_grad()
    def embed_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> Tensor:
        encoding = self.encode_recipes(batch, noise=noise, merges=merges)
        return self._model.heads.embed_recipes(encoding.vector, noise)

    def trees(self, batch: RecipeBatch) -> Merges:
        return self.encode_recipes(batch).merges

    def _alone(self, compute: Callable[[], Result]) -> Result:
        # The caller's no_grad holds in the caller's thread only.
        return self.thread.call(torch.no_grad()(compute))

    @torch.no_grad()
    def _photos(self, pictures: Sequence[Tensor]) -> Sequence[Tensor]:
        with one_thread(len(pictures) < _FEW):
            # Colours side by side: convolutions take half the time on a CPU.
            batch = torch.stack(list(pictures)).contiguous(memory_format=torch.channels_last)
            return self._model.embed_images(batch).unbind()

    @torch.no_grad()
    def _recipes(self, batches: Sequence[RecipeBatch]) -> Sequence[RecipeEncoding]:
        with one_thread(sum(map(len, batches)) < _FEW):
            return parted(self._model.encode_recipes(joined(batches)), batches)


def joined(batches: Sequence[RecipeBatch]) -> RecipeBatch:
    """Several batches as one, in order."""
    return RecipeBatch(
        title=_stacked([batch.title for batch in batches]),
        title_lengths=torch.cat([batch.title_lengths for batch in batches]),
        ingredients=_stacked([batch.ingredients for batch in batches]),
        ingredient_lengths=torch.cat([batch.ingredient_lengths for batch in batches]),
        sentences=_stacked([batch.sentences for batch in batches]),
        sentence_lengths=torch.cat([batch.sentence_lengths for batch in batches]),
        steps=torch.cat([batch.steps for batch in batches]),
    )


def _stacked(tables: Sequence[Tensor]) -> Tensor:
    """Padded rows of different widths as one table; the padding is 0."""
    width = max(table.shape[1] for table in tables)
    return torch.cat([torch.nn.functional.pad(table, (0, width - table.shape[1])) for table in tables])


def parted(encoding: RecipeEncoding, batches: Sequence[RecipeBatch]) -> list[RecipeEncoding]:
    """The encoding of `joined` batches as one encoding for each."""
    parts, row, sentence = [], 0, 0
    for batch in batches:
        rows = slice(row, row := row + len(batch))
        sentences = slice(sentence, sentence := sentence + len(batch.sentences))
        parts.append(_part(encoding, batch, rows, sentences))
    return parts


def _part(encoding: RecipeEncoding, batch: RecipeBatch, rows: slice, sentences: slice) -> RecipeEncoding:
    """The encoding of one batch: some rows of recipes, and of their sentences."""
    return RecipeEncoding(
        title=encoding.title and _cut(encoding.title, rows, batch.title.shape[1]),
        ingredients=_cut(encoding.ingredients, rows, batch.ingredients.shape[1]),
        sentences=encoding.sentences and _cut(encoding.sentences, sentences, batch.sentences.shape[1]),
        instructions=_cut(encoding.instructions, rows, int(batch.steps.max())),
        others=tuple(_part(other, batch, rows, sentences) for other in encoding.others),
        context=tuple(vectors[rows] for vectors in encoding.context),
    )


def _cut(encoding: Encoding, rows: slice, length: int) -> Encoding:
    """Some rows, as if none of the batch had been longer than `length`."""
    vector, merges, attention = encoding
    return Encoding(
        vector[rows],
        None if merges is None else merges[rows, : length - 1],
        None if attention is None else attention[rows, :length],
    )
