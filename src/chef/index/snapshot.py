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
        self.table, self.url = table, url
        self.version, self.schema = offset + int(table.version), table.schema
        self.metadata: dict[str, Any] = json.loads((self.schema.metadata or {}).get(METADATA, b"{}"))

    @property
    def full(self) -> Snapshot:
        """The same, as of a `Frozen` one."""
        return self

    def columns(self, names: Mapping[str, str], where: str | None = None) -> pa.Table:
        """Columns, each by its SQL, of all rows or of some, with their row ids; in no order."""
        with translate_lance_errors(self.url):
            as_they_are = all(name == sql for name, sql in names.items())  # which is faster
            query = self.table.search().select(list(names) if as_they_are else dict(names)).with_row_id(True)
            return (query.where(where) if where else query).to_arrow()

    def take(self, row_ids: RowIds, names: Sequence[str]) -> pa.Table:
        """Columns of the rows with these row ids, and the row ids; in no order."""
        with translate_lance_errors(self.url):
            return self.table.take_row_ids(row_ids.tolist()).select(list(names)).with_row_id().to_arrow()

    def rows(self, row_ids: RowIds, names: Sequence[str]) -> list[dict[str, Any]]:
        """The same as dictionaries."""
        rows: list[dict[str, Any]] = self.take(row_ids, names).to_pylist()
        return rows

    def count(self, where: str | None = None) -> int:
        """The number of rows, or of those that satisfy a condition."""
        with translate_lance_errors(self.url):
            return int(self.table.count_rows(where))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """All rows and columns; in no order."""
        with translate_lance_errors(self.url):
            yield from self.table.search().to_batches()

    def vectors(self, name: str, row_ids: RowIds, dtype: type[np.floating[Any]] = np.float32) -> Vectors:
        """(n, d) the vectors of a column in the order of these row ids; 0 where there is no such row.

        Each is written straight to its row, so that a large collection is never in memory twice.
        """
        dimension = self.schema.field(name).type.list_size
        vectors = np.zeros((len(row_ids), dimension), dtype)
        order = np.argsort(row_ids)
        ascending = row_ids[order]
        query = self.table.search().select([name]).where(f"{name} IS NOT NULL").with_row_id(True)
        with translate_lance_errors(self.url):
            for batch in query.to_batches():
                found = batch[ROW_ID].to_numpy()
                places = np.searchsorted(ascending, found)
                wanted = ascending[np.minimum(places, len(ascending) - 1)] == found
                flat = batch[name].flatten().to_numpy().reshape(-1, dimension)
                vectors[order[places[wanted]]] = flat[wanted]
        return vectors


class TableSnapshot:
    """Rows in memory, like `Snapshot`."""

    def __init__(self, table: pa.Table, version: int) -> None:
        self._table, self.version = table, version
        self.schema = table.schema
        self.metadata: dict[str, Any] = json.loads(self.schema.metadata[METADATA])

    @property
    def full(self) -> Snapshot | TableSnapshot:
        """The same version with all columns."""
        return self

    def columns(self, names: Mapping[str, str]) -> pa.Table:
        """Columns of all rows, with their row ids."""
        import pyarrow as pa
        import pyarrow.compute as pc

        table = self._table
        if ROW_ID not in table.column_names:
            table = table.append_column(ROW_ID, pa.array(np.arange(len(table), dtype=np.uint64)))
        if "has_image" in names and "has_image" not in table.column_names:
            table = table.append_column("has_image", pc.is_valid(table["thumbnail"]))
        return table.select([*names, ROW_ID])

    def rows(self, row_ids: RowIds, names: Sequence[str]) -> list[dict[str, Any]]:
        """Columns of the rows with these row ids."""
        table = self._table.take(row_ids.astype(np.int64)).select(list(names))
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows

    def vectors(self, name: str, row_ids: RowIds, dtype: type[np.floating[Any]] = np.float32) -> Vectors:
        """(n, d) the vectors of a column in the order of these row ids."""
        column = self._table[name].combine_chunks()
        vectors = column.flatten().to_numpy().reshape(-1, column.type.list_size)
        own = self.columns({})[ROW_ID].to_numpy()
        order = np.argsort(own)
        return np.asarray(vectors[order[np.searchsorted(own, row_ids, sorter=order)]], dtype)
