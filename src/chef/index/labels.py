"""Labels on rows, such as ingredients or tags."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

Counts = np.ndarray[Any, np.dtype[np.float32]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Rows = np.ndarray[Any, np.dtype[np.int64]]


class Labels:
    """A few labels on each row; finds labels by row and rows by label.

    >>> labels = Labels(pa.array([["rice", "salt"], ["salt"]]))
    >>> labels.of(0), labels.rows_of("salt").tolist()
    (['rice', 'salt'], [0, 1])
    """

    def __init__(self, lists: pa.Array) -> None:
        encoded = lists.flatten().dictionary_encode()
        self.sizes: Rows = lists.value_lengths().to_numpy().astype(np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self._codes = encoded.indices.to_numpy().astype(np.int32)
        self.names: list[str] = encoded.dictionary.to_pylist()
        self._places = {name: code for code, name in enumerate(self.names)}

    def of(self, row: int) -> list[str]:
        """The labels of a row in their order."""
        return [self.names[code] for code in self._codes[self._starts[row] : self._starts[row + 1]]]

    def counts(self) -> dict[str, int]:
        """How many rows have each label."""
        found = np.bincount(self._codes, minlength=len(self.names)).tolist()
        return dict(zip(self.names, found, strict=True))

    def rows_of(self, name: str) -> Rows:
        """The rows that have a label, ascending."""
        code = self._places.get(name)
        if code is None:
            return np.zeros(0, np.int64)
        rows, begins = self._postings
        return rows[begins[code] : begins[code + 1]]

    @cached_property
    def _postings(self) -> tuple[Rows, Rows]:
        """Rows in the order of their labels, and where each label begins."""
        rows = np.repeat(np.arange(len(self.sizes)), self.sizes)
        order = np.argsort(self._codes, kind="stable")
        return rows[order], np.searchsorted(self._codes[order], np.arange(len(self.names) + 1))

    def mask(self, names: Iterable[str]) -> Mask:
        """(rows,) True where a row has at least one of the labels."""
        found = np.zeros(len(self.sizes), np.bool_)
        for name in names:
            found[self.rows_of(name)] = True
        return found

    def count(self, names: Iterable[str]) -> Counts:
        """(rows,) how many of the labels each row has."""
        found = np.zeros(len(self.sizes), np.float32)
        for name in set(names):
            found[self.rows_of(name)] += 1
        return found
