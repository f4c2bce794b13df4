"""Encoder: the one place that turns recipe texts and photos into vectors, trees and attention weights.

It batches, pads, moves to the device and back. Several threads may use one encoder at the same time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, repeat
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor

from chef.data.batches import RecipeBatch, recipe_batch
from chef.data.texts import RecipeText, numbered
from chef.model.joint import JointModel, Merges
from chef.model.photos import PhotoSide
from chef.model.photos import Vectors as Vectors
from chef.model.tree import RecipeTrees, Tree
from chef.text.vocabulary import SPECIAL, UNK, Vocabulary

_RECIPES, _GPU_RECIPES = 64, 256
_WORDS = 2000  # of the recipes in a batch on a CPU; for the activations of more, memory comes and goes
_PHOTOS, _GPU_PHOTOS = 8, 128  # the activations of more photos do not fit into a core's cache
_FEW = 4  # recipes or photos that one thread encodes as fast as many

_Positions = np.ndarray[Any, np.dtype[np.int16]]
Item = TypeVar("Item")


class _RecipeMerges(NamedTuple):
    """The merge positions of one recipe's trees, padded as in its batch; None where there are no trees."""

    ingredients: _Positions | None  # (Li-1,)
    sentences: _Positions | None  # (sentences, Ls-1)
    instructions: _Positions | None  # (most steps - 1,)
    leaf_scores: Vectors | None = None  # (Li,) of a taught ingredient tree
    word_scores: Vectors | None = None  # (sentences, Ls)


@dataclass(frozen=True)
class Encoded:
    """Encoded recipes, row by row. Trees are only built when they are asked for."""

    texts: Sequence[RecipeText]
    vectors: Vectors  # (n, space)
    merges: Sequence[_RecipeMerges]
    weights: Sequence[Vectors] | None  # attention over the ingredients, padded as in its batch

    def __getitem__(self, rows: slice) -> Encoded:
        weights = None if self.weights is None else self.weights[rows]
        return Encoded(self.texts[rows], self.vectors[rows], self.merges[rows], weights)

    @cached_property
    def trees(self) -> list[RecipeTrees]:
        """The trees of each recipe: those the model chose, or was given."""
        return [_trees(*row) for row in zip(self.texts, self.merges, strict=True)]

    @property
    def attention(self) -> list[list[float]] | None:
        """The weight of each ingredient; None if the model has no attention over ingredients."""
        if self.weights is None:
            return None
        rows = zip(self.texts, self.weights, strict=True)
        return [weights[: len(text.ingredients)].tolist() for text, weights in rows]


