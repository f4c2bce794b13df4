"""The catalogue: one version of a collection in memory, sorted by id, ready to be filtered and ranked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.contents import VERSION
from chef.errors import ChefError
from chef.index.nearest import Mask, Rows, Scores, VectorIndex, Vectors, dtype_for, single
from chef.index.values import CHECKSUM, ROW_ID, Entry, Point, entry_columns, entry_of, has_image
from chef.teacher.actions import SURE

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.index.conditions import Condition
    from chef.index.snapshot import Snapshot, TableSnapshot

LABELS = ("tokens", "actions", "tags", "words")
COLUMNS = {name: name for name in ("id", "title", "main_ingredient", *LABELS)}
CONTENTS = ("contains", "may", "foods", "not_understood")


class LabelIndex:
    """Labels on rows, such as ingredients or tags: finds labels by row and rows by label.

    >>> labels = LabelIndex(pa.array([["rice", "salt"], ["salt"]]))
    >>> labels.of(0), labels.rows_of("salt").tolist()
    (['rice', 'salt'], [0, 1])
    """

    def __init__(self, lists: pa.Array) -> None:
        encoded = lists.flatten().dictionary_encode()
        self.sizes: Rows = lists.value_lengths().to_numpy().astype(np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self._codes = encoded.indices.to_numpy().astype(np.int32)
        self.names: list[str] = encoded.dictionary.to_pylist()
        self._code_of = {name: code for code, name in enumerate(self.names)}

    def of(self, row: int) -> list[str]:
        """The labels of a row in their order."""
        return [self.names[code] for code in self._codes[self._starts[row] : self._starts[row + 1]]]

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many rows have each label; not to be changed."""
        counts = np.bincount(self._codes, minlength=len(self.names)).tolist()
        return dict(zip(self.names, counts, strict=True))

    def rows_of(self, name: str) -> Rows:
        """The rows that have a label, ascending."""
        code = self._code_of.get(name)
        if code is None:
            return np.zeros(0, np.int64)
        rows, starts = self._postings
        return rows[starts[code] : starts[code + 1]]

    @cached_property
    def _postings(self) -> tuple[Rows, Rows]:
        """Rows in the order of their labels, and where each label starts."""
        rows = np.repeat(np.arange(len(self.sizes)), self.sizes)
        order = np.argsort(self._codes, kind="stable")
        return rows[order], np.searchsorted(self._codes[order], np.arange(len(self.names) + 1))

    def mask(self, names: Iterable[str]) -> Mask:
        """(rows,) True where a row has at least one of the labels."""
        mask = np.zeros(len(self.sizes), np.bool_)
        for name in names:
            mask[self.rows_of(name)] = True
        return mask

    def count(self, names: Iterable[str]) -> Scores:
        """(rows,) how many of the labels each row has."""
        counts = np.zeros(len(self.sizes), np.float32)
        for name in set(names):
            counts[self.rows_of(name)] += 1
        return counts


