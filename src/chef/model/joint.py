"""The joint model: a recipe encoder and an image tower that share one embedding space.

Title, ingredients and instructions of a recipe become one vector each, side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.batches import positions_in
from chef.errors import ChefError
from chef.model import encoders
from chef.model.heads import Querybank, build_heads, mean_point
from chef.model.noise import Noise, SampleNoise
from chef.model.recipe_graph import can_graph, encode_graphed
from chef.model.registry import Kind, ModelConfig, Variant, variant
from chef.model.towers import ImageTower, build_tower
from chef.model.words import ContextWords, Words, WordVectors, build_words
from chef.text.vocabulary import PAD

if TYPE_CHECKING:
    from chef.data.batches import RecipeBatch

_PLAIN: dict[str, Callable[[int, int], encoders.SequenceEncoder]] = {
    "set": encoders.SetEncoder,
    "transformer": encoders.TransformerEncoder,
    "lstm-ahead": encoders.AheadEncoder,
}
_OTHERS_NOISE = 5  # the first part of a sample's noise for the other readers; the heads have 3 and 4


class JointModel(nn.Module):
    """Embeds dish photos and recipes as points of one space, of length 1 unless it has a querybank.

    Built from its configuration alone, with fresh weights; `tower` is an already loaded image tower, `words`
    and `context` an already loaded MiniLM.

    >>> model = JointModel(ModelConfig("t+t+l", vocabulary=len(vocabulary)))
    >>> similarity = model.embed_images(images) @ model.embed_recipes(batch).T
    """

    def __init__(
        self,
        config: ModelConfig,
        tower: ImageTower | None = None,
        words: Words | None = None,
        context: Words | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        self.variant = variant(config.variant)
        if words is None:
            words = build_words(config.words, config.vocabulary, config.word)
        if context is None and config.context:
            context = build_words(config.context, config.vocabulary, config.word)
        trees = {"shape": config.trees, "taught": config.taught}
        self.recipe = RecipeEncoder(self.variant, words, config.hidden, config.dropout, context, trees)
        self.tower = build_tower(config.tower) if tower is None else tower
        word = (context or words).width
        named = self.tower.description.get("vector") == word  # the tower names dishes in such vectors
        self.heads = build_heads(
            self.variant.heads,
            self.recipe.outputs,
            self.tower.width,
            config.space,
            word,
            named,
            [sum(widths) for widths in self.recipe.readings],
        )
        self.querybank = self._new_querybank() if config.querybank else None

    def embed_images(self, images: Tensor, *, noise: Noise | None = None, views: int | None = None) -> Tensor:
        """Images (B, 3, H, W), or precomputed features of the tower (B, F), -> (B, space).

        noise: the source of randomness in training, torch's generator if not given. views: 2 for the mean
        of two views of an image (`ImageTower.views`); if not given, 1 for training and features, else
        `ModelConfig.image_views`.
        """
        if views is None:
            views = 1 if self.training or images.dim() == 2 else self.config.image_views
        return self.place_images(self.image_features(images, views), noise)

    def place_images(self, views: Sequence[Tensor], noise: Noise | None = None) -> Tensor:
        """The tower's features of each view of images, (B, F), -> (B, space)."""
        points = self.heads.embed_images(_joined(views), noise)
        points = mean_point(_apart(points, views))
        return points if self.querybank is None or self.training else self.querybank.scale_images(points)

    def place_recipes(self, features: Tensor, noise: Noise | None = None) -> Tensor:
        """Encoded recipes, (B, F), -> (B, space)."""
        points = self.heads.embed_recipes(features, noise)
        return points if self.querybank is None or self.training else self.querybank.scale_recipes(points)

    def use_size(self, size: int, crop: int) -> None:
        """Take photos of another size than in training (`ImageTower.use_size`)."""
        self.tower.use_size(size, crop, whole=self.config.image_views == 2)
        self.config = replace(self.config, tower=self.tower.description)

    def fill_querybank(self, images: Tensor, recipes: Tensor) -> None:
        """Scale points from now on by how near they are to these of the training pairs, (N, space) each."""
        self.config = replace(self.config, querybank=len(images))
        self.querybank = self._new_querybank().to(images.device)
        self.querybank.fill(images, recipes)

    def count_nearest(self, nearest: int) -> None:
        """Let so many points of the querybank say how crowded a place is."""
        if self.querybank is None:
            raise ChefError("the model has no querybank", "train it with --set querybank=2000")
        self.config, bank = replace(self.config, nearest=nearest), self.querybank
        self.fill_querybank(bank.images, bank.recipes)

    def _new_querybank(self) -> Querybank:
        return Querybank(self.config.querybank, self.config.space, self.config.nearest)

    def image_features(self, images: Tensor, views: int = 1) -> list[Tensor]:
        """The tower's features of each view of images, (B, F); features are returned unchanged."""
        if images.dim() == 2:
            return [images]
        seen = self.tower.views(images, views)
        return _apart(self.tower.features(_joined(seen)), seen)

    def embed_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> Tensor:
        """Recipes -> (B, space).

        noise: the source of randomness in training, torch's generator if not given.
        merges: trees to keep, as `trees` returns them, instead of choosing anew.
        """
        encoding = self.encode_recipes(batch, noise=noise, merges=merges)
        return self.place_recipes(encoding.vector, noise)

    def encode_recipes(
        self, batch: RecipeBatch, *, noise: Noise | None = None, merges: Merges | None = None
    ) -> RecipeEncoding:
        """Recipes part by part before the heads, with their trees and attention weights."""
        encoding: RecipeEncoding = self.recipe(batch, noise=noise, merges=merges)
        return encoding

    @torch.no_grad()
    def trees(self, batch: RecipeBatch) -> Merges:
        """The trees the model builds for ingredients, sentences and instructions, as merge positions.

        >>> merges = model.eval().trees(batch)
        >>> Tree.from_merges(["salt", "flour"], merges.ingredients[0].tolist())
        """
        return self.encode_recipes(batch).merges

    def set_word_vectors(self, vectors: np.ndarray) -> None:
        """Start from pre-trained word vectors (vocabulary, word), which are fine-tuned. PAD stays zero."""
        if not isinstance(self.recipe.words, WordVectors):
            raise ChefError(f"{self.variant.name} takes no word vectors", "it reads words with MiniLM")
        words = self.recipe.words.weight
        if vectors.shape != tuple(words.shape):
            raise ChefError(
                f"word vectors of shape {vectors.shape} do not fit a model of {tuple(words.shape)}",
                "prepare the data and train the model with the same vocabulary and word size",
            )
        with torch.no_grad():
            words.copy_(torch.from_numpy(vectors))
            words[0] = 0


