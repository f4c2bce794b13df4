"""What a search needs of a collection in one Arrow file, which opens without LanceDB (a second to import).

The file is written after a search from the command line, lies in the collection's folder, and counts only as
long as nobody has written to the collection since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.contents import VERSION
from chef.files import atomic_file
from chef.index.values import FORMAT, METADATA, ROW_ID

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.index.nearest import Vectors
    from chef.index.snapshot import RowIds, Snapshot

FILE = "search.arrow"
_STAMP, _VERSION = b"stamp", b"version"


class Frozen:
    """One version of a collection, like `Snapshot`. `full` opens all of it, if the file holds a part."""

    def __init__(self, file: Path, full: Callable[[], Snapshot] | None = None) -> None:
        import pyarrow as pa

        with pa.memory_map(str(file)) as source:
            self._table = pa.ipc.open_file(source).read_all()
        self._full = full
        self.schema, more = self._table.schema, self._table.schema.metadata
        self.metadata: dict[str, Any] = json.loads(more[METADATA])
        self.stamp, self.version = more.get(_STAMP), int(more.get(_VERSION, 1))

    @property
    def full(self) -> Snapshot | Frozen:
        """The same version with all columns."""
        return self._full() if self._full else self

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

    def whole(self) -> tuple[pa.Schema, list[pa.Table]]:
        """All rows as a table is made of them, with vectors in single precision."""
        import pyarrow as pa

        single = pa.list_(pa.float32(), self.metadata["dimension"])
        fields = [field.with_type(single) if "vector" in field.name else field for field in self.schema]
        schema = pa.schema(fields, self.schema.metadata)
        return schema, [self._table.cast(schema)]

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


def frozen(folder: Path, full: Callable[[], Snapshot], last: Frozen | None) -> Frozen | None:
    """The file of a collection, if it is of the latest version; `last`: what this returned before."""
    if not (folder / FILE).is_file():
        return None
    seen = stamp(folder)
    if last is not None and last.stamp == seen:
        return last
    with suppress(OSError, ValueError, KeyError):  # a file of another version of chef, or a damaged one
        found = Frozen(folder / FILE, full)
        return found if found.stamp == seen else None
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
