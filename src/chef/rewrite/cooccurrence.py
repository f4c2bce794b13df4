"""Co-occurrence of ingredients in a collection: which replace each other, which go together.

Two ingredients that occur with the same others, and seldom in one recipe, can replace each other. This is how
word2vec sees words, counted on the collection itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from chef.index.catalogue import Catalogue, LabelIndex

Numbers = np.ndarray[Any, np.dtype[np.float32]]
Counts = np.ndarray[Any, np.dtype[np.int64]]

_MAX_INGREDIENTS = 2000  # the most frequent ones
_SMOOTHING = 5.0  # recipes added to each count: what was seen once or twice proves little
_PAIRS_AT_ONCE = 4_000_000


class Cooccurrence:
    """Counts of ingredients and of pairs of them.

    >>> counts = Cooccurrence(catalogue.tokens)
    >>> counts.often_with("basil", ["tomatoes", "sugar"])
    ['tomatoes']
    """

    def __init__(self, labels: LabelIndex) -> None:
        counts = labels.counts()
        self.tokens = sorted(counts, key=lambda token: (-counts[token], token))[:_MAX_INGREDIENTS]
        self.positions = {token: at for at, token in enumerate(self.tokens)}
        self.counts: Counts = np.array([counts[token] for token in self.tokens], np.int64)
        self.recipes = len(labels.sizes)
        self._labels = labels

    @cached_property
    def pair_counts(self) -> Counts:
        """(n, n) how many recipes have both; on the diagonal, how many have the one."""
        size = len(self.tokens)
        counts = np.zeros(size * size, np.int64)
        for rows in self._lists():
            step = max(1, _PAIRS_AT_ONCE // rows.shape[1] ** 2)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                pairs = part[:, :, None] * size + part[:, None, :]
                counts += np.bincount(pairs.ravel(), minlength=size * size)
        return counts.reshape(size, size)

    def _lists(self) -> Iterator[Counts]:
        """(m, k) the positions of the ingredients of all recipes that have k of them, for each k."""
        rows = [self._labels.rows_of(token) for token in self.tokens]
        recipes = np.concatenate(rows) if rows else np.zeros(0, np.int64)
        positions = np.repeat(np.arange(len(rows)), [len(those) for those in rows])
        positions = positions[np.argsort(recipes, kind="stable")]
        sizes = np.bincount(recipes, minlength=self.recipes)
        starts = np.cumsum(sizes) - sizes
        for size in np.unique(sizes[sizes > 0]):
            first = starts[sizes == size]
            yield positions[first[:, None] + np.arange(size)]

    @cached_property
    def affinity(self) -> Numbers:
        """(n, n) the log of how much more often two occur together than by chance; 0 by chance."""
        expected = self.counts[:, None] * (self.counts / max(self.recipes, 1))
        return np.log((self.pair_counts + _SMOOTHING) / (expected + _SMOOTHING)).astype(np.float32)

    @cached_property
    def _profiles(self) -> Numbers:
        """(n, n) rows of length 1: what each occurs with, and what it avoids."""
        affinity = self.affinity.copy()
        np.fill_diagonal(affinity, 0)
        profiles: Numbers = affinity / np.maximum(np.linalg.norm(affinity, axis=1, keepdims=True), 1e-9)
        return profiles

    def similarity(self, tokens: Sequence[str]) -> Numbers:
        """(n,) 0 to 1: how similar the co-occurrences of each ingredient are to those of these."""
        rows = [
            self._profiles @ self._profiles[self.positions[one]] for one in tokens if one in self.positions
        ]
        return np.clip(np.max(rows, axis=0), 0, 1) if rows else np.zeros(len(self.tokens), np.float32)

    def fit(self, tokens: Sequence[str]) -> Numbers:
        """(n,) how well each ingredient goes with these: its mean affinity to them."""
        rows = [self.affinity[self.positions[one]] for one in tokens if one in self.positions]
        return np.mean(rows, axis=0) if rows else np.zeros(len(self.tokens), np.float32)

    def affinity_to(self, token: str) -> Numbers:
        """(n,) the affinity of each ingredient to one; 0 where that is not in the collection."""
        at = self.positions.get(token)
        return np.zeros(len(self.tokens), np.float32) if at is None else self.affinity[at]

    def count(self, token: str) -> int:
        """How many recipes have it."""
        at = self.positions.get(token)
        return 0 if at is None else int(self.counts[at])

    def often_with(self, token: str, others: Sequence[str]) -> list[str]:
        """Those of the others that occur with it more often than by chance, the strongest first."""
        affinity = self.affinity_to(token)
        known = [one for one in others if one in self.positions and affinity[self.positions[one]] > 0]
        return sorted(known, key=lambda one: -float(affinity[self.positions[one]]))


_cache: WeakKeyDictionary[Catalogue, Cooccurrence] = WeakKeyDictionary()


def cooccurrence_in(catalogue: Catalogue) -> Cooccurrence:
    """The co-occurrences in one version of a collection, counted once."""
    if catalogue not in _cache:
        _cache[catalogue] = Cooccurrence(catalogue.tokens)
    return _cache[catalogue]
