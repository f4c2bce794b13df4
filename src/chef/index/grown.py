"""A catalogue that follows the collection: what was written since is added to it, and nothing else is read.

The rows of the older version stay where they are; new ones come after them, out of the order of ids, and
those that were removed or replaced are masked. Row ids of Lance only grow: new rows are above the last one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chef.index.catalogue import CONTENTS, LABELS, Catalogue, LabelIndex
from chef.index.nearest import EXACT, Mask, Rows, Scores, Top, VectorIndex, Vectors, best, dtype_for
from chef.index.snapshot import RowIds, Snapshot, TableSnapshot
from chef.index.values import CHECKSUM, ROW_ID

if TYPE_CHECKING:
    import pyarrow as pa

GONE = np.uint64((1 << 64) - 1)  # in place of a row id
_SHARE = 16  # a catalogue is read anew when more than this part of it is new or gone


class GrownLabels(LabelIndex):
    """Labels of older rows, of which some are gone, and of new ones after them."""

    def __init__(self, old: LabelIndex, new: LabelIndex, gone: Rows) -> None:
        self._old, self._new, self._gone = old, new, gone
        self.sizes = np.concatenate([old.sizes, new.sizes])
        self.sizes[gone] = 0

    @cached_property
    def names(self) -> list[str]:  # type: ignore[override]
        return list(dict.fromkeys([*self._old.names, *self._new.names]))

    def of(self, row: int) -> list[str]:
        start = len(self._old.sizes)
        if self.sizes[row] == 0:
            return []
        return self._old.of(row) if row < start else self._new.of(row - start)

    @cached_property
    def counts(self) -> dict[str, int]:
        counts = Counter(self._old.counts)
        counts.update(self._new.counts)
        for row in self._gone.tolist():
            counts.subtract(set(self._old.of(row)))
        return dict(+counts)

    def rows_of(self, name: str) -> Rows:
        old = self._old.rows_of(name)
        if len(self._gone):
            old = old[self.sizes[old] > 0]
        return np.concatenate([old, self._new.rows_of(name) + len(self._old.sizes)])


class GrownVectors(VectorIndex):
    """Vectors of older rows, and of new ones after them."""

    def __init__(self, old: VectorIndex, new: Vectors) -> None:
        self._old, self._new = old, VectorIndex(new)

    def __len__(self) -> int:
        return len(self._old) + len(self._new)

    @property
    def vectors(self) -> Vectors:  # type: ignore[override]
        return np.concatenate([self._old.vectors, self._new.vectors])

    def top(self, query: Vectors, k: int, keep: Mask | None = None, bonus: Scores | None = None) -> Top:
        start = len(self._old)
        parts = [
            index.top(query, k, None if keep is None else keep[part], None if bonus is None else bonus[part])
            for index, part in ((self._old, slice(start)), (self._new, slice(start, None)))
        ]
        rows = np.concatenate([parts[0][0], parts[1][0] + start])
        return best(rows, np.concatenate([parts[0][1], parts[1][1]]), k)

    @property
    def sample(self) -> tuple[Rows, Scores]:
        return self._old.sample

    def scores(self, query: Vectors, rows: Rows) -> Scores:
        start, scores = len(self._old), np.empty(len(rows), np.float32)
        is_old = rows < start
        scores[is_old] = self._old.scores(query, rows[is_old])
        scores[~is_old] = self._new.scores(query, rows[~is_old] - start)
        return scores


class GrownCatalogue(Catalogue):
    """An older catalogue, with what was written since.

    row_ids: those that the rows of the older one have now; table: the rows that came, with their vectors.
    """

    def __init__(self, snapshot: Snapshot, old: Catalogue, row_ids: RowIds, table: pa.Table) -> None:
        import pyarrow as pa

        new = Catalogue(TableSnapshot(table, snapshot.version))
        self.snapshot, self.version = snapshot, snapshot.version
        self.old, self.new, self.new_table = old, new, table
        self.row_ids = np.concatenate([row_ids, new.row_ids])
        self.present = self.row_ids != GONE
        gone = np.flatnonzero(row_ids == GONE)

        def joined(name: str) -> pa.Array:
            return pa.concat_arrays([getattr(old, name), getattr(new, name)])

        def labels(name: str) -> LabelIndex:
            return GrownLabels(old.labels(name), new.labels(name), gone)

        self.ids, self.titles = joined("ids"), joined("titles")
        self.main_ingredients = joined("main_ingredients")
        self._main_confidence = joined("_main_confidence")
        self.tokens, self.actions, self.tags, self.words = map(labels, LABELS)
        self._contents = {name: labels(name) for name in CONTENTS} if old._contents else None
        self.foods = self._contents["foods"] if self._contents else self.tokens
        self.is_english = np.concatenate([old.is_english, new.is_english])
        self.has_image = np.concatenate([old.has_image, new.has_image]) & self.present

    @cached_property
    def order(self) -> Rows:
        import pyarrow.compute as pc

        rows = np.flatnonzero(self.row_ids != GONE)
        return np.asarray(rows[pc.sort_indices(self.ids.take(rows)).to_numpy()])

    def row(self, id: str) -> int | None:
        if (row := self.new.row(id)) is not None:
            return len(self.old) + row
        row = self.old.row(id)
        return None if row is None or self.row_ids[row] == GONE else row

    def by_title(self, rows: Iterable[int]) -> list[int]:
        return sorted(rows, key=lambda row: (self.titles[row].as_py().casefold(), self.ids[row].as_py()))

    @cached_property
    def recipe_vectors(self) -> VectorIndex:
        """The recipes' vectors; those of older rows are read once."""
        old, size = self.old.__dict__, len(self.old)
        if "recipe_vectors" not in old:  # and its version may be gone
            vectors = self.snapshot.vectors("vector", self.row_ids[:size], dtype_for(size))
            old["recipe_vectors"] = VectorIndex(vectors)
        return GrownVectors(old["recipe_vectors"], self.new.recipe_vectors.vectors)