class Encoder:
    """Encodes with a model in evaluation mode, on the device where the model is.

    vocabulary: not needed where recipes come as batches of word numbers (`embed_batch`). photos: opens the
    model's photo side on ONNX Runtime, which on a CPU is faster than torch.

    >>> encoder = chef.load().encoder
    >>> encoder.encode([text]).trees[0].ingredients.depths
    (2, 2, 1)
    """

    def __init__(
        self,
        model: JointModel,
        vocabulary: Vocabulary | None = None,
        photos: Callable[[], PhotoSide] | None = None,
    ) -> None:
        if model.training:
            model.eval()
        self.model = model
        self._vocabulary, self.open_photos = vocabulary, photos
        first = next(model.parameters())
        self.device, self._dtype = first.device, first.dtype
        on_cpu = self.device.type == "cpu"
        self.batch_size = _RECIPES if on_cpu else _GPU_RECIPES
        self._words = _WORDS if on_cpu else None
        self._photo_batch_size = _PHOTOS if on_cpu else _GPU_PHOTOS
        # CUDA graphs read and write buffers of their own: one thread at a time.
        self._exclusive: AbstractContextManager[Any] = nullcontext() if on_cpu else Lock()

    @cached_property
    def photos(self) -> PhotoSide | None:
        """The model's photo side on ONNX Runtime."""
        return self.open_photos() if self.open_photos and self.device.type == "cpu" else None

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that the model knows."""
        assert self._vocabulary is not None, "this encoder was made without a vocabulary"
        return self._vocabulary

    def encode(
        self,
        texts: Sequence[RecipeText],
        trees: Sequence[RecipeTrees | None] | None = None,
        batches: Iterable[list[int]] | None = None,
    ) -> Encoded:
        """Vectors, trees and attention weights of recipes.

        trees: the structures to keep for each recipe; they must have the leaves of its text.
        batches: the rows that are encoded together; rows of one batch keep trees at the same levels.
        """
        merges: list[_RecipeMerges] = [_RecipeMerges(None, None, None)] * len(texts)
        weights: list[Vectors] = [np.zeros(0, np.float32)] * len(texts)
        vectors, has_attention = self._no_vectors(len(texts)), False
        for rows, part in self._parts(texts, trees, batches):
            vectors[rows] = part.vectors
            has_attention = has_attention or part.weights is not None
            for position, row in enumerate(rows):
                merges[row] = part.merges[position]
                if part.weights is not None:
                    weights[row] = part.weights[position]
        return Encoded(texts, vectors, merges, weights if has_attention else None)

    def embed(
        self,
        texts: Sequence[RecipeText],
        trees: Sequence[RecipeTrees | None] | None = None,
        batches: Iterable[list[int]] | None = None,
    ) -> Vectors:
        """(n, space) the vectors alone, which takes less memory than `encode`."""
        vectors = self._no_vectors(len(texts))
        for rows, part in self._parts(texts, trees, batches):
            vectors[rows] = part.vectors
        return vectors

    def embed_images(self, pictures: Iterable[Tensor], views: int | None = None) -> Vectors:
        """(n, space) of pictures as the model's image transform makes them, taken a batch at a time.

        views: 1, or 2 for the mean of two views of a photo; the model's own choice if not given.
        """
        parts = [self.image_batch(batch, views) for batch in in_batches(pictures, self._photo_batch_size)]
        return np.concatenate(parts) if parts else self._no_vectors(0)

    def embed_photos(self, photos: Iterable[bytes]) -> Vectors:
        """(n, space) of photos as JPEG, PNG or WebP bytes; raises BadImage."""
        return self.embed_images(map(self.model.tower.transform.evaluate, photos))

    # One batch

    @torch.no_grad()
    def encode_batch(
        self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees] | None = None
    ) -> Encoded:
        """Recipes that go through the model together."""
        batch = self.batch(texts)
        with one_thread(len(texts) < _FEW), self._exclusive:
            kept = None if trees is None else self._merges(trees)
            encoding = self.model.encode_recipes(batch.to(self.device), merges=kept)
            vectors = self.model.place_recipes(encoding.vector).float().cpu().numpy()
            positions = [None if part is None else _host(part, torch.int16) for part in encoding.merges]
            of_leaves, of_words = (
                None if part is None or part.scores is None else _host(part.scores, torch.float32)
                for part in (encoding.ingredients, encoding.sentences)
            )
            weights = encoding.ingredients.attention
            rows = None if weights is None else list(_host(weights, torch.float32))
        ingredients, sentences, instructions = positions
        ends = batch.steps.cumsum(0).tolist()  # the sentences of all recipes are in one flat table
        merges = [
            _RecipeMerges(
                None if ingredients is None else ingredients[row],
                None if sentences is None else sentences[first:end],
                None if instructions is None else instructions[row],
                None if of_leaves is None else of_leaves[row],
                None if of_words is None else of_words[first:end],
            )
            for row, (first, end) in enumerate(pairwise([0, *ends]))
        ]
        return Encoded(texts, vectors, merges, rows)

    def image_batch(self, pictures: Sequence[Tensor], views: int | None = None) -> Vectors:
        """Pictures that go through the model together."""
        many = len(pictures) >= _FEW  # opening the photo side takes as long as a few photos
        if many and self.photos is not None and views in (None, self.model.config.image_views):
            return self.photos.embed([picture.numpy() for picture in pictures])[0]
        # Channels last: convolutions take half the time on a CPU.
        images = torch.stack(list(pictures)).contiguous(memory_format=torch.channels_last)
        with one_thread(len(pictures) < _FEW):
            vectors: Vectors = self.embed_tensor(images, views).numpy()
        return vectors

    @torch.no_grad()
    def embed_tensor(self, images: Tensor, views: int | None = None) -> Tensor:
        """Images (B, 3, H, W), or features of the image tower (B, F), -> (B, space) on the CPU."""
        with self._exclusive:
            return self.model.embed_images(images.to(self.device, self._dtype), views=views).float().cpu()

    @torch.no_grad()
    def place_images(self, views: Sequence[Tensor]) -> Tensor:
        """The image tower's features of each view of images, (B, F), -> (B, space) on the CPU."""
        with self._exclusive:
            seen = [features.to(self.device, self._dtype) for features in views]
            return self.model.place_images(seen).float().cpu()

    @torch.no_grad()
    def image_features(self, images: Tensor, views: int = 1) -> list[Tensor]:
        """Images (B, 3, H, W) -> the image tower's features of each view (B, F), on the CPU."""
        with self._exclusive:
            seen = self.model.image_features(images.to(self.device, self._dtype), views)
            return [features.float().cpu() for features in seen]

    @torch.no_grad()
    def embed_batch(self, batch: RecipeBatch) -> Tensor:
        """Recipes as word numbers -> (B, space) on the CPU."""
        with self._exclusive:
            return self.model.embed_recipes(batch.to(self.device)).float().cpu()

    def batch(self, texts: Sequence[RecipeText]) -> RecipeBatch:
        """Texts as padded word numbers, on the CPU."""
        return recipe_batch([numbered(text.tokens, self.vocabulary) for text in texts])

    def _parts(
        self,
        texts: Sequence[RecipeText],
        trees: Sequence[RecipeTrees | None] | None,
        batches: Iterable[list[int]] | None,
    ) -> Iterator[tuple[list[int], Encoded]]:
        """Each batch: its rows, and what they become."""
        if batches is None:
            batches = batches_by_length(texts, self.batch_size, trees, self._words)
        for rows in batches:
            kept = None if trees is None else [trees[row] or RecipeTrees() for row in rows]
            yield rows, self.encode_batch([texts[row] for row in rows], kept)

    def _merges(self, trees: Sequence[RecipeTrees]) -> Merges:
        """The given trees of one batch, all at the same levels."""
        merges: dict[str, Tensor] = {}
        for level in ("ingredients", "instructions"):
            if all(getattr(tree, level) for tree in trees):
                merges[level] = self._positions([getattr(tree, level) for tree in trees])
        if all(tree.sentences is not None for tree in trees):
            # A recipe without sentences is a single <UNK> to the model, which takes no merge.
            sentences = [one for tree in trees for one in tree.sentences or (None,)]
            merges["sentences"] = self._positions(sentences)
        return Merges(**merges)

    def _positions(self, trees: Sequence[Tree | None]) -> Tensor:
        rows = [tree.merges if tree else () for tree in trees]
        width = max(map(len, rows))
        table = [[*row, *[-1] * (width - len(row))] for row in rows]
        return torch.tensor(table, dtype=torch.long, device=self.device).reshape(len(rows), width)

    def _no_vectors(self, count: int) -> Vectors:
        return np.zeros((count, self.model.config.space), np.float32)


