"""The map of a collection: every recipe as a point on a plane, similar ones near each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.nearest import Vectors, single
from chef.index.values import Point

_SAMPLE = 1000  # recipes that exact t-SNE is run on
_NEIGHBOURS = 3  # of the sample, between which the others are interpolated
_CHUNK = 4096

Plane = np.ndarray[Any, np.dtype[np.float64]]


def points(catalogue: Catalogue) -> list[Point]:
    """Every recipe of a catalogue with its coordinates."""
    plane = project(catalogue.recipe_vectors.vectors).tolist()
    ids, titles = catalogue.ids.to_pylist(), catalogue.titles.to_pylist()
    return [Point(ids[row], x, y, titles[row], catalogue.main(row)) for row, (x, y) in enumerate(plane)]


def project(vectors: Vectors) -> Plane:
    """(n, d) vectors of length 1 -> (n, 2) coordinates in 0..1; the same vectors give the same map."""
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
