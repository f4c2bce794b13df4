"""Which split a recipe belongs to: the one its source gives, or one made from its title."""

from __future__ import annotations

import hashlib
import re

from chef.data.settings import HASH, PrepareSettings
from chef.errors import ChefError
from chef.recipe import Recipe
from chef.text.tokens import tokenise

TRAIN, VAL, TEST = "train", "val", "test"

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")  # it becomes part of a file name


def split_of(recipe: Recipe, settings: PrepareSettings) -> str:
    """The name of the recipe's split.

    >>> split_of(Recipe("1", "Soup", split="test"), PrepareSettings())
    'test'
    """
    if settings.splits == HASH or recipe.split is None:
        return hash_split(recipe.title, settings)
    if not _NAME.fullmatch(recipe.split):
        raise ChefError(
            f"recipe {recipe.id!r} is in a split named {recipe.split!r}",
            "name splits with letters and digits, such as train, val and test, or use --splits hash",
        )
    return recipe.split


def hash_split(title: str, settings: PrepareSettings) -> str:
    """A split that depends on nothing but the words of the title, so equal titles stay together."""
    words = " ".join(tokenise(title)).encode()
    place = int.from_bytes(hashlib.sha256(words).digest()[:8], "big") / 2**64
    if place < settings.train_share:
        return TRAIN
    return VAL if place < settings.train_share + settings.val_share else TEST