def batches_by_length(
    texts: Sequence[RecipeText],
    size: int,
    trees: Sequence[RecipeTrees | None] | None = None,
    words: int | None = None,
) -> Iterator[list[int]]:
    """Rows to encode together: similar lengths, so that there is little padding; trees at the same levels.

    At most `size` of them, and at most so many `words` of instructions, unless one alone has more.
    """
    lengths = [sum(map(len, text.sentences)) for text in texts]
    groups: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    for row in sorted(range(len(texts)), key=lengths.__getitem__):
        kept = (trees[row] if trees is not None else None) or RecipeTrees()
        groups[kept.ingredients is None, kept.sentences is None, kept.instructions is None].append(row)
    for rows in groups.values():
        batch: list[int] = []
        total = 0
        for row in rows:
            if batch and (len(batch) == size or (words is not None and total + lengths[row] > words)):
                yield batch
                batch, total = [], 0
            batch.append(row)
            total += lengths[row]
        yield batch


def in_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in order, `size` at a time."""
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


@contextmanager
def one_thread(wanted: bool = True) -> Iterator[None]:
    """Inside, torch computes on one thread, if that is wanted.

    More threads do not help with one photo, one recipe, or the weights of a file: they spin between small
    operations, which doubles the CPU time.
    """
    usual = torch.get_num_threads()
    if wanted:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if wanted:
            torch.set_num_threads(usual)


def _host(values: Tensor, dtype: torch.dtype) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = values.to("cpu", dtype).numpy()
    return array


def _trees(text: RecipeText, merges: _RecipeMerges) -> RecipeTrees:
    def tree(tokens: Sequence[str], positions: _Positions, scores: Vectors | None = None) -> Tree:
        return Tree.from_merges(
            tokens or [SPECIAL[UNK]], positions.tolist(), () if scores is None else scores.tolist()
        )

    ingredients, sentences, instructions, of_leaves, of_words = merges
    numbers = [str(number) for number in range(1, max(len(text.sentences), 1) + 1)]
    return RecipeTrees(
        None if ingredients is None else tree(text.ingredients, ingredients, of_leaves),
        None
        if sentences is None
        else tuple(map(tree, text.sentences, sentences, repeat(None) if of_words is None else of_words)),
        None if instructions is None else tree(numbers, instructions),
    )
