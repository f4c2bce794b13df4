"""One version of a collection, read while others write: of the table, in memory, or frozen.

A frozen version is one Arrow file with all that a search needs. It opens without LanceDB, which takes a
second to import. A search from the command line leaves it in the collection's folder, and it counts only as
long as nobody has written to the collection since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.contents import VERSION
from chef.files import atomic_file
from chef.index.lance_errors import translate_lance_errors
from chef.index.values import FORMAT, METADATA, ROW_ID

if TYPE_CHECKING:
    import pyarrow as pa

Vectors = np.ndarray[Any, np.dtype[np.floating[Any]]]
RowIds = np.ndarray[Any, np.dtype[np.uint64]]

FILE = "search.arrow"
_STAMP, _VERSION = b"stamp", b"version"


class Snapshot:
    """One version of the table, unaffected by later writes; `Store.snapshot` opens the latest."""

    def __init__(self, table: Any, url: str, offset: int) -> None:
        self.table, self.url = table, url
        self.version, self.schema = offset + int(table.version), table.schema
        self.metadata: dict[str, Any] = json.loads((self.schema.metadata or {}).get(METADATA, b"{}"))

    @property
    def full(self) -> Snapshot:
        """The same version with all columns."""
        return self

    def _query(self, names: Sequence[str] | dict[str, str], where: str | None) -> Any:
        query = self.table.search().select(names).with_row_id(True)
        return query.where(where) if where else query

    def columns(self, names: Mapping[str, str], where: str | None = None) -> pa.Table:
        """Columns, each by its SQL, of all rows or of some, with their row ids; in no order."""
        as_they_are = all(name == sql for name, sql in names.items())  # which is faster
        with translate_lance_errors(self.url):
            return self._query(list(names) if as_they_are else dict(names), where).to_arrow()

    def batches(
        self, names: Sequence[str] | None = None, where: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        """The same piece by piece, for more than fits into memory; without names: all columns."""
        with translate_lance_errors(self.url):
            yield from self._query(list(names or self.schema.names), where).to_batches()

    def take(self, row_ids: RowIds, names: Sequence[str]) -> pa.Table:
        """Columns of the rows with these row ids, and the row ids; in no order."""
        with translate_lance_errors(self.url):
            return self.table.take_row_ids(row_ids.tolist()).select(list(names)).with_row_id().to_arrow()

    def count(self, where: str | None = None) -> int:
        """The number of rows, or of those that satisfy a condition."""
        with translate_lance_errors(self.url):
            return int(self.table.count_rows(where))

    def vectors(self, name: str, row_ids: RowIds, dtype: type[np.floating[Any]] = np.float32) -> Vectors:
        """(n, d) the vectors of a column in the order of these row ids; 0 where there is no such row.

        Each is written straight to its row, so that a large collection is never in memory twice.
        """
        dimension = self.schema.field(name).type.list_size
        vectors = np.zeros((len(row_ids), dimension), dtype)
        order = np.argsort(row_ids)
        ascending = row_ids[order]
        for batch in self.batches([name], f"{name} IS NOT NULL"):
            read = batch[ROW_ID].to_numpy()
            places = np.searchsorted(ascending, read)
            wanted = ascending[np.minimum(places, len(ascending) - 1)] == read
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

        table = self._table
        if ROW_ID not in table.column_names:
            table = table.append_column(ROW_ID, pa.array(np.arange(len(table), dtype=np.uint64)))
        return table.select([*names, ROW_ID])

    def take(self, row_ids: RowIds, names: Sequence[str]) -> pa.Table:
        """Columns of the rows with these row ids."""
        return self._table.take(row_ids.astype(np.int64)).select(list(names))

    def vectors(self, name: str, row_ids: RowIds, dtype: type[np.floating[Any]] = np.float32) -> Vectors:
        """(n, d) the vectors of a column in the order of these row ids."""
        column = self._table[name].combine_chunks()
        vectors = column.flatten().to_numpy().reshape(-1, column.type.list_size)
        own = self.columns({})[ROW_ID].to_numpy()
        order = np.argsort(own)
        return np.asarray(vectors[order[np.searchsorted(own, row_ids, sorter=order)]], dtype)


class Frozen(TableSnapshot):
    """The version in a file. `full` opens all of it, if the file holds a part."""

    def __init__(self, file: Path, full: Callable[[], Snapshot] | None = None) -> None:
        import pyarrow as pa

        with pa.memory_map(str(file)) as source:
            table = pa.ipc.open_file(source).read_all()
        more = table.schema.metadata
        super().__init__(table, int(more.get(_VERSION, 1)))
        self._full, self.stamp = full, more.get(_STAMP)

    @property
    def full(self) -> Snapshot | TableSnapshot:
        return self._full() if self._full else self

    def whole(self) -> tuple[pa.Schema, list[pa.Table]]:
        """All rows as a table is made of them, with vectors in single precision."""
        import pyarrow as pa

        single = pa.list_(pa.float32(), self.metadata["dimension"])
        fields = [field.with_type(single) if "vector" in field.name else field for field in self.schema]
        schema = pa.schema(fields, self.schema.metadata)
        return schema, [self._table.cast(schema)]


def frozen(folder: Path, full: Callable[[], Snapshot], last: Frozen | None) -> Frozen | None:
    """The file of a collection, if it is of the latest version; `last`: what this returned before."""
    if not (folder / FILE).is_file():
        return None
    latest = stamp(folder)
    if last is not None and last.stamp == latest:
        return last
    with suppress(OSError, ValueError, KeyError):  # a file of another version of chef, or a damaged one
        opened = Frozen(folder / FILE, full)
        return opened if opened.stamp == latest else None
    return None


def freeze(snapshot: Snapshot, table: pa.Table, folder: Path, stamp: bytes) -> None:
    """Write the columns of a search and the vectors; where the folder cannot be written to, nothing."""
    import pyarrow as pa

    vectors = snapshot.vectors("vector", table[ROW_ID].to_numpy())
    flat = pa.array(vectors.reshape(-1))
    table = table.append_column("vector", pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]))
    more = {METADATA: json.dumps(snapshot.metadata), _STAMP: stamp, _VERSION: str(snapshot.version)}
    table = table.replace_schema_metadata(more)
    with suppress(OSError), atomic_file(folder / FILE) as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def stamp(folder: Path) -> bytes:
    """The versions of a collection in a folder as they look from outside."""
    facts = hashlib.sha256(repr((FORMAT, VERSION)).encode())
    for file in sorted((folder / "recipes.lance" / "_versions").glob("*.manifest")):
        about = file.stat()
        facts.update(repr((file.name, about.st_size, about.st_mtime_ns)).encode())
    return facts.hexdigest().encode()
