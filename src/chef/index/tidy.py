"""Tidying a collection: small files are merged, old versions go, and so does what was removed."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.index.durable import with_removed_rows
from chef.index.lance_errors import is_conflict, is_removed, translate_lance_errors
from chef.index.lance_indexes import folders, optimize
from chef.index.values import ROW_ID
from chef.progress import Progress

if TYPE_CHECKING:
    from chef.index.store import Store

_REMOTE_AGE = timedelta(minutes=10)  # of versions in a bucket, which only Lance can remove
_PURGE_AFTER = 86_400.0  # seconds after which the texts of removed recipes go from the files as well
# Every write makes a data file, and every write and every read opens them all. The larger a collection is,
# the more of them may wait to be merged.
_FEWEST, _MOST = 4, 256
_RECIPES = 256  # for each file more than the fewest: a batch of `chef index add`
_REMOTE = 28  # more in a bucket, where Lance writes all files anew
_SAME = {"title": "title"}  # an update that only moves rows to a new file


def tidy(store: Store, *, now: bool = False) -> None:
    """Merge small files, once there are many, and drop old versions.

    A day after rows were removed or replaced their files are written anew, without them; `now`: at once, and
    no old version stays. A reader whose version is gone reads the latest one.
    """
    with translate_lance_errors(store.url), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of LanceDB, on dropping versions that others may be reading
        table = store.table
        table.checkout_latest()
        try:
            merged = False
            if (now and _has_removed(store)) or _oldest_removal(store) > _PURGE_AFTER:
                store.with_latest(lambda table: table.update(_files_with_removed(store), values_sql=_SAME))
                now, store.since = True, time.time()
                if table.list_indices():  # and they hold words of what was removed
                    optimize(store, Progress(), anew=True)
            else:
                merged = _merge(table, is_local=store.is_local)
            if store.ledger is None:
                if now or merged:
                    table.optimize(cleanup_older_than=timedelta(0) if now else _REMOTE_AGE)
                return
            store.ledger.record()
            indexes = folders(store)
            store.ledger.prune(1 if now else store.keep)
            for folder in indexes - folders(store):
                shutil.rmtree(folder, ignore_errors=True)  # another process may do the same
            if len(store.ledger.manifests()) == 1:
                table.delete("false")  # the same again: a collection survives the loss of one manifest
                store.ledger.record()
        except RuntimeError as error:
            # Another process is writing or tidying. Nothing is lost: the next one tidies.
            if now or not (is_conflict(error) or is_removed(error)):
                raise


def _merge(table: Any, *, is_local: bool) -> bool:
    """Write the rows of the newest files to one file, if there are too many -> whether there were.

    Lance itself would write all files anew each time, large ones as well, and memory that this takes stays
    with the process. In a bucket the caller lets it, as nothing else drops old versions there.
    """
    stats = table.stats()
    most = most_files(stats["num_rows"])
    if stats["fragment_stats"]["num_fragments"] <= most + (0 if is_local else _REMOTE):
        return False
    if is_local:
        row_ids = table.search().select(["id"]).with_row_id(True).to_arrow()[ROW_ID].to_numpy()
        files, rows = np.unique(row_ids >> 32, return_counts=True)
        table.update(f"{ROW_ID} >= {int(files[first_merged(rows.tolist())]) << 32}", values_sql=_SAME)
    return True


def most_files(rows: int) -> int:
    """How many data files a collection of so many recipes may have before some are merged."""
    return min(_FEWEST + rows // _RECIPES, _MOST)


def first_merged(rows: Sequence[int]) -> int:
    """Of files with so many rows, oldest first, the first to be merged with all that follow.

    A file is merged once those after it hold as much as it does: a recipe is written a few times over, not
    with every merge.

    >>> first_merged([1000, 30, 10, 10, 1])
    1
    """
    first = max(len(rows) - 2, 0)
    newer = sum(rows[first:])
    while first and rows[first - 1] <= newer:
        first -= 1
        newer += rows[first]
    return first


def _has_removed(store: Store) -> bool:
    """Whether files of the latest version still hold rows that were removed or replaced."""
    return int(store.table.list_versions()[-1]["metadata"]["total_deletion_files"]) > 0


def _files_with_removed(store: Store) -> str | None:
    """The condition of rows in files that also hold removed ones; None: all rows."""
    version = next((one for _, one in store.ledger.versions()), None) if store.ledger else None
    files = with_removed_rows(version.files) if version else set[int]()
    return " OR ".join(f"({ROW_ID} >= {one << 32} AND {ROW_ID} < {one + 1 << 32})" for one in files) or None


def _oldest_removal(store: Store) -> float:
    """Seconds since the first of them; in a bucket, since the collection was opened."""
    if store.ledger is not None:
        return store.ledger.oldest_removal()
    age = time.time() - store.since
    return age if age > _PURGE_AFTER and _has_removed(store) else 0.0
