"""Verify and repair: every file and every row of a collection against its checksum, and what to do then."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from chef.errors import ChefError
from chef.index.durable import version_number, with_removed_rows
from chef.index.lance_errors import translate_lance_errors
from chef.index.store import Store
from chef.index.values import Health, Repaired, sound

_ROWS_AT_ONCE = 1000
_UNNAMED = "row "  # what a recipe is called whose id cannot be read
_RESTORE = "restore a backup: chef restore FILE COLLECTION --replace"


def verify(store: Store) -> Health:
    """Read every file and every row against its checksum."""
    damaged = store.ledger.damaged() if store.ledger else set()
    if store.ledger and damaged:
        damaged &= store.ledger.damaged()  # not what another process has just tidied up
    if not damaged:
        store.check()
    names, read = list[str](), 0
    try:
        for rows, bad in _rows_checked(store, damaged):
            read += len(rows)
            names += bad
    except ChefError:
        if not damaged:  # those say why
            raise
    return Health(sorted(damaged), sorted(names), read, store.ledger.unnoted() if store.ledger else 0)


def repair(store: Store) -> Repaired:
    """Remove what is damaged: versions whose manifests are, and rows, which become those of the last version
    that is whole."""
    ledger = store.ledger
    if ledger is None:
        raise ChefError(f"{store.url} is not in a folder", _RESTORE)
    health, bad, taken = verify(store), set[str](), set[str]()
    if not (health.files or health.recipes):
        return Repaired(store.count(), None, [], [])
    manifests = {name for name in health.files if name.startswith("_versions/")}
    fallback = (store.open(version_number(name)).count_rows() for name in ledger.whole(health.files)[:1])
    if health.recipes and not (manifests or health.read or any(fallback)):
        raise ChefError(f"no recipe in {store.url} can be read any more: it is left as it is", _RESTORE)
    # Without its list of removed rows a fragment may show what was replaced long ago.
    before, latest = {} if with_removed_rows(health.files) else _digests(store), ledger.latest()
    ledger.remove(manifests)
    if not (left := ledger.manifests()):
        raise ChefError(f"nothing is left of {store.url}", _RESTORE)
    back_to = ledger.time(left[0]) if version_number(left[0]) < latest else None
    whole = ledger.whole(health.files)
    if left[0] in whole and not health.recipes:
        ledger.remove(health.files)
    else:
        schema = store.open().schema
        store.replace(schema, _saved_rows(store, schema, health.files, whole, bad, taken))
        ledger.prune(1)
    store.skip_past(latest)
    after = _digests(store)
    older = taken | {id for id, digest in after.items() if before.get(id, digest) != digest}
    return Repaired(len(after), back_to, sorted((before.keys() | bad) - after.keys()), sorted(older))


def _rows_checked(store: Store, damaged: Collection[str]) -> Iterator[tuple[pa.Table, list[str]]]:
    """The rows of the latest version in pieces: those as they were written, and the ids of the others."""
    with translate_lance_errors(store.url):
        table = store.open()
        if store.ledger is None:
            for batch in table.search().to_batches():
                yield _split(pa.Table.from_batches([batch]))
            return
        version = next(one for _, one in store.ledger.versions() if one)
        torn = with_removed_rows(version.files.keys() & set(damaged))
        for fragment, rows in version.fragments:
            if fragment in torn:
                continue  # no row can be told from those that were removed
            first = fragment << 32
            for start in range(first, first + rows, _ROWS_AT_ONCE):
                yield from _sound_rows(table, range(start, min(start + _ROWS_AT_ONCE, first + rows)))


def _sound_rows(table: Any, row_ids: range) -> Iterator[tuple[pa.Table, list[str]]]:
    """The rows as they were written, and the ids of the others; in ever smaller pieces where that fails."""
    try:
        yield _split(table.take_row_ids(list(row_ids)).to_arrow())
    except Exception:  # damaged files make Lance fail in many ways
        half = len(row_ids) // 2
        if half:
            yield from _sound_rows(table, row_ids[:half])
            yield from _sound_rows(table, row_ids[half:])
            return
        yield table.schema.empty_table(), [_name_of(table, row_ids[0])]


def _split(rows: pa.Table) -> tuple[pa.Table, list[str]]:
    is_sound = sound(rows)
    bad = [id for id, good in zip(rows["id"].to_pylist(), is_sound, strict=True) if not good]
    return rows.filter(pa.array(is_sound, pa.bool_())), bad


def _name_of(table: Any, row_id: int) -> str:
    """The id of a row that cannot be read as a whole."""
    try:
        return str(table.take_row_ids([row_id]).select(["id"]).to_arrow()["id"][0])
    except Exception:
        return f"{_UNNAMED}{row_id}"


def _saved_rows(
    store: Store,
    schema: pa.Schema,
    damaged: Collection[str],
    whole: Sequence[str],
    bad: set[str],
    taken: set[str],
) -> Iterator[pa.Table]:
    """The rows of the latest version that are as they were written; for others, whose ids go to `bad`, those
    of the last whole version, whose ids go to `taken` where nobody knows whether they are the same."""
    saved = set[str]()
    for rows, others in _rows_checked(store, damaged):
        saved.update(rows["id"].to_pylist())
        bad.update(others)
        yield rows
    latest = next(version for _, version in store.ledger.versions() if version) if store.ledger else None
    torn = with_removed_rows(latest.files.keys() & set(damaged)) if latest else set[int]()
    if not whole or (saved and not bad and not torn):
        return
    table = store.open(version_number(whole[0]))
    if table.schema != schema:
        return
    unnamed = sorted(name for name in bad if name.startswith(_UNNAMED))
    for batch in table.search().to_batches():
        rows = pa.Table.from_batches([batch])
        every = not saved or unnamed or torn
        ids = [id for id in rows["id"].to_pylist() if id not in saved and (every or id in bad)]
        if saved and unnamed:
            taken.update(id for id in ids if id not in bad)
        yield rows.filter(pc.is_in(rows["id"], pa.array(ids, pa.string())))
    bad.difference_update(unnamed[: len(taken)])  # which of them these are nobody knows


def _digests(store: Store) -> dict[str, str]:
    """The ids and digests of the latest version that can be read."""
    try:
        return store.digests()
    except Exception:  # damaged files make Lance fail in many ways
        return {}
