"""The map of a collection: every recipe a place on a plane, near recipes near each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.nearest import Vectors, single
from chef.index.values import Point

_SAMPLE = 1000  # exact t-SNE is made for that many
_NEAREST = 3  # of the sample, between which the others are placed
_ROWS = 4096

Plane = np.ndarray[Any, np.dtype[np.float64]]


def points(catalogue: Catalogue) -> list[Point]:
    """Every recipe of a catalogue with its place."""
    plane = place(catalogue.recipes.vectors).tolist()
    ids, titles = catalogue.ids.to_pylist(), catalogue.titles.to_pylist()
    return [Point(ids[row], x, y, titles[row], catalogue.main(row)) for row, (x, y) in enumerate(plane)]


def place(vectors: Vectors) -> Plane:
    """(n, d) vectors of length 1 -> (n, 2) places in 0..1; the same vectors give the same map."""
    from chef.measure.projection import tsne

    if not len(vectors):
        return np.zeros((0, 2))
    chosen = np.unique(np.linspace(0, len(vectors) - 1, min(len(vectors), _SAMPLE)).astype(int))
    sample = single(vectors[chosen])
    plane = tsne(sample.astype(np.float64))
    found = np.zeros((len(vectors), 2))
    for start in range(0, len(vectors), _ROWS):
        rows = slice(start, start + _ROWS)
        found[rows] = _between(single(vectors[rows]) @ sample.T, plane)
    found[chosen] = plane
    return _unit(found)


def _between(cosines: Any, plane: Plane) -> Plane:
    """Places between the nearest of the sample, nearer to those that are more alike."""
    near = np.argsort(-cosines, axis=1, kind="stable")[:, :_NEAREST]
    weights = np.exp(20 * (np.take_along_axis(cosines, near, 1) - cosines.max(1, keepdims=True)))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((plane[near] * weights[..., None]).sum(axis=1))


def _unit(plane: Plane) -> Plane:
    """The plane moved and scaled into 0..1, its shape kept; a lone point in the middle."""
    low, high = plane.min(axis=0), plane.max(axis=0)
    side = float((high - low).max()) or 1.0
    return np.asarray((plane - (low + high) / 2) / side + 0.5)
