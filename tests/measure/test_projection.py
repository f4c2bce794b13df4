import itertools

import numpy as np
import pytest

from chef.measure.projection import affinities, components, gradient, squared_distances, tsne


def clusters(count=4, each=15, dimension=20, seed=0):
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((count, dimension))
    return np.repeat(centres, each, axis=0) + 0.1 * generator.standard_normal((count * each, dimension))


def loss(joint, plane):
    """KL(joint || plane), pair by pair."""
    pairs = list(itertools.permutations(range(len(plane)), 2))
    kernel = {(i, j): 1 / (1 + float(((plane[i] - plane[j]) ** 2).sum())) for i, j in pairs}
    total = sum(kernel.values())
    return sum(joint[pair] * np.log(joint[pair] * total / kernel[pair]) for pair in pairs if joint[pair] > 0)


def test_the_gradient_is_that_of_the_divergence():
    joint = affinities(clusters(2, 4), 2.0)
    plane = np.random.default_rng(1).standard_normal((8, 2))
    slopes, step = gradient(joint, plane), 1e-6
    for i, j in np.ndindex(plane.shape):
        there, back = plane.copy(), plane.copy()
        there[i, j] += step
        back[i, j] -= step
        assert slopes[i, j] == pytest.approx((loss(joint, there) - loss(joint, back)) / (2 * step), abs=1e-6)


def test_every_point_has_as_many_neighbours_as_asked_for():
    points = clusters()
    joint = affinities(points, 10.0)
    assert joint.sum() == pytest.approx(1)
    np.testing.assert_allclose(joint, joint.T)
    np.testing.assert_array_equal(np.diag(joint), 0)
    # The conditional chances, found again by the naive definition with a scale searched for each point.
    distances = squared_distances(points)
    for i in (0, 20, 59):
        others = np.delete(np.arange(len(points)), i)
        scales = np.geomspace(1e-3, 1e3, 20001)
        rows = np.exp(-np.outer(scales, distances[i, others] - distances[i, others].min()))
        rows /= rows.sum(axis=1, keepdims=True)
        entropies = -(rows * np.log(np.maximum(rows, 1e-300))).sum(axis=1)
        row = rows[np.abs(entropies - np.log(10.0)).argmin()]
        reverse = joint[i, others] * 2 * len(points) - row
        assert (reverse > -1e-3).all()  # what is left is the chance in the other direction


def test_squared_distances():
    points = np.random.default_rng(0).standard_normal((6, 3))
    distances = squared_distances(points)
    for i, j in np.ndindex(6, 6):
        assert distances[i, j] == pytest.approx(((points[i] - points[j]) ** 2).sum())


def test_components_keep_the_distances_and_their_signs():
    points = clusters(3, 5)
    reduced = components(points, 50)
    assert reduced.shape == (15, 50)
    np.testing.assert_allclose(squared_distances(reduced), squared_distances(points), atol=1e-9)
    np.testing.assert_allclose(components(points[:, ::-1], 3), components(points, 3), atol=1e-9)


def test_what_is_near_stays_near():
    points = clusters()
    plane = tsne(points)
    np.testing.assert_array_equal(tsne(points), plane)
    assert plane.shape == (60, 2)
    distances = squared_distances(plane)
    np.fill_diagonal(distances, np.inf)
    of = np.repeat(np.arange(4), 15)
    assert (of[distances.argmin(axis=1)] == of).all()
    inside = np.mean([distances[of == one][:, of == one][~np.eye(15, dtype=bool)].mean() for one in range(4)])
    assert inside < 0.1 * distances[np.isfinite(distances)].mean()


@pytest.mark.parametrize("points", [*(np.eye(count, 6) for count in range(1, 6)), np.ones((12, 5))])
def test_few_and_equal_points_have_places(points):
    plane = tsne(points)
    assert plane.shape == (len(points), 2)
    assert np.isfinite(plane).all()
