"""Points of the shared space on a plane, by exact t-SNE (van der Maaten and Hinton 2008).

Written out here because a figure has at most a thousand points, which needs no tree and no dependency.
It starts from the first two principal components, so the result depends on the points, not on a seed.
"""

from typing import Any

import numpy as np

Points = np.ndarray[Any, np.dtype[np.float64]]

COMPONENTS = 50  # PCA first, as usual: distances in a thousand dimensions are mostly noise
PERPLEXITY = 30.0
_STEPS, _EARLY = 750, 250  # of gradient descent; while early, neighbours attract more
_EXAGGERATION = 12.0
_SEARCHES = 60  # bisection steps for each point's scale


def tsne(vectors: Points) -> Points:
    """(n, d) vectors as (n, 2) points that keep neighbours together. Made for n up to about 1000.

    >>> plane = tsne(np.concatenate([images, recipes]))
    """
    points = components(np.asarray(vectors, np.float64), COMPONENTS)
    if len(points) < 4:  # nothing to arrange
        return components(points, 2)
    joint = affinities(points, min(PERPLEXITY, (len(points) - 1) / 3))
    start = components(points, 2)
    plane = 1e-4 * start / max(start[:, 0].std(), 1e-12)
    # Gradient descent with momentum and an adaptive step for each coordinate.
    speed, gains = np.zeros_like(plane), np.ones_like(plane)
    rate = max(len(plane) / _EXAGGERATION / 4, 50.0)
    for step in range(_STEPS):
        early = step < _EARLY
        slope = gradient(joint * _EXAGGERATION if early else joint, plane)
        gains = np.where(slope * speed < 0, gains + 0.2, np.maximum(0.8 * gains, 0.01))
        speed = (0.5 if early else 0.8) * speed - rate * gains * slope
        plane = plane + speed
    return np.asarray(plane - plane.mean(axis=0))


def components(vectors: Points, count: int) -> Points:
    """(n, count) the first principal components; zeros where there are fewer. Signs are fixed."""
    centred = vectors - vectors.mean(axis=0)
    left, scale, right = np.linalg.svd(centred, full_matrices=False)
    # A component and its opposite are equally good: the largest entry of its direction is positive.
    signs = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
    projected = (left * scale * signs)[:, :count]
    return np.pad(projected, ((0, 0), (0, count - projected.shape[1])))


def affinities(points: Points, perplexity: float) -> Points:
    """(n, n) symmetric: how likely two points are neighbours; each row's entropy is log(perplexity) first."""
    distances = squared_distances(points)
    np.fill_diagonal(distances, np.inf)
    distances -= distances.min(axis=1, keepdims=True)  # the nearest is at 0: exp cannot underflow everywhere
    low, high = np.full(len(points), -50.0), np.full(len(points), 50.0)  # log of each point's precision
    for _ in range(_SEARCHES):
        middle = (low + high) / 2
        rows = _rows(distances, middle)
        wide = -(rows * np.log(np.maximum(rows, 1e-300))).sum(axis=1) > np.log(perplexity)
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    rows = _rows(distances, (low + high) / 2)
    return np.asarray((rows + rows.T) / (2 * len(points)))


def squared_distances(points: Points) -> Points:
    """(n, n) between all points."""
    squares = (points**2).sum(axis=1)
    return np.asarray(np.maximum(squares[:, None] + squares - 2 * points @ points.T, 0))


def gradient(joint: Points, plane: Points) -> Points:
    """(n, 2) of KL(joint || plane), where neighbours on the plane follow a Student t distribution."""
    kernel = 1 / (1 + squared_distances(plane))
    np.fill_diagonal(kernel, 0)
    pull = (joint - kernel / kernel.sum()) * kernel
    return np.asarray(4 * (pull.sum(axis=1)[:, None] * plane - pull @ plane))


def _rows(distances: Points, log_precision: Points) -> Points:
    weights = np.exp(-distances * np.exp(log_precision)[:, None])
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
