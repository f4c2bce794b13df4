"""The company that ingredients keep in a collection: which stand in for each other, which go together.

Two ingredients that keep the same company and are seldom in one recipe can take each other's place. This is
how word2vec sees words, counted on the collection itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.labels import Labels

Numbers = np.ndarray[Any, np.dtype[np.float32]]
Counts = np.ndarray[Any, np.dtype[np.int64]]

_MOST = 2000  # ingredients, the most frequent ones
_DOUBT = 5.0  # recipes' worth of doubt: what was seen once or twice proves little
_AT_ONCE = 4_000_000  # pairs counted together


class Company:
    """Counts of ingredients and of pairs of them.

    >>> company = Company(catalogue.tokens)
    >>> company.tokens[int(np.nanargmax(company.likeness(["butter"])))]
    'margarine'
    """

    def __init__(self, labels: Labels) -> None:
        counts = labels.counts()
        self.tokens = sorted(counts, key=lambda token: (-counts[token], token))[:_MOST]
        self.places = {token: place for place, token in enumerate(self.tokens)}
        self.counts: Counts = np.array([counts[token] for token in self.tokens], np.int64)
        self.recipes = len(labels.sizes)
        self._labels = labels

    @cached_property
    def together(self) -> Counts:
        """(n, n) how many recipes have both; on the diagonal how many have the one."""
        size = len(self.tokens)
        found = np.zeros(size * size, np.int64)
        for rows in self._lists():
            step = max(1, _AT_ONCE // rows.shape[1] ** 2)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                pairs = part[:, :, None] * size + part[:, None, :]
                found += np.bincount(pairs.ravel(), minlength=size * size)
        return found.reshape(size, size)

    def _lists(self) -> Iterator[Counts]:
        """(m, k) the places of the ingredients of all recipes that have k of them, for each k."""
        rows = [self._labels.rows_of(token) for token in self.tokens]
        row = np.concatenate(rows) if rows else np.zeros(0, np.int64)
        place = np.repeat(np.arange(len(rows)), [len(found) for found in rows])
        place = place[np.argsort(row, kind="stable")]
        sizes = np.bincount(row, minlength=self.recipes)
        starts = np.cumsum(sizes) - sizes
        for size in np.unique(sizes[sizes > 0]):
            first = starts[sizes == size]
            yield place[first[:, None] + np.arange(size)]

    @cached_property
    def affinity(self) -> Numbers:
        """(n, n) how much more often two are together than chance would have it: a logarithm, 0 by chance."""
        expected = self.counts[:, None] * (self.counts / max(self.recipes, 1))
        return np.log((self.together + _DOUBT) / (expected + _DOUBT)).astype(np.float32)

    @cached_property
    def _profiles(self) -> Numbers:
        """(n, n) rows of length 1: whom each keeps company with, and whom it avoids."""
        found = self.affinity.copy()
        np.fill_diagonal(found, 0)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        profiles: Numbers = found / np.maximum(lengths, 1e-9)
        return profiles

    def likeness(self, tokens: Sequence[str]) -> Numbers:
        """(n,) 0 to 1: how alike the company of each ingredient and that of these is."""
        rows = [self._profiles @ self._profiles[self.places[one]] for one in tokens if one in self.places]
        return np.clip(np.max(rows, axis=0), 0, 1) if rows else np.zeros(len(self.tokens), np.float32)

    def fit(self, tokens: Sequence[str]) -> Numbers:
        """(n,) how well each ingredient goes with these: its mean affinity to them."""
        rows = [self.affinity[self.places[one]] for one in tokens if one in self.places]
        return np.mean(rows, axis=0) if rows else np.zeros(len(self.tokens), np.float32)

    def affinity_to(self, token: str) -> Numbers:
        """(n,) the affinity of each ingredient to one; 0 where that is not in the collection."""
        place = self.places.get(token)
        return np.zeros(len(self.tokens), np.float32) if place is None else self.affinity[place]

    def count(self, token: str) -> int:
        """How many recipes have it."""
        place = self.places.get(token)
        return 0 if place is None else int(self.counts[place])

    def often_with(self, token: str, others: Sequence[str]) -> list[str]:
        """Those of the others that it is seen with more often than by chance, the most telling first."""
        affinity = self.affinity_to(token)
        known = [one for one in others if one in self.places and affinity[self.places[one]] > 0]
        return sorted(known, key=lambda one: -float(affinity[self.places[one]]))


_kept: WeakKeyDictionary[Catalogue, Company] = WeakKeyDictionary()


def company_of(catalogue: Catalogue) -> Company:
    """The company of one version of a collection, counted once."""
    if catalogue not in _kept:
        _kept[catalogue] = Company(catalogue.tokens)
    return _kept[catalogue]