def grow(last: Catalogue, snapshot: Snapshot | TableSnapshot) -> Catalogue | None:
    """The catalogue of a later version; None where it is better read anew."""
    import pyarrow as pa
    import pyarrow.compute as pc

    old = last.old if isinstance(last, GrownCatalogue) else last
    if (
        len(old) <= EXACT
        or not (isinstance(snapshot, Snapshot) and isinstance(last.snapshot, Snapshot))
        or CHECKSUM not in old.table.column_names
        or snapshot.metadata != last.snapshot.metadata
    ):
        return None
    most, row_ids = len(old) // _SHARE, last.row_ids[: len(old)].copy()
    names = [*(name for name in old.table.column_names if name != ROW_ID), "vector"]
    newer = f"{ROW_ID} > {int(last.row_ids[last.present].max(initial=0))}"
    if snapshot.count(newer) > most:  # small files were joined: most rows are as before, under other numbers
        newer_rows = snapshot.columns({"id": "id", CHECKSUM: CHECKSUM}, newer)
        places = pc.index_in(newer_rows["id"], value_set=old.ids).fill_null(-1).to_numpy()
        sums = old.table[CHECKSUM].to_numpy()
        is_same = (places >= 0) & (sums[places] == newer_rows[CHECKSUM].to_numpy())
        row_ids[places[places >= 0]] = GONE
        row_ids[places[is_same]] = newer_rows[ROW_ID].to_numpy()[is_same]
        if len(newer_rows) - int(is_same.sum()) > most:
            return None
        new = snapshot.take(newer_rows[ROW_ID].to_numpy()[~is_same], names)
    else:
        newer_rows = new = snapshot.columns({name: name for name in names}, newer)
        row_ids[old.rows(newer_rows["id"].to_pylist())] = GONE
    new = new.select([*names, ROW_ID]).replace_schema_metadata(snapshot.schema.metadata)
    if isinstance(last, GrownCatalogue):
        replaced = pc.is_in(last.new_table["id"], value_set=newer_rows["id"].combine_chunks())
        new = pa.concat_tables([last.new_table.filter(pc.invert(replaced)), new.cast(last.new_table.schema)])
    if int((row_ids != GONE).sum()) + len(new) != snapshot.count():  # others were removed
        kept = snapshot.columns({CHECKSUM: CHECKSUM})[ROW_ID].to_numpy()
        row_ids[~np.isin(row_ids, kept)] = GONE
        new = new.filter(pa.array(np.isin(new[ROW_ID].to_numpy(), kept)))
    if int((row_ids == GONE).sum()) + len(new) > most:
        return None
    return GrownCatalogue(snapshot, old, row_ids, new)
