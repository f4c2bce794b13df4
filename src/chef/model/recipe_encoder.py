"""The recipe tower: title, ingredients and instructions, each one vector, side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.model.encoders import (
    AheadEncoder,
    Encoding,
    MeanEncoder,
    PooledEncoder,
    RecurrentEncoder,
    SequenceEncoder,
    SetEncoder,
    TransformerEncoder,
    TreeEncoder,
    masked_mean,
)
from chef.model.noise import Noise
from chef.model.registry import Kind, Variant, variant
from chef.model.words import Words
from chef.text.vocabulary import PAD

if TYPE_CHECKING:
    from chef.data.batches import RecipeBatch

_OTHERS_NOISE = 5  # the first part of a sample's noise for the other readers; the heads have 3 and 4


class Merges(NamedTuple):
    """Tree structures of a batch; None where an encoder has no trees, or is to choose anew."""

    ingredients: Tensor | None = None  # (B, Li-1)
    sentences: Tensor | None = None  # (S, Ls-1)
    instructions: Tensor | None = None  # (B, most steps - 1)


class RecipeEncoding(NamedTuple):
    """A batch of encoded recipes, part by part."""

    title: Encoding | None  # None: the model does not read titles
    ingredients: Encoding
    sentences: Encoding | None  # one row for each sentence of the batch; None: the model knows no sentences
    instructions: Encoding
    others: tuple[RecipeEncoding, ...] = ()  # the encodings of further readers
    context: tuple[Tensor, ...] = ()  # MiniLM's vectors of title, ingredients and instructions

    @property
    def vectors(self) -> list[Tensor]:
        """Title (of a model that reads it), ingredients, instructions: (B, D) each."""
        parts = (self.title, self.ingredients, self.instructions)
        return [part.vector for part in parts if part is not None]

    @property
    def vector(self) -> Tensor:
        """(B, 3 x hidden): title, ingredients, instructions; then the other readers and MiniLM."""
        of_others = [vector for other in self.others for vector in other.vectors]
        return torch.cat([*self.vectors, *of_others, *self.context], -1)

    @property
    def merges(self) -> Merges:
        """The trees that were built, in the form that `RecipeEncoder` takes as given trees."""
        sentences = None if self.sentences is None else self.sentences.merges
        return Merges(self.ingredients.merges, sentences, self.instructions.merges)


class Reader(nn.Module):
    """An encoder for each part of a recipe."""

    def __init__(self, kinds: Variant, word: int, hidden: int, dropout: float) -> None:
        super().__init__()

        def encoder(kind: Kind, inputs: int) -> SequenceEncoder:
            one = alone(kind, inputs)
            return PooledEncoder(one, inputs) if kinds.pooled and kind != "mean" else one

        def alone(kind: Kind, inputs: int) -> SequenceEncoder:
            if kind == "set":
                return SetEncoder(inputs, hidden)
            if kind == "tree":
                return TreeEncoder(inputs, hidden, dropout)
            if kind == "transformer":
                return TransformerEncoder(inputs, hidden)
            if kind == "mean":
                return MeanEncoder(inputs)
            if kind == "lstm-ahead":
                return AheadEncoder(inputs, hidden)
            return RecurrentEncoder(kind, inputs, hidden, kinds.attention)

        self.title = encoder(kinds.title, word) if kinds.title else None
        self.ingredients = encoder(kinds.ingredients, word)
        self.sentences = encoder(kinds.sentences, word) if kinds.sentences else None
        items = word if self.sentences is None else self.sentences.outputs
        self.instructions = encoder(kinds.instructions, items)
        read = (self.title, self.ingredients, self.instructions)
        self.widths = [part.outputs for part in read if part is not None]

    def read(
        self, words: Words, batch: RecipeBatch, noises: Sequence[Noise | None], merges: Merges
    ) -> RecipeEncoding:
        """noises: of ingredients, sentences and instructions; merges: structures to keep."""
        sentences: Encoding | None = None
        if self.sentences is None:
            counts = _word_counts(batch)
            items = words(whole_texts(batch))
        else:
            counts, positions = batch.steps, _positions(batch.steps, batch.sentences.device)
            if self.training or words.contextual or merges.sentences is not None:
                sentences = self.sentences(
                    _words_of_sentences(words, batch),
                    batch.sentence_lengths,
                    noise=noises[1].spread(*positions) if noises[1] else None,
                    merges=merges.sentences,
                )
            else:
                sentences = _read_once(batch.sentences, words, self.sentences)
            items = _group(sentences.vector, positions, counts)
        return RecipeEncoding(
            title=self.title(words(batch.title), batch.title_lengths) if self.title else None,
            ingredients=self.ingredients(
                words(batch.ingredients), batch.ingredient_lengths, noise=noises[0], merges=merges.ingredients
            ),
            sentences=sentences,
            instructions=self.instructions(items, counts, noise=noises[2], merges=merges.instructions),
        )


class RecipeEncoder(Reader):
    """Encodes a `RecipeBatch` with one call per level: words, sentences, recipes; no loop over recipes.

    It is itself the first reader, whose trees are shown; the others (`Variant.others`) read the same words.
    context: a MiniLM that reads the texts as well, past the encoders.
    """

    def __init__(
        self,
        kinds: Variant,
        words: Words,
        hidden: int = 600,
        dropout: float = 0.2,
        context: Words | None = None,
    ) -> None:
        super().__init__(kinds, words.width, hidden, dropout)
        self.words = words
        self.context = context
        self.others = nn.ModuleList(
            Reader(variant(other), words.width, hidden, dropout) for other in kinds.others
        )
        # The widths of each reader's title, ingredients and instructions; MiniLM's last.
        self.readings = [self.widths, *(cast(Reader, other).widths for other in self.others)]
        if context is not None:
            self.readings.append([context.width] * 3)
        self.outputs = sum(map(sum, self.readings))

    def forward(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> RecipeEncoding:
        """noise: the source of randomness in training; merges: structures for the first reader."""
        first = self.read(self.words, batch, _parts(noise, 0), merges or Merges())
        others = tuple(
            cast(Reader, other).read(self.words, batch, _parts(noise, _OTHERS_NOISE + 3 * number), Merges())
            for number, other in enumerate(self.others)
        )
        context = () if self.context is None else _in_context(self.context, batch)
        return first._replace(others=others, context=context)


def _parts(noise: Noise | None, start: int) -> list[Noise | None]:
    """The noise of ingredients, sentences and instructions."""
    return [noise.part(start + number) if noise else None for number in range(3)]


def _words_of_sentences(words: Words, batch: RecipeBatch) -> Tensor:
    """(S, Ls, word). Contextual words are read in the whole instructions: a sentence alone ("stir it in") has
    too little context."""
    vectors: Tensor
    if not words.contextual:
        vectors = words(batch.sentences)
        return vectors
    real = batch.sentences != PAD
    texts = words(whole_texts(batch))
    vectors = texts.new_zeros(*real.shape, words.width)
    return vectors.index_put((real,), texts[_positions(_word_counts(batch), real.device)])


def _in_context(words: Words, batch: RecipeBatch) -> tuple[Tensor, ...]:
    """The means over title, ingredients and instructions, read as three texts: (B, width) each.

    They are scaled to the same length: a mean over many words is short, so instructions would hardly count.
    """
    texts = (
        (batch.title, batch.title_lengths),
        (batch.ingredients, batch.ingredient_lengths),
        (whole_texts(batch), _word_counts(batch)),
    )
    means = (masked_mean(words(text), lengths) for text, lengths in texts)
    # About as large as the features of a photo.
    return tuple(F.normalize(mean, dim=1) * (math.sqrt(words.width) / 2) for mean in means)


def _read_once(sentences: Tensor, words: Words, encoder: SequenceEncoder) -> Encoding:
    """Identical sentences, of which recipes and their variants have many, are encoded once."""
    different, which = torch.unique(sentences, dim=0, return_inverse=True)
    lengths = (different != PAD).sum(1).cpu()
    read = encoder(words(different), lengths)
    merges, attention = (None if part is None else part[which] for part in read[1:])
    return Encoding(read.vector[which], merges, attention)


def _word_counts(batch: RecipeBatch) -> Tensor:
    """(B,) the number of words in each recipe's sentences; on the host."""
    ends = batch.steps.numpy().cumsum()
    return torch.from_numpy(np.add.reduceat(batch.sentence_lengths.numpy(), ends - batch.steps.numpy()))


def whole_texts(batch: RecipeBatch) -> Tensor:
    """(B, most words): each recipe's sentences concatenated."""
    counts = _word_counts(batch)
    return _group(batch.sentences[batch.sentences != PAD], _positions(counts, batch.sentences.device), counts)


def _positions(counts: Tensor, device: torch.device) -> tuple[Tensor, Tensor]:
    """For each item of a flat batch with `counts` items a recipe: its recipe, and its position in that."""
    each = counts.numpy()  # numpy: torch would start all threads for so little
    rows = np.repeat(np.arange(len(each)), each)
    positions = np.arange(len(rows)) - (np.cumsum(each) - each)[rows]
    on_device = torch.from_numpy(np.stack([rows, positions])).to(device, non_blocking=True)
    return on_device[0], on_device[1]


def _group(items: Tensor, positions: tuple[Tensor, Tensor], counts: Tensor) -> Tensor:
    """Items of a flat batch (S, ...) as (B, most, ...), padded with zeros."""
    grouped = items.new_zeros(len(counts), int(counts.max()), *items.shape[1:])
    return grouped.index_put(positions, items)
