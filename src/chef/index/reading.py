"""What the model makes of a batch of recipes: vector, main ingredient, action words, all in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from chef.data.texts import RecipeText
from chef.food.canonical import token_of
from chef.index.devices import device_of
from chef.model.explanation import action_word
from chef.model.loaded import Chef
from chef.model.recipe_encoder import Merges
from chef.model.threads import one_thread
from chef.model.tree import Tree
from chef.recipe import Recipe
from chef.text.keys import spelled
from chef.text.tokens import tokenise
from chef.text.vocabulary import SPECIAL

BATCH = 64  # recipes that go through the model together
_GPU_BATCH = 256
_FEW = 4  # that one thread of torch embeds as fast as many
Vectors = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Reading:
    """One recipe, read."""

    recipe: Recipe  # parsed
    main_ingredient: str | None
    actions: list[str]
    vector: Vectors


@torch.no_grad()
def read_recipes(chef: Chef, recipes: Sequence[Recipe], *, parsed: bool = False) -> list[Reading]:
    """Recipes -> readings, in the same order.

    parsed: their ingredients have names, amounts and grams already, which takes most of the reading.

    >>> read_recipes(chef.load(), [recipe])[0].main_ingredient
    'chicken'
    """
    texts = [_text(chef, recipe) if parsed else chef.read(recipe) for recipe in recipes]
    size = BATCH if device_of(chef).type == "cpu" else _GPU_BATCH
    found: list[Reading] = []
    for start in range(0, len(texts), size):
        with one_thread(len(texts) < _FEW):
            found += _read(chef, texts[start : start + size])
    return found


def _text(chef: Chef, recipe: Recipe) -> RecipeText:
    """The text of a parsed recipe, its ingredients named by the model's own canonical map."""
    token = chef.texts.canonical.token
    named = (replace(item, token=token(item.name) if item.name else None) for item in recipe.ingredients)
    return chef.texts.words(recipe.with_ingredients(named))


def _read(chef: Chef, texts: list[RecipeText]) -> list[Reading]:
    encoding = chef.model.encode_recipes(chef.batch(texts).to(device_of(chef)))
    vectors = chef.model.heads.embed_recipes(encoding.vector, None).cpu().numpy()
    merges, at = Merges(*(None if part is None else part.cpu() for part in encoding.merges)), 0
    found = []
    for row, text in enumerate(texts):
        main = _shallowest(text.ingredients, merges.ingredients, row)
        # A recipe without sentences still takes one row: an <UNK>.
        actions = [_action(words, merges.sentences, at + i) for i, words in enumerate(text.sentences)]
        at += max(len(text.sentences), 1)
        unique = dict.fromkeys(word for word in actions if word is not None)
        found.append(Reading(text.recipe, main, list(unique), vectors[row]))
    return found


def _shallowest(words: Sequence[str], merges: Tensor | None, row: int) -> str | None:
    """The word of the shallowest leaf, of equals the first; None without a tree or for an unknown word."""
    if merges is None or not words:
        return None
    tree = Tree.from_merges(words, merges[row].tolist())
    word = words[tree.shallowest[0]]
    return None if word in SPECIAL else word


def _action(words: Sequence[str], merges: Tensor | None, row: int) -> str | None:
    """What the cook does in a sentence; None without a tree or a verb."""
    if merges is None or not words:
        return None
    return action_word(Tree.from_merges(words, merges[row].tolist()))


def tokens_of(recipe: Recipe) -> list[str]:
    """The canonical ingredients of a parsed recipe in the order of its list, each once."""
    named = (item.token or token_of(item.name) for item in recipe.ingredients if item.name)
    return [token for token in dict.fromkeys(named) if token]


def title_words(title: str) -> list[str]:
    """The words of a title, or of a query, that are compared with each other: singular, each once.

    >>> title_words("Soups of the day")
    ['soup', 'of', 'the', 'day']
    """
    return list(dict.fromkeys(spelled(word) for word in tokenise(title)))
