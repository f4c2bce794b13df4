"""The collection on disk: one LanceDB table, in a folder or at an `s3://` address.

Every write is one new version of the table, whole or not there. A reader keeps the version that it opened
until it asks for the latest.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.errors import ChefError
from chef.index.faults import is_cleared, is_conflict, patiently, told
from chef.index.snapshot import Snapshot
from chef.loading import loading

if TYPE_CHECKING:
    import pyarrow as pa

TABLE = "recipes"
ABOUT = b"chef"  # the key in the table's metadata; its value is a JSON object
FORMAT = 1
# Lance then sees that two writers insert the same new id, and lets the second one update it.
_KEY = {b"lance-schema:unenforced-primary-key": b"true"}
_KEPT = timedelta(minutes=1)  # old versions, for others who are in the middle of something
# Batches are files of their own until they are joined into one with all that is there. So the more there is,
# the more of them wait for it; but not too many, as every write and every read opens them all.
_BATCHES, _MOST_BATCHES = 32, 256
_GROWTH = 1 / 4  # of the collection, that waits at most
_AT_ONCE = 500  # ids in one condition
_FRESH = 1.0  # seconds for which the version of a collection far away is believed

Columns = Sequence[str] | Mapping[str, str]


def schema(dimension: int, about: dict[str, Any]) -> pa.Schema:
    """The columns of a collection whose vectors have `dimension` numbers."""
    import pyarrow as pa

    vector = pa.list_(pa.float32(), dimension)
    fields = [
        pa.field("id", pa.string(), nullable=False, metadata=_KEY),
        pa.field("title", pa.string(), nullable=False),
        pa.field("digest", pa.string(), nullable=False),  # of the recipe as given and its photo
        pa.field("recipe", pa.string(), nullable=False),  # as given, JSON
        pa.field("ingredients", pa.string(), nullable=False),  # parsed, JSON
        pa.field("tokens", pa.list_(pa.string()), nullable=False),
        pa.field("main_ingredient", pa.string()),
        pa.field("actions", pa.list_(pa.string()), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("words", pa.list_(pa.string()), nullable=False),  # of the title, singular, each once
        pa.field("thumbnail", pa.binary()),  # null: no photo
        pa.field("vector", vector, nullable=False),
        pa.field("photo_vector", vector),
    ]
    return pa.schema(fields, metadata={ABOUT: json.dumps({"format": FORMAT, **about})})


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
        self._connected: Any = None
        self._looked = 0.0

    @property
    def _database(self) -> Any:
        if self._connected is None:
            with loading():
                import lancedb
            with told(self.url):
                self._connected = lancedb.connect(self.url)
        return self._connected

    @property
    def exists(self) -> bool:
        """Whether there is a collection."""
        if self._opened is not None:
            return True
        if self.is_local and not os.path.isdir(os.path.join(self.url, f"{TABLE}.lance")):
            return False  # and no folder is made by looking
        with told(self.url):
            return TABLE in self._database.list_tables().tables

    @property
    def _table(self) -> Any:
        if self._opened is None:
            if not self.exists:
                raise ChefError(
                    f"no collection at {self.url}", f"make one: chef index add {self.url} RECIPES"
                )
            with told(self.url):
                self._opened = self._database.open_table(TABLE)
            self._check_format()
        return self._opened

    def check(self) -> None:
        """Raise ChefError unless there is a collection that can be read."""
        _ = self._table

    def _check_format(self) -> None:
        if self.about.get("format", 0) > FORMAT:
            raise ChefError(f"the collection at {self.url} is from a newer version of chef", "update chef")

    def create(self, made: pa.Schema) -> None:
        """Make the table, without rows; one that another process has just made is taken."""
        if self.is_local and os.path.isdir(self.url) and os.listdir(self.url) and not self.exists:
            raise ChefError(f"{self.url} holds other files and no collection", "name a new or empty folder")
        with told(self.url):
            database = self._database
            self._opened = patiently(lambda: database.create_table(TABLE, schema=made, exist_ok=True))

    def replace(self, made: pa.Schema, batches: Iterable[pa.Table]) -> None:
        """Put a new table in place of what is there, in one move.

        The batches may be read from this very store: they are gathered in a file first, because LanceDB
        cannot read for one caller while it writes for another.
        """
        import pyarrow as pa

        with tempfile.TemporaryFile() as file:
            with pa.ipc.new_stream(file, made) as writer:
                for batch in batches:
                    writer.write_table(batch)
            file.seek(0)
            with pa.ipc.open_stream(file) as reader, told(self.url):
                self._opened = self._database.create_table(
                    TABLE, data=reader, schema=made, mode="overwrite", on_bad_vectors="null"
                )

    @property
    def about(self) -> dict[str, Any]:
        """What is known of the collection as a whole: `format`, `model`, `digest`, `dimension`."""
        kept = (self._table.schema.metadata or {}).get(ABOUT)
        if kept is None:
            raise ChefError(f"{self.url} holds no collection of chef", "name another folder")
        about: dict[str, Any] = json.loads(kept)
        return about

    @property
    def schema(self) -> pa.Schema:
        """The table's own."""
        return self._table.schema

    @property
    def version(self) -> int:
        """Of the latest version, whoever wrote it; far away we look once a second, and at our own at once."""
        table, now = self._table, time.monotonic()
        with told(self.url):
            if self.is_local or now - self._looked > _FRESH:
                table.checkout_latest()
                self._looked = now
            return int(table.version)

    def __len__(self) -> int:
        return self.count()

    def count(self, where: str | None = None) -> int:
        """How many rows there are, or how many meet a condition."""
        return int(self._table.count_rows(where))

    def upsert(self, rows: pa.Table) -> tuple[int, int]:
        """Write rows, those of a known id in place of the old ones -> how many are new, how many updated."""
        table = self._table

        def write() -> Any:
            table.checkout_latest()  # embedding took a while
            writer = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            return writer.execute(rows, on_bad_vectors="null")

        with told(self.url):
            done = patiently(write)
        return done.num_inserted_rows, done.num_updated_rows

    def delete(self, ids: Sequence[str]) -> None:
        """Take the rows of these ids away, all in one version."""
        table = self._table

        def take_away() -> None:
            table.checkout_latest()
            table.delete(_one_of(ids))

        with told(self.url):
            patiently(take_away)

    def snapshot(self) -> Snapshot:
        """The latest version, to be read at leisure."""
        with told(self.url):
            table = self._database.open_table(TABLE)
            table.checkout(table.version)
            # Else `version`, which far away is looked up once a second, would lag behind what we return.
            self._table.checkout_latest()
            return Snapshot(table, self.url)

    def rows(self, ids: Iterable[str], names: Columns) -> dict[str, dict[str, Any]]:
        """The rows of these ids, by id; an unknown id has none. names: columns, or columns and their SQL."""
        wanted = list(dict.fromkeys(ids))
        columns = dict(names) if isinstance(names, Mapping) else [*names, "id"]
        found: dict[str, dict[str, Any]] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            part = self._rows(_one_of(wanted[start : start + _AT_ONCE]), columns)
            found.update((row["id"], row) for row in part)
        return found

    def _rows(self, where: str, columns: Any) -> list[dict[str, Any]]:
        table = self._table

        def find() -> list[dict[str, Any]]:
            table.checkout_latest()
            found: list[dict[str, Any]] = table.search().where(where).select(columns).to_arrow().to_pylist()
            return found

        with told(self.url):
            return patiently(find)

    def tidy(self, *, now: bool = False) -> None:
        """Join small files into larger ones, once there are many, and drop old versions.

        now: at once, and all old versions; a reader whose version has gone looks again at the latest.
        """
        with told(self.url), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of LanceDB, on dropping versions that others may be reading
            self._table.checkout_latest()
            if now or _untidy(self._table.stats()):
                self._optimize(timedelta(0) if now else _KEPT)

    def _optimize(self, kept: timedelta) -> None:
        try:
            self._table.optimize(cleanup_older_than=kept)
        except RuntimeError as error:
            # Another process writes or tidies at this moment. Nothing is lost: the next one tidies.
            if not (is_conflict(error) or is_cleared(error)):
                raise

    def bytes(self) -> int | None:
        """On disk, all versions together; None where that is not on this machine."""
        if not self.is_local:
            return None
        return sum(file.stat().st_size for file in Path(self.url).rglob("*") if file.is_file())


def _untidy(stats: Mapping[str, Any]) -> bool:
    """Whether there are so many small files that joining them all is worth its price."""
    files = stats["fragment_stats"]
    small: int = files["num_small_fragments"]
    enough: float = _GROWTH * stats["num_rows"] / max(files["lengths"]["p50"], 1)
    return small > min(max(_BATCHES, enough), _MOST_BATCHES)


def _one_of(ids: Sequence[str]) -> str:
    """The condition that the id is one of these. A quote in an id is doubled, as SQL has it."""
    return "id IN (" + ", ".join("'" + name.replace("'", "''") + "'" for name in ids) + ")"
