"""One version of a collection, read while others write."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.index.lance_errors import translate_lance_errors
from chef.index.values import METADATA, ROW_ID

if TYPE_CHECKING:
    import pyarrow as pa

Vectors = np.ndarray[Any, np.dtype[np.floating[Any]]]
RowIds = np.ndarray[Any, np.dtype[np.uint64]]


class Snapshot:
    """One version of the table, unaffected by later writes; `Store.snapshot` opens the latest."""

    def __init__(self, table: Any, url: str, offset: int) -> None:
        self._table, self._url = table, url
        self.version, self.schema = offset + int(table.version), table.schema
        self.metadata: dict[str, Any] = json.loads((self.schema.metadata or {}).get(METADATA, b"{}"))

    @property
    def full(self) -> Snapshot:
        """The same, as of a `Frozen` one."""
        return self

    def columns(self, names: Mapping[str, str]) -> pa.Table:
        """Columns, each by its SQL, of all rows, with their row ids; in no order."""
        with translate_lance_errors(self._url):
            return self._table.search().select(dict(names)).with_row_id(True).to_arrow()

    def rows(self, row_ids: RowIds, names: Sequence[str]) -> list[dict[str, Any]]:
        """Columns of the rows with these row ids; in no order."""
        with translate_lance_errors(self._url):
            table = self._table.take_row_ids(row_ids.tolist()).select(list(names)).to_arrow()
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows

    def batches(self) -> Iterator[pa.RecordBatch]:
        """All rows and columns; in no order."""
        with translate_lance_errors(self._url):
            yield from self._table.search().to_batches()

    def vectors(self, name: str, row_ids: RowIds, dtype: type[np.floating[Any]] = np.float32) -> Vectors:
        """(n, d) the vectors of a column in the order of these row ids; none of them may be null.

        Each is written straight to its row, so that a large collection is never in memory twice.
        """
        dimension = self._table.schema.field(name).type.list_size
        vectors = np.empty((len(row_ids), dimension), dtype)
        order = np.argsort(row_ids)
        ascending = row_ids[order]
        query = self._table.search().select([name]).where(f"{name} IS NOT NULL").with_row_id(True)
        with translate_lance_errors(self._url):
            for batch in query.to_batches():
                rows = order[np.searchsorted(ascending, batch[ROW_ID].to_numpy())]
                vectors[rows] = batch[name].flatten().to_numpy().reshape(-1, dimension)
        return vectors
