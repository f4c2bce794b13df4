"""Tidying a collection: small files are merged, old versions go, and so does what was removed."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from chef.index.lance_errors import is_conflict, is_removed, translate_lance_errors

if TYPE_CHECKING:
    from chef.index.store import Store

_REMOTE_AGE = timedelta(minutes=10)  # of versions in a bucket, which only Lance can remove
_NEVER = timedelta(days=36_500)
_PURGE_AFTER = 86_400.0  # seconds after which the texts of removed recipes go from the files as well
# Each batch is a file of its own until compaction rewrites the whole collection as one file. The larger that
# is, the more batches wait for it; but not too many, as every write and every read opens them all.
_MIN_BATCHES, _MAX_BATCHES = 32, 256
_GROWTH = 1 / 4  # the largest share of the collection that waits
_BATCH = 32  # rows: smaller batches, as of a service, count as if they had as many


def tidy(store: Store, *, now: bool = False) -> None:
    """Merge small files, once there are many, and drop old versions.

    A day after rows were removed or replaced all files are written anew, without them; `now`: at once,
    and no old version stays. A reader whose version is gone reads the latest one.
    """
    with translate_lance_errors(store.url), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of LanceDB, on dropping versions that others may be reading
        table = store.table
        table.checkout_latest()
        try:
            if (now and _has_removed(store)) or _oldest_removal(store) > _PURGE_AFTER:
                store.with_latest(lambda table: table.update(values_sql={"title": "title"}))
                now, store.since = True, time.time()
            elif _needs_compaction(table.stats()):
                table.optimize(cleanup_older_than=_NEVER)  # nothing goes before the new files are on disk
            elif store.ledger is None and not now:
                return
            if store.ledger is None:
                table.optimize(cleanup_older_than=timedelta(0) if now else _REMOTE_AGE)
                return
            store.ledger.record()
            store.ledger.prune(1 if now else 2 * store.keep)
            if len(store.ledger.manifests()) == 1:
                table.delete("false")  # the same again: a collection survives the loss of one manifest
                store.ledger.record()
        except RuntimeError as error:
            # Another process is writing or tidying. Nothing is lost: the next one tidies.
            if now or not (is_conflict(error) or is_removed(error)):
                raise


def _has_removed(store: Store) -> bool:
    """Whether files of the latest version still hold rows that were removed or replaced."""
    return int(store.table.list_versions()[-1]["metadata"]["total_deletion_files"]) > 0


def _oldest_removal(store: Store) -> float:
    """Seconds since the first of them; in a bucket, since the collection was opened."""
    if store.ledger is not None:
        return store.ledger.oldest_removal()
    age = time.time() - store.since
    return age if age > _PURGE_AFTER and _has_removed(store) else 0.0


def _needs_compaction(stats: Mapping[str, Any]) -> bool:
    """Whether there are so many small files that rewriting them all is worth its cost."""
    files = stats["fragment_stats"]
    small: int = files["num_small_fragments"]
    enough: float = _GROWTH * stats["num_rows"] / max(files["lengths"]["p50"], _BATCH)
    return small > min(max(_MIN_BATCHES, enough), _MAX_BATCHES)
