"""The collection on disk: one LanceDB table, in a folder or at an `s3://` address.

Every write is one new version of the table, complete or not there at all; in a folder it is acknowledged once
it is on disk (`durable`). A reader keeps the version that it opened until it asks for the latest.
"""

from __future__ import annotations

import errno
import json
import os
import random
import re
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from chef.errors import ChefError
from chef.files import loading
from chef.index.durable import NOTES, TABLE, Ledger
from chef.index.frozen import FILE, Frozen, frozen
from chef.index.values import FORMAT, METADATA, ROW_ID

if TYPE_CHECKING:
    import pyarrow as pa

_KEEP = 8  # versions, for readers and for repair; twice as many at most
_REMOTE_AGE = timedelta(minutes=10)  # of versions in a bucket, which only Lance can remove
_NEVER = timedelta(days=36_500)
_PURGE_AFTER = 86_400.0  # seconds after which the texts of removed recipes go from the files as well
_CACHE = 16 << 20  # bytes of what Lance has read that it keeps in memory; by default gigabytes
# Each batch is a file of its own until compaction rewrites the whole collection as one file. The larger that
# is, the more batches wait for it; but not too many, as every write and every read opens them all.
_MIN_BATCHES, _MAX_BATCHES = 32, 256
_GROWTH = 1 / 4  # the largest share of the collection that waits
_BATCH = 32  # rows: smaller batches, as of a service, count as if they had as many
_IDS_AT_ONCE = 500  # in one condition
_VERSION_TTL = 1.0  # seconds for which the version of a remote collection is cached

# Lance retries by itself, and gives up when many write at once for half a minute. It raises no error types of
# its own in Python.
_CONFLICT = re.compile(r"conflict|concurrent|preempted|please retry", re.IGNORECASE)
# Another process has compacted the files, and removed the old ones that we were reading.
_REMOVED = re.compile(r"(?=.*not found)(?=.*\.lance/)", re.IGNORECASE | re.DOTALL)
_DISK_FULL = re.compile(rf"os error ({errno.ENOSPC}|{errno.EDQUOT})\b")
_ATTEMPTS = 12
_REMOVED_ATTEMPTS = 4  # for a missing file: it may be missing for good
_FIRST_PAUSE, _MAX_PAUSE = 0.1, 20.0  # seconds between two attempts: twice as long each time

Columns = Sequence[str] | Mapping[str, str]
Vectors = np.ndarray[Any, np.dtype[np.floating[Any]]]
RowIds = np.ndarray[Any, np.dtype[np.uint64]]
Result = TypeVar("Result")


