"""The collection on disk: one LanceDB table, in a folder or at an `s3://` address.

Every write is one new version of the table, complete or not there at all; in a folder it is acknowledged once
it is on disk (`durable`). A reader keeps the version that it opened until it asks for the latest.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from chef.errors import ChefError
from chef.files import loading
from chef.index.conditions import IdIn
from chef.index.durable import NOTES, TABLE, Ledger
from chef.index.lance_errors import retry_on_conflict, translate_lance_errors
from chef.index.snapshot import FILE, Frozen, Snapshot, frozen
from chef.index.values import FORMAT, METADATA

if TYPE_CHECKING:
    import pyarrow as pa

_INDEX_CACHE = 512 << 20  # bytes of indexes that are kept in memory: the vectors of 3,000,000, a bit a number
_CACHE = 16 << 20  # bytes of what Lance has read that it keeps in memory; by default gigabytes
_IDS_AT_ONCE = 500  # in one condition
_VERSION_TTL = 1.0  # seconds for which the version of a remote collection is cached

Columns = Sequence[str] | Mapping[str, str]
Result = TypeVar("Result")


class Store:
    """The table of one collection.

    >>> store = Store("my-collection")
    >>> store.exists
    False
    """

    keep = 4  # versions, for readers and for repair

    def __init__(self, url: str | Path) -> None:
        self.url = str(url)
        self.is_local = "://" not in self.url
        if not self.url.strip():
            raise ChefError("a collection needs a place", "name a folder or an s3:// address")
        if self.is_local and os.path.lexists(self.url) and not os.path.isdir(self.url):
            raise ChefError(f"{self.url} is not a folder", "name the folder of a collection, or a new one")
        self._opened: Any = None
        self._frozen: Frozen | None = None
        self._connected: Any = None
        self._version_checked = 0.0
        self.since = time.time()
        self.ledger = Ledger(Path(self.url)) if self.is_local else None
        self._place: tuple[int, ...] = ()  # which folder was opened
        self._offset = self._last = 0  # of versions

    @property
    def _database(self) -> Any:
        if self._connected is None:
            with loading():
                import lancedb
            with translate_lance_errors(self.url):
                session = lancedb.Session(_INDEX_CACHE, _CACHE)
                self._connected = lancedb.connect(self.url, session=session)
        return self._connected

    @property
    def exists(self) -> bool:
        """Whether there is a collection."""
        if self._opened is not None:
            return True
        if self.ledger is not None:
            return bool(self.ledger.manifests())  # without creating the folder
        with translate_lance_errors(self.url):
            return TABLE in self._database.list_tables().tables

    @property
    def table(self) -> Any:
        if self._opened is None:
            if not self.exists:
                raise ChefError(
                    f"no collection at {self.url}", f"make one: chef index add {self.url} RECIPES"
                )
            self._place = self._latest_place()
            with translate_lance_errors(self.url):
                if self.ledger is not None:
                    self.ledger.drop_torn()
                self._opened = self._database.open_table(TABLE)
            if self.metadata.get("format", 0) > FORMAT:
                raise ChefError(
                    f"the collection at {self.url} is from a newer version of chef", "update chef"
                )
        return self._opened

    def check(self) -> None:
        """Raise ChefError unless there is a collection that can be read."""
        if self.frozen() is None:
            _ = self.table

    def frozen(self) -> Frozen | None:
        """What a search needs of the latest version, if it is in a file and the table is not open yet."""
        if self._opened is not None or not self.is_local or self._offset:
            return None
        self._frozen = frozen(Path(self.url), self.lance_snapshot, self._frozen)
        return self._frozen

    def create(self, schema: pa.Schema) -> None:
        """Create the table, without rows; one that another process has just created is used."""
        own = {f"{TABLE}.lance", NOTES}  # of a creation that was killed
        if self.is_local and os.path.isdir(self.url) and {*os.listdir(self.url)} - own and not self.exists:
            raise ChefError(f"{self.url} holds other files and no collection", "name a new or empty folder")
        with translate_lance_errors(self.url):
            database = self._database
            self._opened = retry_on_conflict(
                lambda: database.create_table(TABLE, schema=schema, exist_ok=True)
            )
        self._acknowledge()

    def replace(self, schema: pa.Schema, batches: Iterable[pa.Table]) -> int:
        """Replace the table by a new one, atomically -> its version.

        The batches may be read from this very store: they are collected in a file first, because LanceDB
        cannot read for one caller while it writes for another.
        """
        import pyarrow as pa

        with tempfile.TemporaryFile() as file:
            with pa.ipc.new_stream(file, schema) as writer:
                for batch in batches:
                    writer.write_table(batch)
            file.seek(0)
            with pa.ipc.open_stream(file) as reader, translate_lance_errors(self.url):
                mode = "overwrite" if self.exists else "create"
                self._opened = self._database.create_table(
                    TABLE, data=reader, schema=schema, mode=mode, on_bad_vectors="null"
                )
                version = int(self._opened.version)
        self._acknowledge()
        return version

    def _acknowledge(self) -> None:
        """Return when the latest version would survive a power cut. A bucket has it when it has answered."""
        if self.ledger is not None:
            with suppress(OSError):  # it is of an older version
                os.unlink(os.path.join(self.url, FILE))
            self.ledger.record()
            self.ledger.prune(self.keep)

    @property
    def metadata(self) -> dict[str, Any]:
        """Of the collection as a whole: `format`, `model`, `fingerprint`, `dimension`."""
        if (snapshot := self.frozen()) is not None:
            return snapshot.metadata
        stored = (self.table.schema.metadata or {}).get(METADATA)
        if stored is None:
            raise ChefError(f"{self.url} holds no collection of chef", "name another folder")
        metadata: dict[str, Any] = json.loads(stored)
        return metadata

    @property
    def schema(self) -> pa.Schema:
        """The table's own."""
        return self.table.schema

    @property
    def version(self) -> int:
        """The latest version, whoever wrote it; for a remote collection it may be a second old.

        If another collection has taken the place of this one, its versions count on from the last one here:
        a number never means two things. LanceDB itself would mix up the files of the two.
        """
        if self._place and self._latest_place() != self._place:
            self._forget()
        if (snapshot := self.frozen()) is not None:
            self._place, self._last = self._latest_place(), snapshot.version
            return snapshot.version
        table, now = self.table, time.monotonic()
        with translate_lance_errors(self.url):
            if self.is_local or now - self._version_checked > _VERSION_TTL:
                table.checkout_latest()
                self._version_checked = now
            if self._offset + table.version < self._last:
                self._forget()
                table = self.table
            self._last = self._offset + int(table.version)
            return self._last

    def _latest_place(self) -> tuple[int, ...]:
        if not self.is_local:
            return ()
        try:
            folder = os.stat(os.path.join(self.url, f"{TABLE}.lance"))
        except FileNotFoundError:
            raise ChefError(f"the collection at {self.url} is gone", "put it back") from None
        return folder.st_dev, folder.st_ino, folder.st_ctime_ns

    def _forget(self) -> None:
        """Open the collection anew, without what LanceDB has cached."""
        self._opened = self._connected = None
        self._offset = self._last

    def count(self, where: str | None = None) -> int:
        """The number of rows, or of those that satisfy a condition."""
        return int(self.table.count_rows(where))

    def upsert(self, rows: pa.Table) -> tuple[int, int]:
        """Write rows, replacing those with a known id -> the numbers of inserted and of updated rows."""

        def write(table: Any) -> Any:
            if (table.schema.metadata or {}).get(METADATA) != (rows.schema.metadata or {}).get(METADATA):
                raise ChefError(f"{self.url} was rebuilt meanwhile", "run the same command again")
            writer = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            return writer.execute(rows, on_bad_vectors="null")

        result = self.with_latest(write)
        self._acknowledge()
        return result.num_inserted_rows, result.num_updated_rows

    def delete(self, ids: Collection[str]) -> None:
        """Delete the rows of these ids, all in one version."""
        self.with_latest(lambda table: table.delete(IdIn(ids).sql))
        if self.is_local:
            (Path(self.url) / FILE).unlink(missing_ok=True)  # what was removed is not to stay there
        self._acknowledge()

    def with_latest(self, access: Callable[[Any], Result]) -> Result:
        """Read from or write to the latest version of the table, retrying on conflicts."""
        table = self.table

        def attempt() -> Result:
            table.checkout_latest()
            return access(table)

        with translate_lance_errors(self.url):
            return retry_on_conflict(attempt)

    def snapshot(self) -> Snapshot | Frozen:
        """The latest version, which stays as it is while others write."""
        return self.frozen() or self.lance_snapshot()

    def lance_snapshot(self) -> Snapshot:
        """The same from the table, with all columns."""
        opened = self.table
        with translate_lance_errors(self.url):
            table = self.open()
            # Otherwise `version`, which is cached for remote collections, would lag behind what we return.
            opened.checkout_latest()
            return Snapshot(table, self.url, self._offset)

    @contextmanager
    def held(self, seconds: int = 60) -> Iterator[None]:
        """Keep the latest version while it is read, for so long at most, whatever is written meanwhile."""
        ledger = None if self.frozen() else self.ledger
        with ledger.hold(seconds) if ledger is not None else nullcontext():
            yield

    def rows(
        self, ids: Iterable[str], names: Columns, version: int | None = None
    ) -> dict[str, dict[str, Any]]:
        """The rows of these ids, by id; an unknown id has none. names: columns, or columns and their SQL.

        version: one that is not the latest.
        """
        wanted = list(dict.fromkeys(ids))
        columns = dict(names) if isinstance(names, Mapping) else [*names, "id"]
        rows: dict[str, dict[str, Any]] = {}
        for start in range(0, len(wanted), _IDS_AT_ONCE):
            where = IdIn(wanted[start : start + _IDS_AT_ONCE]).sql

            def read(table: Any, where: str = where) -> Any:
                return table.search().where(where).select(columns).to_arrow().to_pylist()

            batch = self.with_latest(read) if version is None else read(self.open(version))
            rows.update((row["id"], row) for row in batch)
        return rows

    def open(self, version: int | None = None) -> Any:
        """A table of LanceDB at a version, else at the latest."""
        with translate_lance_errors(self.url):
            table = self._database.open_table(TABLE)
            table.checkout(table.version if version is None else version)
            return table

    def digests(self, version: int | None = None) -> dict[str, str]:
        """The ids and digests of a version, else of the latest."""
        table = self.open(version).search().select(["id", "digest"]).to_arrow()
        return dict(zip(table["id"].to_pylist(), table["digest"].to_pylist(), strict=True))

    def skip_past(self, version: int) -> None:
        """Open the table again, and have its versions count on from this number: none means two things."""
        self._opened = None
        with translate_lance_errors(self.url):
            while self.table.version <= version:
                self.table.delete("false")
        self._acknowledge()

    def bytes(self) -> int | None:
        """On disk, all versions together; None where that is not on this machine."""
        if not self.is_local:
            return None
        return sum(file.stat().st_size for file in Path(self.url).rglob("*") if file.is_file())
