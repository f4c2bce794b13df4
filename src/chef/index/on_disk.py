"""A collection that stays on disk, however large it is: Lance's indexes find a shortlist for each query.

The shortlist is then searched like a collection in memory, so scores and reasons are the same. Rows that were
written since the indexes were made are found as well: Lance compares those one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.index.catalogue import COLUMNS, CONTENTS, Catalogue, LabelIndex
from chef.index.conditions import AtMost, Condition, Has, IdIn, every
from chef.index.lance_errors import translate_lance_errors
from chef.index.lance_indexes import NAMED, PARTITION, Names
from chef.index.nearest import SAMPLE, Mask, Rows, Vectors, with_ties
from chef.index.snapshot import RowIds, Snapshot, TableSnapshot
from chef.index.values import FAVOURITE, ROW_ID, Entry, entry_columns, entry_of, title_words
from chef.text.tokens import readable

if TYPE_CHECKING:
    import pyarrow as pa

    from chef.index.filters import Filters, IngredientResolver
    from chef.index.query import Part, Query
    from chef.index.store import Store

# Chosen with benchmarks/million.py; docs/scale.md has the figures.
_PROBES = 64  # partitions that are searched where nothing is filtered; more, the fewer recipes pass
_MOST_PROBES, _SHARE = 128, 6  # but no more than 128, or one in 6 of a large collection
_REFINED = 800  # vectors that are compared exactly
_FEW = 2000  # recipes that pass a filter: all of them are compared exactly
_SHORT = 50  # recipes that one look at an index adds to the shortlist of words
LACK = 0.1  # what a missing ingredient costs, where one that is used of the pantry counts 1
_MOST_TIED = 4000  # recipes that lack equally few ingredients


@dataclass(frozen=True)
class Labels:
    """The names in a column of lists, and how many recipes have each."""

    counts: Counter[str]

    @property
    def names(self) -> Collection[str]:
        return self.counts.keys()


class Shortlist(Catalogue):
    """Some recipes of a collection on disk."""

    def __init__(self, whole: DiskCatalogue, table: pa.Table) -> None:
        super().__init__(TableSnapshot(table.replace_schema_metadata(whole.schema.metadata), whole.version))
        self.whole = whole

    @property
    def recipes(self) -> int:
        return self.whole.recipes

    @property
    def sample(self) -> Catalogue:
        return self.whole.sample

    def frequency(self, condition: Condition, mask: Mask) -> int:
        return self.whole.count(condition.sql)


class DiskCatalogue:
    """One version of a collection on disk; what is said of `Catalogue` holds here, too."""

    def __init__(self, store: Store, snapshot: Snapshot, last: DiskCatalogue | None) -> None:
        self.snapshot, self.version, self.schema = snapshot, snapshot.version, snapshot.schema
        self.names: Names = (last.names if last else Names()).follow(store, snapshot)
        counts = self.names.counts
        self.tokens, self.foods, self.tags, self.words = (Labels(counts[name]) for name in NAMED)
        self.recipes = snapshot.count()
        self._counts: dict[str, int] = {}
        if last is not None and "sample" in last.__dict__:
            self.__dict__["sample"] = sample = copy(last.sample)
            sample.whole = self

    def count(self, where: str) -> int:
        """How many recipes satisfy a condition."""
        if where not in self._counts:
            self._counts[where] = self.snapshot.count(where)
        return self._counts[where]

    @cached_property
    def sample(self) -> Shortlist:
        """Recipes from all over the collection, as they were when it was opened."""
        step = -(-self.recipes // SAMPLE)
        with translate_lance_errors(self.snapshot.url):
            rows = self.snapshot.table.take_offsets(list(range(0, self.recipes, step)))
            return Shortlist(self, rows.select([*self._columns, "vector"]).with_row_id().to_arrow())

    @property
    def _columns(self) -> list[str]:
        return [*COLUMNS, *CONTENTS, "is_english", "main_confidence", "has_image"]

    # Entries

    def sorted_ids(self, start: int = 0, end: int | None = None) -> list[str]:
        """The ids, ascending."""
        ids: list[str] = self._all_ids[start:end].to_pylist()
        return ids

    @cached_property
    def _all_ids(self) -> pa.Array:
        return self.snapshot.columns({"id": "id"})["id"].combine_chunks().sort()

    def entries(self, start: int, end: int) -> list[Entry]:
        """The recipes start..end-1 in the order of ids."""
        ids = self.sorted_ids(start, end)
        stored = self.snapshot.columns(entry_columns(self.schema), IdIn(ids).sql)
        rows = {row["id"]: row for row in stored.to_pylist()}
        return [entry_of(rows[id]) for id in ids]

    # Shortlists

    def shortlist(
        self,
        query: Query,
        filters: Filters,
        pantry: Sequence[frozenset[str]],
        staples: frozenset[str],
        resolver: IngredientResolver,
        k: int,
    ) -> Shortlist:
        """The recipes among which the k best of a query are; pantry: what each word of the user means."""
        where = filters.condition(resolver, self.tags.names)
        if pantry:
            return self._listed([self._of_pantry(query, where, pantry, staples, k)])
        if not query:
            return self._listed([self._first_titles(where, k)])
        nearest = [self.nearest(query.vector, k, where)]
        if query.words is not None:
            nearest += self._by_words(query.words, query.vector, max(_SHORT, 2 * k), where, resolver)
        return self._listed(nearest)

    def first(self, k: int) -> Shortlist:
        """The first k by title, and of the favourites."""
        return self._listed([self._first_titles(where, k) for where in (None, Has("tags", [FAVOURITE]))])

    def near_photos(self, vector: Vectors, k: int, exclude: Sequence[str]) -> Shortlist:
        """The recipes whose own photos are nearest."""
        others = ~IdIn(exclude) if exclude else None
        return self._listed([self.nearest(vector, k, others, "photo_vector")], "photo_vector")

    def near(self, vectors: Iterable[Vectors], conditions: Iterable[Condition]) -> Shortlist:
        """For each vector the nearest recipe that satisfies its condition."""
        pairs = zip(vectors, conditions, strict=True)
        return self._listed([self.nearest(vector, 1, condition) for vector, condition in pairs])

    def _listed(self, chosen: Iterable[RowIds], *more: str) -> Shortlist:
        row_ids = np.unique(np.concatenate([*chosen, np.zeros(0, np.uint64)]))
        return Shortlist(self, self.snapshot.take(row_ids, [*self._columns, "vector", *more]))

    def nearest(
        self, vector: Vectors, k: int, condition: Condition | None = None, column: str = "vector"
    ) -> RowIds:
        """The row ids of the k recipes whose vectors are nearest, of those that satisfy a condition."""
        where = None if condition is None else condition.sql
        if column == "photo_vector":
            where = f"has_image AND ({where})" if where else "has_image"
        passing = self.recipes if where is None else self.count(where)
        if not passing:
            return np.zeros(0, np.uint64)
        query = self.snapshot.table.search(np.asarray(vector, np.float32), vector_column_name=column)
        query = query.distance_type("dot").limit(k).select(["_distance"]).with_row_id(True)
        if where is not None:
            query = query.where(where, prefilter=True)
        if not np.any(vector):  # no vectors to compare: any of them
            query = self.snapshot.table.search().where(where or "true").limit(k)
            query = query.select(["id"]).with_row_id(True)
        elif passing <= _FEW:
            query = query.bypass_vector_index()
        else:
            most = max(_MOST_PROBES, self.recipes // PARTITION // _SHARE)
            probes = min(most, -(-_PROBES * self.recipes // passing))
            query = query.nprobes(probes).refine_factor(max(1, -(-_REFINED // k)))
        return self._row_ids(query)

    def _row_ids(self, query: Any) -> RowIds:
        with translate_lance_errors(self.snapshot.url):
            row_ids: RowIds = query.to_arrow()[ROW_ID].to_numpy()
        return row_ids

    def _by_words(
        self, part: Part, vector: Vectors, k: int, where: Condition | None, resolver: IngredientResolver
    ) -> list[RowIds]:
        """Recipes that have the words: in the title, as the main ingredient, or anywhere, all of them or, if
        need be, all but one."""
        from lancedb.query import MatchQuery

        from chef.index.named import anywhere, in_title, mainly, names_in

        given = [] if where is None else [where]
        titled = names_in(title_words(part.words))
        match: Any = MatchQuery  # mypy takes its options for required
        text = self.snapshot.table.search(match(" ".join(map(readable, titled)), "words"), query_type="fts")
        if where is not None:
            text = text.where(where.sql, prefilter=True)
        matching = self._row_ids(text.limit(4 * k).select(["_score"]).with_row_id(True))
        sets: list[Sequence[Condition]] = [[in_title(name) for name in titled]]
        for names in part.readings:
            has = [anywhere(name, part.tokens, resolver) for name in names]
            most = [mainly(name, part.tokens, resolver) for name in names]
            sets += [has, most]
            if (both := every([*given, *has])) is not None and self.count(both.sql) < k:
                sets += [[*has[:at], *has[at + 1 :]] for at in range(len(has))] if len(has) > 2 else []
                sets += [[one] for one in has]
            # A dish that is mainly one of them may come before those that merely have them all.
            if (best := every([*given, *most])) is not None and self.count(best.sql) < k:
                sets += [[one] for one in most if one not in has]
        chosen = {condition.sql: condition for one in sets if (condition := every([*given, *one]))}
        return [matching, *(self.nearest(vector, k, condition) for condition in chosen.values())]

    def _of_pantry(
        self,
        query: Query,
        where: Condition | None,
        pantry: Sequence[frozenset[str]],
        staples: frozenset[str],
        k: int,
    ) -> RowIds:
        """Recipes that use most of a pantry, or, with a query, lack the fewest ingredients; reads the
        ingredients of all that pass."""
        available = staples.union(*pantry)
        parts: list[tuple[RowIds, Rows, Rows]] = []
        for batch in self.snapshot.batches(["tokens"], None if where is None else where.sql):
            labels = LabelIndex(batch["tokens"])
            used = np.sum([labels.mask(word) for word in pantry], axis=0)
            lacking = np.asarray(labels.sizes - labels.count(available), np.int64)
            parts.append((batch[ROW_ID].to_numpy(), lacking, used))
        row_ids, missing, used = (np.concatenate([part[at] for part in parts]) for at in range(3))
        if len(row_ids) <= k:
            return row_ids
        best = with_ties(-missing if query else used - LACK * missing, k)
        if not query or len(best) <= _MOST_TIED:
            return row_ids[best[:_MOST_TIED]]
        tied = AtMost("tokens", int(missing[best].max()), besides=available)
        return self.nearest(query.vector, k, tied if where is None else where & tied)

    def _first_titles(self, where: Condition | None, k: int) -> RowIds:
        """The first k by title; reads the titles of all that pass."""
        import pyarrow as pa
        import pyarrow.compute as pc

        first: pa.Table | None = None
        keys = [("title", "ascending"), ("id", "ascending")]
        for batch in self.snapshot.batches(["title", "id"], None if where is None else where.sql):
            table = pa.Table.from_batches([batch])
            table = table.set_column(0, "title", pc.utf8_lower(table["title"]))
            table = table if first is None else pa.concat_tables([first, table])
            first = table.take(pc.select_k_unstable(table, min(k, len(table)), keys))
        return np.zeros(0, np.uint64) if first is None else first[ROW_ID].to_numpy()