class Merges(NamedTuple):
    """Tree structures of a batch; None where an encoder has no trees, or is to choose anew."""

    ingredients: Tensor | None = None  # (B, Li-1)
    sentences: Tensor | None = None  # (S, Ls-1)
    instructions: Tensor | None = None  # (B, most steps - 1)


class RecipeEncoding(NamedTuple):
    """A batch of encoded recipes, part by part."""

    title: encoders.Encoding | None  # None: the model does not read titles
    ingredients: encoders.Encoding
    sentences: encoders.Encoding | None  # a row for each sentence of the batch; None: it knows no sentences
    instructions: encoders.Encoding
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
        return torch.cat(self.all_vectors, -1)

    @property
    def all_vectors(self) -> list[Tensor]:
        """The vectors of all readers, then MiniLM's."""
        of_others = [vector for other in self.others for vector in other.vectors]
        return [*self.vectors, *of_others, *self.context]

    @property
    def merges(self) -> Merges:
        """The trees that were built, in the form that `RecipeEncoder` takes as given trees."""
        sentences = None if self.sentences is None else self.sentences.merges
        return Merges(self.ingredients.merges, sentences, self.instructions.merges)


class Reader(nn.Module):
    """An encoder for each part of a recipe."""

    def __init__(
        self, kinds: Variant, word: int, hidden: int, dropout: float, trees: Mapping[str, Any]
    ) -> None:
        super().__init__()

        def encoder(kind: Kind, inputs: int) -> encoders.SequenceEncoder:
            if kind == "mean":
                return encoders.MeanEncoder(inputs)
            if kind == "tree":
                return encoders.TreeEncoder(inputs, hidden, dropout, **trees)
            if kind == "gru" or kind == "lstm":
                return encoders.RecurrentEncoder(kind, inputs, hidden, kinds.attention)
            return _PLAIN[kind](inputs, hidden)

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
        sentences: encoders.Encoding | None = None
        if self.sentences is None:
            counts = _word_counts(batch)
            items = words(whole_texts(batch))
        else:
            counts, positions = batch.steps, positions_in(batch.steps, batch.sentences.device)
            if self.training or words.contextual or merges.sentences is not None:
                sentences = self.sentences(
                    _words_of_sentences(words, batch),
                    batch.sentence_lengths,
                    noise=noises[1].spread(*positions) if noises[1] else None,
                    merges=merges.sentences,
                )
            else:
                # Identical sentences, of which recipes and their variants have many, are encoded once.
                different, which = torch.unique(batch.sentences, dim=0, return_inverse=True)
                read = self.sentences(words(different), (different != PAD).sum(1).cpu(), ids=different)
                vector, *rest = read
                parts = (None if part is None else part[which] for part in rest)
                sentences = encoders.Encoding(vector[which], *parts)
            items = _group(sentences.vector, positions, counts)
        return RecipeEncoding(
            title=self.title(words(batch.title), batch.title_lengths) if self.title else None,
            ingredients=self.ingredients(
                words(batch.ingredients),
                batch.ingredient_lengths,
                noise=noises[0],
                merges=merges.ingredients,
                ids=None if words.contextual else batch.ingredients,
            ),
            sentences=sentences,
            instructions=self.instructions(items, counts, noise=noises[2], merges=merges.instructions),
        )


