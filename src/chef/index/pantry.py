"""Cook with what I have: what each recipe still lacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.meaning import Meanings
from chef.index.nearest import Scores

# What every kitchen has, as canonical tokens: never missing.
STAPLES = frozenset(
    "salt kosher_salt sea_salt pepper black_pepper salt_pepper water boiling_water cold_water hot_water ice"
    " ice_water lukewarm_water warm_water ice_cubes oil vegetable_oil olive_oil canola_oil sunflower_oil"
    " cooking_spray".split()
)


class Pantry:
    """What a person has at home.

    >>> Pantry(["rice", "onions"], catalogue, meanings).missing(0)
    ['cumin']
    """

    def __init__(self, words: Sequence[str], catalogue: Catalogue, meanings: Meanings) -> None:
        self._catalogue = catalogue
        self.owned = frozenset[str]().union(*(meanings.of(word) for word in words))
        self._free = self.owned | STAPLES

    def counts(self) -> Scores:
        """(rows,) how many ingredients are missing."""
        tokens = self._catalogue.tokens
        return np.asarray(tokens.sizes - tokens.count(self._free), np.float32)

    def missing(self, row: int) -> list[str]:
        """The ingredients of a row that are not at hand."""
        return [token for token in self._catalogue.tokens.of(row) if token not in self._free]
