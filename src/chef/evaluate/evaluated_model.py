"""Subject: one model on one population; all is computed once, in batches, when it is first asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from chef.data.texts import RecipeText
from chef.evaluate.pictures import Pictures
from chef.evaluate.population import Population
from chef.evaluate.readings import Readings
from chef.model.heads import mean_point
from chef.model.loaded import Chef
from chef.model.recipe_encoder import Merges, RecipeEncoding
from chef.model.tree import RecipeTrees, Tree
from chef.text.vocabulary import SPECIAL, UNK

BATCH = 256
Vectors = np.ndarray[Any, np.dtype[np.float32]]


class Subject:
    """A loaded model and the recipes it is tested on.

    batch_statistics: evaluate batch norm in training mode, as ACME's published code does.
    pictures, readings: what was made of photos and texts before, shared between models that see and
    read alike.

    >>> subject = Subject("t+t+l", chef.load("run"), open_population(Path("prepared"), "test"))
    >>> subject.images.shape, subject.ingredient_trees[0].depths
    ((617, 1024), (2, 2, 1))
    """

    def __init__(
        self,
        name: str,
        chef: Chef,
        population: Population,
        device: torch.device | None = None,
        *,
        batch_statistics: bool = False,
        pictures: Pictures | None = None,
        readings: Readings | None = None,
    ) -> None:
        self.name, self.chef, self.population = name, chef, population
        self.device = device or torch.device("cpu")
        self.batch_statistics = batch_statistics
        self._pictures, self._readings = pictures or Pictures(), readings or Readings()
        # A model in its place is left alone: other threads may be using it, and moving it disturbs them.
        if next(chef.model.parameters()).device != self.device:
            chef.model.to(self.device)
        if chef.model.training:
            chef.model.eval()

    @property
    def has_ingredient_trees(self) -> bool:
        return self.chef.model.variant.ingredients == "tree"

    @property
    def has_sentence_trees(self) -> bool:
        return self.chef.model.variant.sentences == "tree"

    @cached_property
    def texts(self) -> list[RecipeText]:
        """The recipes as this model reads them: with its canonical map, cut to its lengths."""
        return self._readings.texts(self.chef.texts, self.population)

    @cached_property
    def images(self) -> Vectors:
        """(n, space) the first photo of each recipe."""
        if self.batch_statistics:
            return self._images_with_batch_statistics()
        views = (False, True)[: self.chef.model.config.image_views]
        return _matrix([mean_point([self._photos(mirrored) for mirrored in views])])

    @property
    def recipes(self) -> Vectors:
        """(n, space) the recipes."""
        return self._read[0]

    @property
    def trees(self) -> list[RecipeTrees]:
        """All trees that the model builds, recipe by recipe."""
        return self._read[1]

    @property
    def attention(self) -> list[list[float]] | None:
        """For each recipe the weight of each ingredient, of a model with attention over them."""
        return self._read[2]

    @cached_property
    def ingredient_trees(self) -> list[Tree]:
        """For each recipe the tree over its ingredient tokens."""
        return [kept.ingredients for kept in self.trees if kept.ingredients is not None]

    @cached_property
    def sentence_trees(self) -> list[list[Tree]]:
        """For each recipe the trees over the words of its sentences."""
        return [list(kept.sentences) for kept in self.trees if kept.sentences is not None]

    def embed(
        self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees | None] | None = None
    ) -> Vectors:
        """(m, space) for recipes that an edit changed.

        trees: for each recipe the structures to keep to; they must have the leaves of its text.
        """
        given = (
            [kept or RecipeTrees() for kept in trees] if trees is not None else [RecipeTrees()] * len(texts)
        )
        vectors = np.zeros((len(texts), self.chef.model.config.space), np.float32)
        for rows in self._batches(texts, given):
            merges = self._merges([texts[row] for row in rows], [given[row] for row in rows])
            vectors[rows] = self._encode([texts[row] for row in rows], merges)[1]
        return vectors

    @cached_property
    def _read(self) -> tuple[Vectors, list[RecipeTrees], list[list[float]] | None]:
        """One pass over all recipes: their vectors, trees and attention."""
        vectors = np.zeros((len(self.texts), self.chef.model.config.space), np.float32)
        anew = [RecipeTrees()] * len(self.texts)
        trees = list(anew)
        attention: list[list[float]] = [[]] * len(self.texts)
        has_attention = False
        for rows in self._batches(self.texts, anew):
            batch = [self.texts[row] for row in rows]
            encoding, vectors[rows] = self._encode(batch, None)
            for row, kept in zip(rows, _trees(batch, encoding.merges), strict=True):
                trees[row] = kept
            weights = encoding.ingredients.attention
            if weights is not None:
                has_attention = True
                for row, text, of_row in zip(rows, batch, weights.tolist(), strict=True):
                    attention[row] = of_row[: len(text.ingredients)]
        return vectors, trees, attention if has_attention else None

    @torch.no_grad()
    def _encode(self, texts: Sequence[RecipeText], merges: Merges | None) -> tuple[RecipeEncoding, Vectors]:
        model = self.chef.model
        with self._norms():
            encoding = model.encode_recipes(self.chef.batch(texts).to(self.device), merges=merges)
            return encoding, _matrix([model.heads.embed_recipes(encoding.vector)])

    def _batches(self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees]) -> Iterator[list[int]]:
        """Rows that go together: of the same kept levels, and of like length, so that little is padding."""
        if self.batch_statistics:
            # What the batch is made of matters now: the same recipes as in the batch of photos.
            yield from _even(len(texts))
            return
        kinds: dict[tuple[bool, bool, bool], list[int]] = defaultdict(list)
        for row, kept in enumerate(trees):
            levels = (kept.ingredients, kept.sentences, kept.instructions)
            kinds[levels[0] is None, levels[1] is None, levels[2] is None].append(row)
        for rows in kinds.values():
            rows.sort(key=lambda row: (_longest(texts[row]), len(texts[row].sentences)))
            for start in range(0, len(rows), BATCH):
                yield rows[start : start + BATCH]

    def _merges(self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees]) -> Merges:
        """The kept trees of one batch, all of the same levels."""
        kept: dict[str, Tensor] = {}
        if all(tree.ingredients for tree in trees):
            kept["ingredients"] = self._positions([tree.ingredients for tree in trees])
        if all(tree.sentences is not None for tree in trees):
            # A recipe without sentences is one <UNK> to the model, which takes no merge.
            kept["sentences"] = self._positions([one for tree in trees for one in tree.sentences or (None,)])
        if all(tree.instructions for tree in trees):
            kept["instructions"] = self._positions([tree.instructions for tree in trees])
        return Merges(**kept)

    def _positions(self, trees: Sequence[Tree | None]) -> Tensor:
        rows = [tree.merges if tree else () for tree in trees]
        width = max(map(len, rows))
        table = [[*row, *[-1] * (width - len(row))] for row in rows]
        return torch.tensor(table, dtype=torch.long, device=self.device).reshape(len(rows), width)

    @torch.no_grad()
    def _photos(self, mirrored: bool) -> Tensor:
        """(n, space) the photos, or their mirror images."""
        model = self.chef.model
        features = self._pictures.features(model.tower, self.population, self.device, mirrored=mirrored)
        parts = [features[start : start + BATCH] for start in range(0, len(features), BATCH)]
        return torch.cat([model.embed_images(part.to(self.device)) for part in parts])

    @torch.no_grad()
    def _images_with_batch_statistics(self) -> Vectors:
        model, parts = self.chef.model, []
        with self._norms():
            for rows in _even(len(self.population)):
                photos = [model.tower.transform.evaluate(self.population.photos(row)) for row in rows]
                parts.append(model.embed_images(torch.stack(photos).to(self.device)))
        return _matrix(parts)

    @contextmanager
    def _norms(self) -> Iterator[None]:
        """Batch norm as this subject wants it, and as it was afterwards: subjects share models."""
        if not self.batch_statistics:
            yield
            return
        self.chef.model.use_batch_statistics(True)
        try:
            yield
        finally:
            self.chef.model.use_batch_statistics(False)


def _trees(texts: Sequence[RecipeText], merges: Merges) -> Iterator[RecipeTrees]:
    """The trees of a batch, recipe by recipe."""
    ingredients, sentences, instructions = (None if part is None else part.tolist() for part in merges)
    first = 0
    for row, text in enumerate(texts):
        last = first + max(len(text.sentences), 1)
        numbers = [str(number) for number in range(1, last - first + 1)]
        words = zip(text.sentences, (sentences or [])[first:last], strict=False)
        yield RecipeTrees(
            _tree(text.ingredients, ingredients[row]) if ingredients else None,
            tuple(_tree(*pair) for pair in words) if sentences else None,
            _tree(numbers, instructions[row]) if instructions else None,
        )
        first = last


def _tree(tokens: Sequence[str], merges: list[int]) -> Tree:
    return Tree.from_merges(tokens or [SPECIAL[UNK]], merges)


def _longest(text: RecipeText) -> int:
    return max(map(len, text.sentences), default=1)


def _even(count: int) -> Iterator[list[int]]:
    """Batches in order, as equal as can be: batch norm cannot do with a last one of a single item."""
    for rows in np.array_split(np.arange(count), -(-count // BATCH)):
        yield rows.tolist()


def _matrix(parts: list[Tensor]) -> Vectors:
    return torch.cat(parts).float().cpu().numpy()