class RecipeEncoder(Reader):
    """Encodes a `RecipeBatch` with one call per level: words, sentences, recipes; no loop over recipes.

    It is itself the first reader, whose trees are shown; the others (`Variant.others`) read the same words.
    context: a MiniLM that reads the texts as well, past the encoders. trees: see `TreeEncoder`.
    """

    def __init__(
        self,
        kinds: Variant,
        words: Words,
        hidden: int = 600,
        dropout: float = 0.2,
        context: Words | None = None,
        trees: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        super().__init__(kinds, words.width, hidden, dropout, trees)
        self.words = words
        self.context = context
        self.others = nn.ModuleList(
            Reader(variant(other), words.width, hidden, dropout, trees) for other in kinds.others
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
        if merges is None and isinstance(noise, SampleNoise) and can_graph(self, batch):
            parts = encode_graphed(self, batch, noise)
            if parts is not None:
                title, ingredients, sentences, instructions = parts
                assert ingredients is not None
                assert instructions is not None
                return RecipeEncoding(title, ingredients, sentences, instructions)
        first = self.read(self.words, batch, _parts(noise, 0), merges or Merges())
        others = tuple(
            cast(Reader, other).read(self.words, batch, _parts(noise, _OTHERS_NOISE + 3 * number), Merges())
            for number, other in enumerate(self.others)
        )
        if self.context is None:
            return first._replace(others=others, context=())
        means = map(self._in_context, (batch.title, batch.ingredients, whole_texts(batch)))
        # The same length for all, about that of a photo's features: a mean over many words is short, so
        # instructions would hardly count.
        scale = math.sqrt(self.context.width) / 2
        context = tuple(F.normalize(mean, dim=1) * scale for mean in means)
        return first._replace(others=others, context=context)

    def _in_context(self, text: Tensor) -> Tensor:
        """(B, width) the mean of MiniLM's vectors of the words in texts (B, L)."""
        assert isinstance(self.context, ContextWords)
        if self.training:
            return self.context.means(text)
        # Variants of a recipe share their title, and most of them their instructions: read once.
        different, which = torch.unique(text, dim=0, return_inverse=True)
        return self.context.means(different)[which]


def _joined(views: Sequence[Tensor]) -> Tensor:
    """Several views of images as one batch, which reads the weights once."""
    return views[0] if len(views) == 1 else torch.cat(list(views))


def _apart(batch: Tensor, views: Sequence[Tensor]) -> list[Tensor]:
    """What became of `_joined` views, view by view."""
    return list(batch.view(len(views), views[0].shape[0], -1))


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
    return vectors.index_put((real,), texts[positions_in(_word_counts(batch), real.device)])


def _word_counts(batch: RecipeBatch) -> Tensor:
    """(B,) the number of words in each recipe's sentences; on the host."""
    ends = batch.steps.numpy().cumsum()
    return torch.from_numpy(np.add.reduceat(batch.sentence_lengths.numpy(), ends - batch.steps.numpy()))


def whole_texts(batch: RecipeBatch) -> Tensor:
    """(B, most words): each recipe's sentences concatenated."""
    counts, words = _word_counts(batch), batch.sentences[batch.sentences != PAD]
    return _group(words, positions_in(counts, words.device), counts)


def _group(items: Tensor, positions: tuple[Tensor, Tensor], counts: Tensor) -> Tensor:
    """Items of a flat batch (S, ...) as (B, most, ...), padded with zeros."""
    grouped = items.new_zeros(len(counts), int(counts.max()), *items.shape[1:])
    return grouped.index_put(positions, items)
