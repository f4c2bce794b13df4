"""Long steps that stand word for word in many recipes: template text, not cooking."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence

import numpy as np

MANY = 5  # recipes, in a collection of up to 5,000; one in a thousand of a larger one
_LONG = 20  # words: "preheat the oven to 350 degrees and grease a pan" is in many honest recipes


class Templates:
    """Counts equal long steps over all recipes; 16 bytes for each."""

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._recipes = array("Q")
        # Texts are kept only of steps that were seen often, by a rough count: we cannot keep them all.
        self._rough = np.zeros(1 << 20, np.uint8)
        self._texts: dict[int, str] = {}

    def add(self, recipe: int, steps: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Take the steps of the recipe at this position, each as its text and its words."""
        distinct = {_hash(words): text for text, words in steps if len(words) >= _LONG}
        for key, text in distinct.items():
            self._hashes.append(key)
            self._recipes.append(recipe)
            bucket = key % len(self._rough)
            if self._rough[bucket] + 1 < MANY:
                self._rough[bucket] += 1
            else:
                self._texts.setdefault(key, text)

    def found(self, recipes: int) -> tuple[int, list[tuple[int, str]]]:
        """How many of the `recipes` hold a template step; and of each such step its first recipe and text.

        The commonest step comes first.
        """
        many = max(MANY, recipes // 1000)
        hashes = np.frombuffer(self._hashes, np.uint64)
        owners = np.frombuffer(self._recipes, np.uint64)
        distinct, first, which, counts = np.unique(
            hashes, return_index=True, return_inverse=True, return_counts=True
        )
        affected = len(np.unique(owners[counts[which] >= many]))
        order = [int(n) for n in np.lexsort((first, -counts)) if counts[n] >= many]
        return affected, [(int(owners[first[n]]), self._texts[int(distinct[n])]) for n in order]


def _hash(words: Sequence[str]) -> int:
    return int.from_bytes(hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest(), "little")
