"""The items of a gallery nearest to each query, exact and fair to ties.

As in `chef.measure.ranks`, a float32 product decides only what it can: items within its rounding error of the
last requested rank are scored again in float64, in one fixed order, so that equal vectors have equal scores
wherever they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from chef.errors import ChefError
from chef.measure.ranks import Booleans, Doubles, Floats, Integers, norms

_ROWS = 256  # queries at a time
_PAIRS = 2048  # pairs scored exactly at a time


def nearest(
    queries: Floats, gallery: Floats, without: Sequence[Collection[int]], top: int
) -> list[list[int]]:
    """For each query the positions of the `top` best items, best first, ties in the order of the gallery.

    queries (m, dimension), gallery (n, dimension), without[i]: items that query i must not find.
    """
    return [positions[:top].tolist() for positions, _ in _scored(queries, gallery, without, top)]


def success(
    queries: Floats, gallery: Floats, without: Sequence[Collection[int]], wanted: Booleans
) -> Doubles:
    """(m,) the chance, 0 to 1, that the top item is a wanted one, ties for the top broken at random."""
    scored = _scored(queries, gallery, without, 1)
    return np.array([wanted[positions[scores == scores[0]]].mean() for positions, scores in scored], float)


def _scored(
    queries: Floats, gallery: Floats, without: Sequence[Collection[int]], top: int
) -> Iterator[tuple[Integers, Doubles]]:
    """For each query all items that may be among its best `top`, best first, and their exact scores."""
    if len(queries) == 0:
        return
    terms = gallery.shape[1] + 8  # 8: rounding the inputs
    error = terms * float(np.finfo(np.float32).eps) * float(norms(queries).max() * norms(gallery).max())
    for start in range(0, len(queries), _ROWS):
        part = queries[start : start + _ROWS]
        tile = part.astype(np.float32, copy=False) @ gallery.astype(np.float32, copy=False).T
        for query, row, missing in zip(part, tile, without[start : start + _ROWS], strict=True):
            row[list(missing)] = -np.inf
            places = min(top, int(np.isfinite(row).sum()))
            if places == 0:
                raise ChefError("the gallery is empty without the query", "give more recipes")
            last = np.partition(row, -places)[-places]
            near = np.flatnonzero(row >= last - error)
            wide = query.astype(np.float64)
            parts = [near[start : start + _PAIRS] for start in range(0, len(near), _PAIRS)]
            scores = np.concatenate([(gallery[part] * wide).sum(axis=1) for part in parts])
            order = np.lexsort((near, -scores))
            yield near[order], scores[order]
