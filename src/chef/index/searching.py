"""Ranking: a query, filters and a pantry on one version of a collection."""

from __future__ import annotations

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.filters import Filters
from chef.index.labels import Mask
from chef.index.meaning import Meanings
from chef.index.pantry import Pantry
from chef.index.query import Query
from chef.index.values import Hit
from chef.index.why import Why

# What a missing ingredient costs: more than any likeness can win back, so that fewer missing always wins.
_MISSING = 2.0

Ranked = list[tuple[int, float]]  # rows and their scores, best first


def search(
    catalogue: Catalogue,
    meanings: Meanings,
    query: Query,
    filters: Filters,
    pantry_words: list[str],
    k: int,
) -> list[Hit]:
    """The k best hits."""
    keep = filters.mask(catalogue, meanings)
    pantry = Pantry(pantry_words, catalogue, meanings) if pantry_words else None
    if query:
        bonus = query.bonus(catalogue, meanings)
        if pantry is not None:
            missing = -_MISSING * pantry.counts()
            bonus = missing if bonus is None else bonus + missing
        rows, scores = catalogue.recipes.top(query.vector, k, keep, bonus)
        ranked = list(zip(rows.tolist(), scores.tolist(), strict=True))
    elif pantry is not None:
        ranked = _by_pantry(catalogue, keep, pantry, k)
    else:
        passing = range(len(catalogue)) if keep is None else np.flatnonzero(keep).tolist()
        ranked = [(row, 0.0) for row in catalogue.by_title(passing)[:k]]
    why = Why(catalogue, query, filters, meanings, pantry)
    return [hit(catalogue, row, score, why(row), pantry) for row, score in ranked]


def _by_pantry(catalogue: Catalogue, keep: Mask | None, pantry: Pantry, k: int) -> Ranked:
    """Fewest missing first, then what uses more of what is there, then by title."""
    used = catalogue.tokens.count(pantry.owned)
    scores = used / (used + 1) - _MISSING * pantry.counts()
    rows = np.arange(len(catalogue)) if keep is None else np.flatnonzero(keep)
    if len(rows) > k:
        worst = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= worst]
    named = catalogue.by_title(rows.tolist())
    return [(row, float(scores[row])) for row in sorted(named, key=lambda row: -scores[row])[:k]]


def hit(catalogue: Catalogue, row: int, score: float, why: list[str], pantry: Pantry | None = None) -> Hit:
    """The hit of a row."""
    return Hit(
        id=catalogue.ids[row].as_py(),
        title=catalogue.titles[row].as_py(),
        score=score,
        main_ingredient=catalogue.main(row),
        actions=catalogue.actions.of(row),
        ingredients=catalogue.tokens.of(row),
        why=why,
        has_image=bool(catalogue.has_image[row]),
        missing=pantry.missing(row) if pantry else [],
    )
