"""Lance's own indexes of a collection: vectors, lists of names and words, made and renewed by `optimize`.

With them a collection is searched on disk (`on_disk`). The vector index is IVF_RQ: partitions of similar
vectors, each number of a vector as one bit, the best refined with the vectors themselves.
`benchmarks/vector_indexes.py` compares it with the others.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from chef.errors import ChefError, did_you_mean
from chef.files import sync
from chef.index.catalogue import LabelIndex
from chef.index.durable import TABLE
from chef.index.lance_errors import translate_lance_errors
from chef.index.values import ROW_ID, has_image
from chef.progress import Progress
from chef.storage import open_store

if TYPE_CHECKING:
    from chef.index.snapshot import Snapshot
    from chef.index.store import Store

ENGINES = ("lance", "memory")
LARGE = 200_000  # recipes from which a collection is searched on disk, unless somebody chose
NAMES = "names.json"  # beside the table: which names its columns of lists have
NAMED = ("tokens", "foods", "tags", "words")
_LISTS = (*NAMED, "contains", "may")
_TEXT = "words_text"  # the full-text index
_VECTORS = ("vector", "photo_vector")
PARTITION = 4096  # rows
_MIN_ROWS = 5000  # fewer are compared one by one
_TRAINED_ON, _ROUNDS = 64, 20  # rows for each partition, and rounds, of k-means
_RETRAIN = 2  # times as many rows as the partitions were trained on
_PART = 50  # of the recipes may wait for the indexes: a search compares them one by one
_TWICE = 1.25  # times the recipes: more counted rows mean that some were counted twice


def check_engine(engine: str | None) -> None:
    """Raise ChefError unless the engine is a known one, or None."""
    if engine is not None and engine not in ENGINES:
        raise ChefError(f"unknown engine {engine!r}", did_you_mean(engine, ENGINES))


@dataclass
class Names:
    """The names in the columns of lists, with the number of recipes that have each."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in NAMED})
    rows: int = 0  # that were counted
    last: int = -1  # row id of the last of them
    trained: int = 0  # rows that the partitions of vectors were made for

    def follow(self, store: Store, snapshot: Snapshot) -> Names:
        """The same for a later version: counts what was added since."""
        if self._fit(snapshot):
            names = replace(self, counts={name: Counter(counts) for name, counts in self.counts.items()})
        elif not (names := _stored(store))._fit(snapshot):
            names = Names()
        names.count(snapshot)
        return names

    def _fit(self, snapshot: Snapshot) -> bool:
        """Whether few rows would be counted twice; all would be where files were joined."""
        newer = snapshot.count(f"{ROW_ID} > {self.last}") if self.rows else 0
        return self.rows > 0 and self.rows + newer <= _TWICE * snapshot.count()

    def count(self, snapshot: Snapshot) -> None:
        """Add the rows that were not counted yet."""
        for batch in snapshot.batches(NAMED, f"{ROW_ID} > {self.last}" if self.rows else None):
            self.rows += len(batch)
            for name in NAMED:
                self.counts[name].update(LabelIndex(batch[name]).counts)
            self.last = max(self.last, int(batch[ROW_ID].to_numpy().max(initial=0)))


def _saved(store: Store) -> dict[str, Any]:
    """What was left beside the table: the fields of `Names`, or that the user chose the engine "memory"."""
    try:
        saved: dict[str, Any] = json.loads(open_store(store.url).read(NAMES))
        return saved
    except (FileNotFoundError, ValueError):
        return {}


def _save(store: Store, saved: dict[str, Any]) -> None:
    open_store(store.url).write(NAMES, json.dumps(saved).encode())


def _stored(store: Store) -> Names:
    saved = _saved(store)
    if not saved.get("counts"):
        return Names()
    counts = {name: Counter(saved["counts"][name]) for name in NAMED}
    return Names(counts, saved["rows"], saved["last"], saved["trained"])


def is_indexed(snapshot: Snapshot) -> bool:
    """Whether the collection has the indexes that a search on disk needs."""
    with translate_lance_errors(snapshot.url):
        return any(index.name == _TEXT for index in snapshot.table.list_indices())


def is_due(store: Store) -> bool:
    """Whether a collection is large and has no indexes, or much that is not in them."""
    recipes = store.count()
    if not is_indexed(store.lance_snapshot()):
        can_be = "understood" in store.schema.names
        return can_be and recipes >= LARGE and _saved(store).get("engine") != "memory"
    with translate_lance_errors(store.url):
        return int(store.table.index_stats(_TEXT).num_unindexed_rows) > recipes // _PART + _MIN_ROWS


def optimize(store: Store, progress: Progress, *, anew: bool = False) -> None:
    """Make the indexes, or add to them what is new; join small files.

    anew: make all that hold words again, without those of recipes that were removed.
    """
    from lancedb.index import FTS, Bitmap, BTree, IvfRq, LabelList

    schema = store.schema
    if "understood" not in schema.names:
        raise ChefError("this collection is from an older version of chef", f"chef index rebuild {store.url}")
    changes = ("stem", "remove_stop_words", "lower_case", "ascii_folding")
    options: dict[str, Any] = {"base_tokenizer": "whitespace", **dict.fromkeys(changes, False)}
    configs: dict[str, tuple[str, Any]] = {"id": ("id", BTree()), "main": ("main_ingredient", Bitmap())}
    configs["understood"] = "understood", Bitmap()
    configs |= {name: (name, LabelList()) for name in _LISTS} | {_TEXT: ("words", FTS(**options))}
    rows = {"vector": store.count(), "photo_vector": store.count(has_image(schema))}
    for column in _VECTORS:
        if rows[column] >= _MIN_ROWS:
            training: dict[str, Any] = {"sample_rate": _TRAINED_ON, "max_iterations": _ROUNDS}
            parts = rows[column] // PARTITION + 1
            configs[column] = column, IvfRq(distance_type="dot", num_partitions=parts, **training)
    trained = _stored(store).trained
    progress.stage("joining files")
    store.with_latest(lambda table: table.optimize(cleanup_older_than=timedelta(days=36_500)))
    there = {*_VECTORS} if anew else {index.name for index in store.table.list_indices()}
    if not trained / _RETRAIN <= rows["vector"] <= trained * _RETRAIN:
        there, trained = there - {*_VECTORS}, rows["vector"]
    progress.stage("indexing", len(configs))
    for name, (column, config) in configs.items():
        if name not in there:
            store.with_latest(methodcaller("create_index", column, config=config, name=name))
        progress.advance()
    flush(store)
    names = Names(trained=trained)
    names.count(store.lance_snapshot())
    _save(store, vars(names))


def drop(store: Store) -> None:
    """Remove all indexes: the collection is searched in memory, however large it becomes."""
    for name in [index.name for index in store.table.list_indices()]:
        store.with_latest(methodcaller("drop_index", name))
    _save(store, {"engine": "memory"})
    flush(store)


def flush(store: Store) -> None:
    """Have indexes, and the version that names them, on disk; a bucket has them when it has answered."""
    if store.ledger is None:
        return
    for folder in folders(store):
        for path in folder.rglob("*"):
            sync(path)
    store.ledger.record()


def folders(store: Store) -> set[Path]:
    """Where the indexes of all versions are; empty for a bucket, where Lance removes what nobody needs."""
    if store.ledger is None:
        return set()
    table = Path(store.url) / f"{TABLE}.lance"
    manifests = b""
    for name in store.ledger.manifests():
        with suppress(FileNotFoundError):  # another process tidies up
            manifests += (table / name).read_bytes()
    return {folder for folder in table.glob("_indices/*") if UUID(folder.name).bytes in manifests}
