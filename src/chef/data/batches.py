"""Batches: recipes of different lengths as padded tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict

import numpy as np
import torch
from torch import Tensor

from chef.text.vocabulary import PAD, UNK


class Tokens(TypedDict):
    """A recipe as word numbers."""

    title: list[int]
    ingredients: list[int]
    sentences: list[list[int]]


@dataclass(frozen=True, slots=True)
class RecipeBatch:
    """B recipes. All S sentences of all recipes lie in one flat batch, in order.

    Every length is at least 1: an empty part is one `<UNK>`. Lengths and steps always stay on the host,
    where the work of a GPU is planned.
    """

    title: Tensor  # (B, Lt) word numbers, padded with 0
    title_lengths: Tensor  # (B,)
    ingredients: Tensor  # (B, Li)
    ingredient_lengths: Tensor  # (B,)
    sentences: Tensor  # (S, Ls)
    sentence_lengths: Tensor  # (S,)
    steps: Tensor  # (B,) number of sentences of each recipe; they add up to S
    order: Tensor | None = None  # (B, Li) of shuffled lists: where each ingredient stood before

    def __len__(self) -> int:
        return len(self.title)

    def to(self, device: torch.device | str) -> RecipeBatch:
        """The same batch with its words on a device."""
        words = {
            name: getattr(self, name).to(device, non_blocking=True)
            for name in ("title", "ingredients", "sentences")
        }
        return replace(self, **words)

    def pin_memory(self) -> RecipeBatch:
        """The same batch in memory that a GPU reads by itself; a DataLoader calls this."""
        parts = {item.name: getattr(self, item.name) for item in fields(self)}
        return replace(self, **{name: part.pin_memory() for name, part in parts.items() if part is not None})

    def masked(self, title: Tensor, ingredients: Tensor, sentences: Tensor) -> RecipeBatch:
        """The same recipes with `<UNK>` for the words where these are True."""
        masks = {"title": title, "ingredients": ingredients, "sentences": sentences}
        words = {name: getattr(self, name) for name in masks}
        return replace(
            self,
            **{name: part.masked_fill(masks[name] & (part != PAD), UNK) for name, part in words.items()},
        )

    def shuffled(self, drawn: Tensor) -> RecipeBatch:
        """The same recipes with their ingredients in the order of random numbers `drawn` (B, Li)."""
        places = torch.arange(drawn.shape[1], device=drawn.device)
        outside = places >= self.ingredient_lengths.to(drawn.device, non_blocking=True)[:, None]
        order = drawn.masked_fill(outside, torch.inf).argsort(1)
        return replace(self, ingredients=self.ingredients.gather(1, order), order=order)


@dataclass(frozen=True, slots=True)
class PairBatch:
    """B recipes and a picture, or the features of a picture, for each."""

    recipes: RecipeBatch
    images: Tensor  # (B, 3, H, W), or (B, F) features
    index: Tensor  # (B,) the recipe's position in its split; always on the host, as lengths are
    changes: Tensor | None = None  # (B, 2, 3) how `ImageTransform.finish` shall change the images, bytes then

    def __len__(self) -> int:
        return len(self.index)

    def to(self, device: torch.device | str) -> PairBatch:
        """The same batch on a device."""
        return self._each(lambda part: part.to(device, non_blocking=True), self.recipes.to(device))

    def pin_memory(self) -> PairBatch:
        """The same batch in memory that a GPU reads by itself; a DataLoader calls this."""
        return self._each(Tensor.pin_memory, self.recipes.pin_memory())

    def _each(self, change: Callable[[Tensor], Tensor], recipes: RecipeBatch) -> PairBatch:
        changes = None if self.changes is None else change(self.changes)
        return PairBatch(recipes, change(self.images), self.index, changes)


@dataclass(frozen=True, slots=True)
class Pair:
    """One recipe with one picture: what a data set gives and `collate` gathers."""

    tokens: Tokens
    image: Tensor
    index: int
    change: Tensor | None = None


def recipe_batch(recipes: Sequence[Tokens] | Sequence[Mapping[str, Any]]) -> RecipeBatch:
    """Recipes as one batch.

    >>> recipe_batch([{"title": [5, 6], "ingredients": [7], "sentences": []}]).steps
    tensor([1])
    """
    title, title_lengths = padded([recipe["title"] for recipe in recipes])
    ingredients, ingredient_lengths = padded([recipe["ingredients"] for recipe in recipes])
    instructions = [recipe["sentences"] or [[UNK]] for recipe in recipes]
    sentences, sentence_lengths = padded([sentence for steps in instructions for sentence in steps])
    steps = torch.tensor([len(steps) for steps in instructions], dtype=torch.long)
    return RecipeBatch(
        title, title_lengths, ingredients, ingredient_lengths, sentences, sentence_lengths, steps
    )


def collate(pairs: Sequence[Pair]) -> PairBatch:
    """Pairs as one batch, for a DataLoader."""
    changes = [pair.change for pair in pairs if pair.change is not None]
    return PairBatch(
        recipes=recipe_batch([pair.tokens for pair in pairs]),
        images=torch.stack([pair.image for pair in pairs]),
        index=torch.tensor([pair.index for pair in pairs], dtype=torch.long),
        changes=torch.stack(changes) if changes else None,
    )


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows of numbers as a (rows, longest) tensor filled up with `<PAD>`, and their lengths."""
    filled = [list(row) or [UNK] for row in rows]
    lengths = [len(row) for row in filled]
    width = max(lengths, default=1)
    table = torch.tensor([row + [PAD] * (width - len(row)) for row in filled], dtype=torch.long)
    return table.reshape(len(rows), width), torch.tensor(lengths, dtype=torch.long)


def positions_in(counts: Tensor, device: torch.device) -> tuple[Tensor, Tensor]:
    """For each item of a flat batch with `counts` items a recipe: its recipe, and its position in that."""
    each = counts.numpy()  # numpy: torch would start all threads for so little
    rows = np.repeat(np.arange(len(each)), each)
    positions = np.arange(len(rows)) - (np.cumsum(each) - each)[rows]
    on_device = torch.from_numpy(np.stack([rows, positions])).to(device, non_blocking=True)
    return on_device[0], on_device[1]