class Store:
    """The table of one collection.

    >>> store = Store("my-collection")
    >>> store.exists
    False
    """

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
        self._since = time.time()
        self.ledger = Ledger(Path(self.url)) if self.is_local else None
        self._place: tuple[int, ...] = ()  # which folder was opened
        self._offset = self._last = 0  # of versions

    @property
    def _database(self) -> Any:
        if self._connected is None:
            with loading():
                import lancedb
            with translate_lance_errors(self.url):
                session = lancedb.Session(_CACHE, _CACHE)
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
    def _table(self) -> Any:
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
            _ = self._table

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
            with suppress(OSError):  # it is of an older version, and may hold what was removed
                os.unlink(os.path.join(self.url, FILE))
            self.ledger.record()
            if len(self.ledger.manifests()) > 2 * _KEEP:
                self.ledger.prune(_KEEP)

    @property
    def metadata(self) -> dict[str, Any]:
        """Of the collection as a whole: `format`, `model`, `fingerprint`, `dimension`."""
        if (found := self.frozen()) is not None:
            return found.metadata
        stored = (self._table.schema.metadata or {}).get(METADATA)
        if stored is None:
            raise ChefError(f"{self.url} holds no collection of chef", "name another folder")
        metadata: dict[str, Any] = json.loads(stored)
        return metadata

    @property
    def schema(self) -> pa.Schema:
        """The table's own."""
        return self._table.schema

    @property
    def version(self) -> int:
        """The latest version, whoever wrote it; for a remote collection it may be a second old.

        If another collection has taken the place of this one, its versions count on from the last one here:
        a number never means two things. LanceDB itself would mix up the files of the two.
        """
        if self._place and self._latest_place() != self._place:
            self._forget()
        if (found := self.frozen()) is not None:
            self._place, self._last = self._latest_place(), found.version
            return found.version
        table, now = self._table, time.monotonic()
        with translate_lance_errors(self.url):
            if self.is_local or now - self._version_checked > _VERSION_TTL:
                table.checkout_latest()
                self._version_checked = now
            if self._offset + table.version < self._last:
                self._forget()
                table = self._table
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
        return int(self._table.count_rows(where))

    def upsert(self, rows: pa.Table) -> tuple[int, int]:
        """Write rows, replacing those with a known id -> the numbers of inserted and of updated rows."""

        def write(table: Any) -> Any:
            if (table.schema.metadata or {}).get(METADATA) != (rows.schema.metadata or {}).get(METADATA):
                raise ChefError(f"{self.url} was rebuilt meanwhile", "run the same command again")
            writer = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            return writer.execute(rows, on_bad_vectors="null")

        result = self._with_latest(write)
        self._acknowledge()
        return result.num_inserted_rows, result.num_updated_rows

    def delete(self, ids: Sequence[str]) -> None:
        """Delete the rows of these ids, all in one version."""
        self._with_latest(lambda table: table.delete(_id_in(ids)))
        if self.is_local:
            (Path(self.url) / FILE).unlink(missing_ok=True)  # what was removed is not to stay there
        self._acknowledge()

    def _with_latest(self, access: Callable[[Any], Result]) -> Result:
        """Read from or write to the latest version of the table, retrying on conflicts."""
        table = self._table

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
        opened = self._table
        with translate_lance_errors(self.url):
            table = self.open()
            # Otherwise `version`, which is cached for remote collections, would lag behind what we return.
            opened.checkout_latest()
            return Snapshot(table, self.url, self._offset)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the latest version while it is read for long, however many are written meanwhile."""
        with self.ledger.hold() if self.ledger is not None else nullcontext():
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

        def read(where: str, table: Any) -> Any:
            return table.search().where(where).select(columns).to_arrow().to_pylist()

        for start in range(0, len(wanted), _IDS_AT_ONCE):
            where = _id_in(wanted[start : start + _IDS_AT_ONCE])
            access = partial(read, where)
            found = self._with_latest(access) if version is None else access(self.open(version))
            rows.update((row["id"], row) for row in found)
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

    def tidy(self, *, now: bool = False) -> None:
        """Merge small files, once there are many, and drop old versions.

        A day after rows were removed or replaced all files are written anew, without them; `now`: at once,
        and no old version stays. A reader whose version is gone reads the latest one.
        """
        with translate_lance_errors(self.url), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of LanceDB, on dropping versions that others may be reading
            table = self._table
            table.checkout_latest()
            try:
                if (now and self._has_removed()) or self._oldest_removal() > _PURGE_AFTER:
                    self._with_latest(lambda table: table.update(values_sql={"title": "title"}))
                    now, self._since = True, time.time()
                elif _needs_compaction(table.stats()):
                    table.optimize(cleanup_older_than=_NEVER)  # nothing goes before the new files are on disk
                elif self.ledger is None and not now:
                    return
                if self.ledger is None:
                    table.optimize(cleanup_older_than=timedelta(0) if now else _REMOTE_AGE)
                    return
                self.ledger.record()
                self.ledger.prune(1 if now else 2 * _KEEP)
                if len(self.ledger.manifests()) == 1:
                    table.delete("false")  # the same again: a collection survives the loss of one manifest
                    self.ledger.record()
            except RuntimeError as error:
                # Another process is writing or tidying. Nothing is lost: the next one tidies.
                if now or not (is_conflict(error) or _is_removed(error)):
                    raise

    def _has_removed(self) -> bool:
        """Whether files of the latest version still hold rows that were removed or replaced."""
        return int(self._table.list_versions()[-1]["metadata"]["total_deletion_files"]) > 0

    def _oldest_removal(self) -> float:
        """Seconds since the first of them; in a bucket, since the collection was opened."""
        if self.ledger is not None:
            return self.ledger.oldest_removal()
        age = time.time() - self._since
        return age if age > _PURGE_AFTER and self._has_removed() else 0.0

    def skip_past(self, version: int) -> None:
        """Open the table again, and have its versions count on from this number: none means two things."""
        self._opened = None
        with translate_lance_errors(self.url):
            while self._table.version <= version:
                self._table.delete("false")
        self._acknowledge()

    def bytes(self) -> int | None:
        """On disk, all versions together; None where that is not on this machine."""
        if not self.is_local:
            return None
        return sum(file.stat().st_size for file in Path(self.url).rglob("*") if file.is_file())


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


@contextmanager
def translate_lance_errors(url: str) -> Iterator[None]:
    """Turn LanceDB's errors, of disk, network and permissions, into a ChefError of one line."""
    try:
        yield
    except ChefError:
        raise
    except Exception as error:
        is_panic = type(error).__name__ == "RustPanic"  # of damaged files
        if not (isinstance(error, OSError | RuntimeError | ValueError) or is_panic):
            raise
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the command line knows those
        if _DISK_FULL.search(str(error)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), url) from error
        reason = " ".join(str(error).split())[:200]
        raise ChefError(
            f"the collection at {url} cannot be used: {reason}",
            "check the address and your permissions; chef index verify finds damage",
        ) from error


def retry_on_conflict(attempt: Callable[[], Result]) -> Result:
    """Read or write the table, retrying where other writers come first, for about a minute.

    Each attempt must check out the latest version.
    """
    pause = _FIRST_PAUSE
    for number in range(1, _ATTEMPTS):
        try:
            return attempt()
        except (RuntimeError, OSError, ValueError) as error:
            if not (is_conflict(error) or (number < _REMOVED_ATTEMPTS and _is_removed(error))):
                raise
        time.sleep(random.uniform(0.5, 1.0) * pause)  # not all at the same moment again
        pause = min(2 * pause, _MAX_PAUSE)
    return attempt()


def is_conflict(error: Exception) -> bool:
    """Whether another writer came first, so that another attempt may succeed."""
    return isinstance(error, RuntimeError | OSError | ValueError) and bool(_CONFLICT.search(str(error)))


def _is_removed(error: Exception) -> bool:
    """Whether a file of the version that we had is no longer there."""
    return bool(_REMOVED.search(str(error)))


def _needs_compaction(stats: Mapping[str, Any]) -> bool:
    """Whether there are so many small files that rewriting them all is worth its cost."""
    files = stats["fragment_stats"]
    small: int = files["num_small_fragments"]
    enough: float = _GROWTH * stats["num_rows"] / max(files["lengths"]["p50"], _BATCH)
    return small > min(max(_MIN_BATCHES, enough), _MAX_BATCHES)


def _id_in(ids: Sequence[str]) -> str:
    """The condition that the id is one of these. A quote in an id is doubled, as SQL has it."""
    return "id IN (" + ", ".join("'" + name.replace("'", "''") + "'" for name in ids) + ")"
