"""What a search needs of a collection in one Arrow file, which opens without LanceDB (a second to import).

The file is written after a search from the command line, lies in the collection's folder, and counts only as
long as nobody has written to the collection since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chef.contents import VERSION
from chef.files import atomic_file
from chef.index.snapshot import TableSnapshot
from chef.index.values import FORMAT, METADATA, ROW_ID

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.index.snapshot import Snapshot

FILE = "search.arrow"
_STAMP, _VERSION = b"stamp", b"version"


class Frozen(TableSnapshot):
    """One version of a collection, like `Snapshot`. `full` opens all of it, if the file holds a part."""

    def __init__(self, file: Path, full: Callable[[], Snapshot] | None = None) -> None:
        import pyarrow as pa

        with pa.memory_map(str(file)) as source:
            table = pa.ipc.open_file(source).read_all()
        more = table.schema.metadata
        super().__init__(table, int(more.get(_VERSION, 1)))
        self._full, self.stamp = full, more.get(_STAMP)

    @property
    def full(self) -> Snapshot | Frozen:
        """The same version with all columns."""
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
