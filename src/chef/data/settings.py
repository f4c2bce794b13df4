"""Settings of prepared data, and which split a recipe belongs to."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass
from typing import Any

from chef.errors import ChefError
from chef.recipe import Recipe
from chef.text.tokens import tokenise

GIVEN, HASH = "given", "hash"
TRAIN, VAL, TEST = "train", "val", "test"

_SPLIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")  # it becomes part of a file name

# Words seen less often become <UNK>. The paper's 10 suits its 225,000 training recipes; a small
# corpus would lose most of its words to it. (more training recipes than, minimum count)
_MINIMUM_COUNTS = ((100_000, 10), (20_000, 5), (0, 2))


@dataclass(frozen=True, slots=True)
class PrepareSettings:
    """The settings of prepared data; two runs with equal settings give equal files.

    >>> PrepareSettings(image_size=224).image_size
    224
    """

    image_size: int = 256  # short side of a stored image, at most
    images: int = 5  # the first images of a recipe that are kept (the paper uses at most 5)
    quality: int = 90  # of the JPEG files made here
    max_words: int = 20  # of a title and of a sentence
    max_ingredients: int = 20
    max_sentences: int = 20
    splits: str = GIVEN  # as the source gives them, else by hash; "hash": always by hash
    train_share: float = 0.8  # of the hash splits
    val_share: float = 0.1
    minimum_count: int | None = None  # None: chosen by the number of training recipes
    dimension: int = 300
    window: int = 10
    epochs: int = 10
    seed: int = 0
    shard_recipes: int = 1000
    part_recipes: int = 64  # recipes a worker takes at a time, and loses when it is killed

    def __post_init__(self) -> None:
        if self.splits not in (GIVEN, HASH):
            raise ChefError(f"no such splits: {self.splits!r}", f"say {GIVEN} or {HASH}")
        for name, value in asdict(self).items():
            if isinstance(value, int) and name != "seed" and value < 1:
                raise ChefError(f"{name.replace('_', ' ')} must be at least 1, not {value}")
        if not 0 < self.train_share <= self.train_share + self.val_share <= 1:
            raise ChefError("the shares of the splits must be positive and at most 1 together")

    def minimum(self, training_recipes: int) -> int:
        """How often a word must be seen to enter the vocabulary.

        >>> PrepareSettings().minimum(5_000), PrepareSettings(minimum_count=4).minimum(5_000)
        (2, 4)
        """
        if self.minimum_count is not None:
            return self.minimum_count
        return next(count for size, count in _MINIMUM_COUNTS if training_recipes > size or not size)

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary, for the manifest."""
        return asdict(self)


def split_of(recipe: Recipe, settings: PrepareSettings) -> str:
    """The name of the recipe's split.

    >>> split_of(Recipe("1", "Soup", split="test"), PrepareSettings())
    'test'
    """
    if settings.splits == HASH or recipe.split is None:
        return hash_split(recipe.title, settings)
    if not _SPLIT_NAME.fullmatch(recipe.split):
        raise ChefError(
            f"recipe {recipe.id!r} is in a split named {recipe.split!r}",
            "name splits with letters and digits, such as train, val and test, or use --splits hash",
        )
    return recipe.split


def hash_split(title: str, settings: PrepareSettings) -> str:
    """A split that depends on nothing but the words of the title, so equal titles stay together."""
    words = " ".join(tokenise(title)).encode()
    position = int.from_bytes(hashlib.sha256(words).digest()[:8], "big") / 2**64
    if position < settings.train_share:
        return TRAIN
    return VAL if position < settings.train_share + settings.val_share else TEST
