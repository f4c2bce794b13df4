"""The catalogue: one version of a collection in memory, sorted by id, ready to be filtered and ranked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.index.labels import Labels, Mask, Rows
from chef.index.nearest import Nearest, dtype_for
from chef.index.rows import ENTRY, HAS_IMAGE, entry_of
from chef.index.snapshot import ROW_ID, Snapshot
from chef.index.values import Entry

if TYPE_CHECKING:
    import pyarrow as pa

_LABELS = ("tokens", "actions", "tags", "words")
_COLUMNS = {name: name for name in ("id", "title", "main_ingredient", *_LABELS)} | {"has_image": HAS_IMAGE}


class Catalogue:
    """What a search needs of every recipe; texts and thumbnails stay on disk."""

    def __init__(self, snapshot: Snapshot) -> None:
        import pyarrow.compute as pc

        self.version = snapshot.version
        self._snapshot = snapshot
        found = snapshot.columns(_COLUMNS)
        found = found.take(pc.sort_indices(found["id"]))
        self.ids, self.titles, self._main = (
            _whole(found[name]) for name in ("id", "title", "main_ingredient")
        )
        self.tokens, self.actions, self.tags, self.words = (Labels(_whole(found[name])) for name in _LABELS)
        self.has_image: Mask = found["has_image"].to_numpy()
        self._row_ids = found[ROW_ID].to_numpy()

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, id: str) -> int | None:
        """The row of an id."""
        at = bisect_left(self.ids, id, key=lambda found: found.as_py())
        return at if at < len(self) and self.ids[at].as_py() == id else None

    def rows(self, ids: Iterable[str]) -> Rows:
        """The rows of those ids that there are."""
        return np.array([row for id in ids if (row := self.row(id)) is not None], np.int64)

    def by_title(self, rows: Iterable[int]) -> list[int]:
        """Rows in the order of their titles, capitals apart, of equals by id."""
        return sorted(rows, key=lambda row: (self.titles[row].as_py().casefold(), row))

    def entries(self, start: int, end: int) -> list[Entry]:
        """The recipes of rows start..end-1, read from disk."""
        found = {row["id"]: row for row in self._snapshot.rows(self._row_ids[start:end], ENTRY)}
        images = zip(self.ids[start:end].to_pylist(), self.has_image[start:end].tolist(), strict=True)
        return [entry_of({**found[name], "has_image": has_image}) for name, has_image in images]

    def main(self, row: int) -> str | None:
        """The main ingredient of a row."""
        found: str | None = self._main[row].as_py()
        return found

    def main_is(self, tokens: Collection[str]) -> Mask:
        """(rows,) True where the main ingredient is one of these."""
        import pyarrow as pa
        import pyarrow.compute as pc

        meant = pc.is_in(self._main, pa.array(sorted(tokens), pa.string()))
        return np.asarray(meant.to_numpy(zero_copy_only=False), np.bool_)

    @cached_property
    def recipes(self) -> Nearest:
        """The recipes' vectors."""
        return Nearest(self._snapshot.vectors("vector", self._row_ids, dtype_for(len(self))))

    @cached_property
    def photos(self) -> tuple[Nearest, Rows]:
        """The photos' vectors, and the row of each."""
        rows = np.flatnonzero(self.has_image)
        vectors = self._snapshot.vectors("photo_vector", self._row_ids[rows], dtype_for(len(rows)))
        return Nearest(vectors), rows


def _whole(column: pa.ChunkedArray) -> Any:
    """A column as one array."""
    import pyarrow as pa

    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
