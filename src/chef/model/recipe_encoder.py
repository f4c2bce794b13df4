"""The recipe tower: title, ingredients and instructions, each one vector, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

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
)
from chef.model.encoders.base import masked_mean
from chef.model.noise import Noise
from chef.model.registry import Kind, Variant
from chef.model.words import Words
from chef.text.vocabulary import PAD

if TYPE_CHECKING:
    from chef.data.batches import RecipeBatch


class Merges(NamedTuple):
    """Tree structures of a batch; None where an encoder has no trees, or where it shall choose anew."""

    ingredients: Tensor | None = None  # (B, Li-1)
    sentences: Tensor | None = None  # (S, Ls-1)
    instructions: Tensor | None = None  # (B, most steps - 1)


class RecipeEncoding(NamedTuple):
    """A batch of encoded recipes, part by part."""

    title: Encoding | None  # None: the model does not read titles
    ingredients: Encoding
    sentences: Encoding | None  # one row for each sentence of the batch; None: the model knows no sentences
    instructions: Encoding
    context: tuple[Tensor, ...] = ()  # what MiniLM makes of title, ingredients and instructions

    @property
    def vectors(self) -> list[Tensor]:
        """Title (of a model that reads it), ingredients, instructions: (B, D) each."""
        parts = (self.title, self.ingredients, self.instructions)
        return [part.vector for part in parts if part is not None]

    @property
    def vector(self) -> Tensor:
        """(B, 3 x hidden): title, ingredients, instructions; MiniLM's three after them, if it reads along."""
        return torch.cat([*self.vectors, *self.context], -1)

    @property
    def merges(self) -> Merges:
        """The trees that were built, in the form `RecipeEncoder` takes to keep to them."""
        sentences = None if self.sentences is None else self.sentences.merges
        return Merges(self.ingredients.merges, sentences, self.instructions.merges)


class RecipeEncoder(nn.Module):
    """Encodes a `RecipeBatch` with one call per level: words, sentences, recipes; no loop over recipes.

    context: a MiniLM that reads along, past the encoders.
    """

    def __init__(
        self,
        variant: Variant,
        words: Words,
        hidden: int = 600,
        dropout: float = 0.2,
        context: Words | None = None,
    ) -> None:
        super().__init__()

        def encoder(kind: Kind, inputs: int) -> SequenceEncoder:
            one = alone(kind, inputs)
            return PooledEncoder(one, inputs) if variant.pooled and kind != "mean" else one

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
            return RecurrentEncoder(kind, inputs, hidden, variant.attention)

        word = words.width
        self.words = words
        self.context = context
        self.title = encoder(variant.title, word) if variant.title else None
        self.ingredients = encoder(variant.ingredients, word)
        self.sentences = encoder(variant.sentences, word) if variant.sentences else None
        items = word if self.sentences is None else self.sentences.outputs
        self.instructions = encoder(variant.instructions, items)
        read = (self.title, self.ingredients, self.instructions)
        self.outputs = sum(part.outputs for part in read if part is not None)
        self.outputs += 0 if context is None else 3 * context.width

    def forward(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> RecipeEncoding:
        """noise: where training's randomness comes from; merges: structures to keep to."""
        merges = merges or Merges()
        of_part = [noise.part(number) if noise else None for number in range(3)]
        sentences: Encoding | None = None
        if self.sentences is None:
            counts = _word_counts(batch)
            items = self.words(whole_texts(batch))
        else:
            counts, places = batch.steps, _places(batch.steps, batch.sentences.device)
            if self.training or self.words.contextual or merges.sentences is not None:
                sentences = self.sentences(
                    self._words_of_sentences(batch),
                    batch.sentence_lengths,
                    noise=of_part[1].spread(*places) if of_part[1] else None,
                    merges=merges.sentences,
                )
            else:
                sentences = _read_once(batch.sentences, self.words, self.sentences)
            items = _group(sentences.vector, places, counts)
        return RecipeEncoding(
            title=self.title(self.words(batch.title), batch.title_lengths) if self.title else None,
            ingredients=self.ingredients(
                self.words(batch.ingredients),
                batch.ingredient_lengths,
                noise=of_part[0],
                merges=merges.ingredients,
            ),
            sentences=sentences,
            instructions=self.instructions(items, counts, noise=of_part[2], merges=merges.instructions),
            context=() if self.context is None else _in_context(self.context, batch),
        )

    def _words_of_sentences(self, batch: RecipeBatch) -> Tensor:
        """(S, Ls, word). Words that know their neighbours are read in the whole instructions: a sentence
        alone ("stir it in") tells too little."""
        vectors: Tensor
        if not self.words.contextual:
            vectors = self.words(batch.sentences)
            return vectors
        real = batch.sentences != PAD
        texts = self.words(whole_texts(batch))
        vectors = texts.new_zeros(*real.shape, self.words.width)
        return vectors.index_put((real,), texts[_places(_word_counts(batch), real.device)])


def _in_context(words: Words, batch: RecipeBatch) -> tuple[Tensor, ...]:
    """The means over title, ingredients and instructions, read as three texts: (B, width) each."""
    texts = (
        (batch.title, batch.title_lengths),
        (batch.ingredients, batch.ingredient_lengths),
        (whole_texts(batch), _word_counts(batch)),
    )
    return tuple(masked_mean(words(text), lengths) for text, lengths in texts)


def _read_once(sentences: Tensor, words: Words, encoder: SequenceEncoder) -> Encoding:
    """Equal sentences, of which recipes and their variations have many, are encoded once."""
    different, which = torch.unique(sentences, dim=0, return_inverse=True)
    lengths = (different != PAD).sum(1).cpu()
    read = encoder(words(different), lengths)
    merges, attention = (None if part is None else part[which] for part in read[1:])
    return Encoding(read.vector[which], merges, attention)


def _word_counts(batch: RecipeBatch) -> Tensor:
    """(B,) how many words each recipe's sentences have together; on the host."""
    ends = batch.steps.numpy().cumsum()
    return torch.from_numpy(np.add.reduceat(batch.sentence_lengths.numpy(), ends - batch.steps.numpy()))


def whole_texts(batch: RecipeBatch) -> Tensor:
    """(B, most words): the words of all sentences of each recipe, one after the other."""
    counts = _word_counts(batch)
    return _group(batch.sentences[batch.sentences != PAD], _places(counts, batch.sentences.device), counts)


def _places(counts: Tensor, device: torch.device) -> tuple[Tensor, Tensor]:
    """For each item of a flat batch, of which a recipe has `counts`: its recipe, and its place in that."""
    each = counts.numpy()  # numpy: torch would wake all cores for this little
    rows = np.repeat(np.arange(len(each)), each)
    places = np.arange(len(rows)) - (np.cumsum(each) - each)[rows]
    on_device = torch.from_numpy(np.stack([rows, places])).to(device, non_blocking=True)
    return on_device[0], on_device[1]


def _group(items: Tensor, places: tuple[Tensor, Tensor], counts: Tensor) -> Tensor:
    """Items of a flat batch (S, ...) as (B, most, ...), zeros behind each recipe's last."""
    grouped = items.new_zeros(len(counts), int(counts.max()), *items.shape[1:])
    return grouped.index_put(places, items)