class Catalogue:
    """What a search needs of every recipe; texts and thumbnails stay on disk."""

    present: Mask | None = None  # (rows,) which are still in the collection; None: all

    @property
    def sample(self) -> Catalogue:
        """Recipes that stand for the whole collection: all, where it is in memory."""
        return self

    def __init__(self, snapshot: Snapshot | TableSnapshot) -> None:
        import pyarrow.compute as pc

        self.snapshot, self.version = snapshot, snapshot.version
        has_contents = snapshot.metadata.get("contents") == VERSION
        more = {name: name for name in (*CONTENTS, "is_english")} if has_contents else {}
        more |= {name: name for name in ("main_confidence", CHECKSUM) if name in snapshot.schema.names}
        table = snapshot.columns(COLUMNS | more | {"has_image": has_image(snapshot.schema)})
        self.table = table = table.take(pc.sort_indices(table["id"]))
        columns: dict[str, Any] = {name: table[name].combine_chunks() for name in table.column_names}
        self.ids, self.titles = columns["id"], columns["title"]
        self.main_ingredients = columns["main_ingredient"]
        self._main_confidence = columns.get("main_confidence")
        self.tokens, self.actions, self.tags, self.words = (LabelIndex(columns[name]) for name in LABELS)
        self._contents = {name: LabelIndex(columns[name]) for name in CONTENTS} if has_contents else None
        self.foods = self._contents["foods"] if self._contents else self.tokens
        self.is_english: Mask = (
            table["is_english"].to_numpy() if has_contents else np.ones(len(table), np.bool_)
        )
        self.has_image: Mask = table["has_image"].to_numpy()
        self.row_ids = table[ROW_ID].to_numpy()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def recipes(self) -> int:
        """How many the collection has."""
        return len(self) if self.present is None else int(self.present.sum())

    def frequency(self, condition: Condition, mask: Mask) -> int:
        """How many of them satisfy a condition, whose mask is given."""
        return int(mask.sum())

    def labels(self, name: str) -> LabelIndex:
        """A column of lists."""
        labels: LabelIndex = getattr(self, name) if name in (*LABELS, "foods") else self.contents(name)
        return labels

    def contents(self, name: str) -> LabelIndex:
        """One of `contains`, `may`, `foods` and `not_understood` (chef.contents)."""
        if self._contents is None:
            raise ChefError(
                "this collection does not say what its recipes contain, or says it in an older way",
                "read its recipes again: chef index rebuild COLLECTION",
            )
        return self._contents[name]

    def row(self, id: str) -> int | None:
        """The row of an id."""
        at = bisect_left(self.ids, id, key=lambda value: value.as_py())
        return at if at < len(self) and self.ids[at].as_py() == id else None

    def rows(self, ids: Iterable[str]) -> Rows:
        """The rows of those ids that exist."""
        return np.array([row for id in ids if (row := self.row(id)) is not None], np.int64)

    @property
    def order(self) -> Rows:
        """The rows by their ids."""
        return np.arange(len(self))

    def sorted_ids(self, start: int = 0, end: int | None = None) -> list[str]:
        """The ids, ascending."""
        ids: list[str] = self.ids.take(self.order[start:end]).to_pylist()
        return ids

    def by_title(self, rows: Iterable[int]) -> list[int]:
        """Rows sorted by title, ignoring case, then by id."""
        return sorted(rows, key=lambda row: (self.titles[row].as_py().casefold(), row))

    def entries(self, start: int, end: int) -> list[Entry]:
        """The recipes start..end-1 in the order of ids, read from disk."""
        snapshot, rows = self.snapshot.full, self.order[start:end]
        columns = sorted(entry_columns(snapshot.schema).keys() - {"has_image"})
        stored = {row["id"]: row for row in snapshot.take(self.row_ids[rows], columns).to_pylist()}
        images = zip(self.ids.take(rows).to_pylist(), self.has_image[rows].tolist(), strict=True)
        return [entry_of({**stored[id], "has_image": has_image}) for id, has_image in images]

    def near(self, vectors: Iterable[Vectors], conditions: Iterable[Condition]) -> Catalogue:
        """A catalogue with, for each vector, the nearest recipe that satisfies its condition."""
        return self

    def main(self, row: int) -> str | None:
        """The main ingredient of a row."""
        token: str | None = self.main_ingredients[row].as_py()
        return token

    def main_confidence(self, row: int) -> float | None:
        """How likely a cook would name it, 0 to 1; None in older collections."""
        return None if self._main_confidence is None else self._main_confidence[row].as_py()

    @cached_property
    def sure_mains(self) -> LabelIndex:
        """The main ingredient of each row where it is certain enough to tell people, else nothing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        sure = np.zeros(len(self), np.bool_)
        if self._main_confidence is not None:
            confidence = pc.fill_null(self._main_confidence, 0.0).to_numpy(zero_copy_only=False)
            sure = (confidence >= SURE) & pc.is_valid(self.main_ingredients).to_numpy(zero_copy_only=False)
        starts = pa.array(np.concatenate([[0], np.cumsum(sure)]), pa.int32())
        return LabelIndex(pa.ListArray.from_arrays(starts, self.main_ingredients.filter(pa.array(sure))))

    @cached_property
    def recipe_vectors(self) -> VectorIndex:
        """The recipes' vectors."""
        return VectorIndex(self.snapshot.vectors("vector", self.row_ids, dtype_for(len(self))))

    @cached_property
    def photo_vectors(self) -> tuple[VectorIndex, Rows]:
        """The photos' vectors, and the row of each."""
        rows = np.flatnonzero(self.has_image)
        vectors = self.snapshot.full.vectors("photo_vector", self.row_ids[rows], dtype_for(len(rows)))
        return VectorIndex(vectors), rows

    @cached_property
    def points(self) -> list[Point]:
        """The map: every recipe as a point on a plane, similar ones near each other."""
        rows = self.order
        plane = project(self.recipe_vectors.vectors[rows]).tolist()
        ids, titles = self.ids.take(rows).to_pylist(), self.titles.take(rows).to_pylist()
        return [
            Point(id, x, y, title, self.main(row), self.main_confidence(row))
            for row, id, title, (x, y) in zip(rows.tolist(), ids, titles, plane, strict=True)
        ]


_SAMPLE = 1000  # recipes that exact t-SNE is run on
_NEIGHBOURS = 3  # of the sample, between which the others are interpolated
_CHUNK = 4096

Plane = np.ndarray[Any, np.dtype[np.float64]]


def project(vectors: Vectors) -> Plane:
    """(n, d) vectors -> (n, 2) coordinates in 0..1; the same vectors give the same map."""
    from chef.measure.projection import tsne

    if not len(vectors):
        return np.zeros((0, 2))
    chosen = np.unique(np.linspace(0, len(vectors) - 1, min(len(vectors), _SAMPLE)).astype(int))
    sample = single(vectors[chosen])
    plane = tsne(sample.astype(np.float64))
    coordinates = np.zeros((len(vectors), 2))
    for start in range(0, len(vectors), _CHUNK):
        rows = slice(start, start + _CHUNK)
        # Between the nearest of the sample, closer to those that are more similar.
        cosines = single(vectors[rows]) @ sample.T
        near = np.argsort(-cosines, axis=1, kind="stable")[:, :_NEIGHBOURS]
        weights = np.exp(20 * (np.take_along_axis(cosines, near, 1) - cosines.max(1, keepdims=True)))
        weights /= weights.sum(axis=1, keepdims=True)
        coordinates[rows] = (plane[near] * weights[..., None]).sum(axis=1)
    coordinates[chosen] = plane
    # Into the unit square with the shape kept; a single point goes to the middle.
    low, high = coordinates.min(axis=0), coordinates.max(axis=0)
    side = float((high - low).max()) or 1.0
    return np.asarray((coordinates - (low + high) / 2) / side + 0.5)
