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
    RecurrentEncoder,
    SequenceEncoder,
    SetEncoder,
    TransformerEncoder,
    TreeEncoder,
)
from chef.model.noise import Noise
from chef.model.registry import Kind, Variant
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
    sentences: Encoding  # one row for each sentence of the batch
    instructions: Encoding

    @property
    def vectors(self) -> list[Tensor]:
        """Title (of a model that reads it), ingredients, instructions: (B, D) each."""
        parts = (self.title, self.ingredients, self.instructions)
        return [part.vector for part in parts if part is not None]

    @property
    def vector(self) -> Tensor:
        """(B, 3 x hidden): title, ingredients, instructions."""
        return torch.cat(self.vectors, -1)

    @property
    def merges(self) -> Merges:
        """The trees that were built, in the form `RecipeEncoder` takes to keep to them."""
        return Merges(self.ingredients.merges, self.sentences.merges, self.instructions.merges)


class RecipeEncoder(nn.Module):
    """Encodes a `RecipeBatch` with one call per level: words, sentences, recipes; no loop over recipes."""

    def __init__(
        self, variant: Variant, vocabulary: int, word: int = 300, hidden: int = 600, dropout: float = 0.2
    ) -> None:
        super().__init__()

        def encoder(kind: Kind, inputs: int) -> SequenceEncoder:
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

        self.words = nn.Embedding(vocabulary, word, padding_idx=0)
        self.title = encoder(variant.title, word) if variant.title else None
        self.ingredients = encoder(variant.ingredients, word)
        self.sentences = encoder(variant.sentences, word)
        self.instructions = encoder(variant.instructions, self.sentences.outputs)
        read = (self.title, self.ingredients, self.instructions)
        self.outputs = sum(part.outputs for part in read if part is not None)

    def forward(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> RecipeEncoding:
        """noise: where training's randomness comes from; merges: structures to keep to."""
        merges = merges or Merges()
        device = batch.sentences.device
        rows, places = (
            place.to(device, non_blocking=True)
            for place in _sentence_places(batch.steps, len(batch.sentences))
        )
        of_part = [noise.part(number) if noise else None for number in range(3)]
        if self.training or merges.sentences is not None:
            sentences = self.sentences(
                self.words(batch.sentences),
                batch.sentence_lengths,
                noise=of_part[1].spread(rows, places) if of_part[1] else None,
                merges=merges.sentences,
            )
        else:
            sentences = self._read_once(batch.sentences)
        grouped = _group(sentences.vector, rows, places, batch.steps)
        return RecipeEncoding(
            title=self.title(self.words(batch.title), batch.title_lengths) if self.title else None,
            ingredients=self.ingredients(
                self.words(batch.ingredients),
                batch.ingredient_lengths,
                noise=of_part[0],
                merges=merges.ingredients,
            ),
            sentences=sentences,
            instructions=self.instructions(
                grouped, batch.steps, noise=of_part[2], merges=merges.instructions
            ),
        )

    def _read_once(self, sentences: Tensor) -> Encoding:
        """Equal sentences, of which recipes and their variations have many, are encoded once."""
        different, which = torch.unique(sentences, dim=0, return_inverse=True)
        lengths = (different != PAD).sum(1).cpu()
        read = self.sentences(self.words(different), lengths)
        merges, attention = (None if part is None else part[which] for part in read[1:])
        return Encoding(read.vector[which], merges, attention)


def _sentence_places(steps: Tensor, sentences: int) -> tuple[Tensor, Tensor]:
    """For each sentence of the flat batch: its recipe, and its place in that recipe; on the host."""
    counts = steps.numpy()  # numpy: torch would wake all cores for this little
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(sentences) - (np.cumsum(counts) - counts)[rows]
    return torch.from_numpy(rows), torch.from_numpy(places)


def _group(vectors: Tensor, rows: Tensor, places: Tensor, steps: Tensor) -> Tensor:
    """Sentence vectors (S, D) as (B, most steps, D), zeros behind each recipe's last."""
    grouped = vectors.new_zeros(len(steps), int(steps.max()), vectors.shape[1])
    return grouped.index_put((rows, places), vectors)
