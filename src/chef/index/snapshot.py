"""One version of the table, which stays as it is while others write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.index.faults import told

if TYPE_CHECKING:
    import pyarrow as pa

ROW_ID = "_rowid"

Vectors = np.ndarray[Any, np.dtype[np.floating[Any]]]
RowIds = np.ndarray[Any, np.dtype[np.uint64]]


class Snapshot:
    """A version of the table; `Store.snapshot` opens the latest."""

    def __init__(self, table: Any, url: str) -> None:
        self._table, self._url = table, url
        self.version = int(table.version)

    def columns(self, names: Mapping[str, str]) -> pa.Table:
        """Columns, each by what it is in SQL, of all rows, with their row ids; in no order."""
        with told(self._url):
            return self._table.search().select(dict(names)).with_row_id(True).to_arrow()

    def rows(self, row_ids: RowIds, names: Sequence[str]) -> list[dict[str, Any]]:
        """Columns of the rows with these row ids; in no order."""
        with told(self._url):
            found = self._table.take_row_ids(row_ids.tolist()).select(list(names)).to_arrow()
        rows: list[dict[str, Any]] = found.to_pylist()
        return rows

    def vectors(self, name: str, row_ids: RowIds, dtype: type[np.floating[Any]] = np.float32) -> Vectors:
        """(n, d) the vectors of a column in the order of these row ids; none of them may be null.

        Written straight to their place, so that a large collection is never in memory twice.
        """
        dimension = self._table.schema.field(name).type.list_size
        found = np.empty((len(row_ids), dimension), dtype)
        order = np.argsort(row_ids)
        ascending = row_ids[order]
        query = self._table.search().select([name]).where(f"{name} IS NOT NULL").with_row_id(True)
        with told(self._url):
            for batch in query.to_batches():
                places = order[np.searchsorted(ascending, batch[ROW_ID].to_numpy())]
                found[places] = batch[name].flatten().to_numpy().reshape(-1, dimension)
        return found
