import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from chef.index import catalogue as maps
from chef.index.catalogue import LabelIndex, project

LISTS = st.lists(st.lists(st.sampled_from("abcdef"), unique=True, max_size=4), max_size=12)


@given(LISTS, st.lists(st.sampled_from("abcdefg"), max_size=3))
def test_labels_are_found_both_ways(lists, names):
    labels = LabelIndex(pa.array(lists, pa.list_(pa.string())))
    assert [labels.of(row) for row in range(len(lists))] == lists
    assert labels.sizes.tolist() == [len(one) for one in lists]
    assert labels.mask(names).tolist() == [bool(set(one) & set(names)) for one in lists]
    assert labels.count(names).tolist() == [len(set(one) & set(names)) for one in lists]
    for name in "abcdefg":
        assert labels.rows_of(name).tolist() == [row for row, one in enumerate(lists) if name in one]
    assert sum(labels.counts.values()) == sum(map(len, lists))


def test_a_slice_of_a_larger_array_is_read_from_its_own_start():
    labels = LabelIndex(pa.array([["x"], ["a", "b"], ["b"]], pa.list_(pa.string()))[1:])
    assert [labels.of(0), labels.of(1)] == [["a", "b"], ["b"]]
    assert np.flatnonzero(labels.mask(["b"])).tolist() == [0, 1]
    assert labels.rows_of("x").tolist() == []


def clouds(count: int) -> np.ndarray:
    generator = np.random.default_rng(0)
    centres = np.eye(3, 16)[generator.integers(0, 3, count)]
    found = centres + 0.1 * generator.standard_normal((count, 16))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_points_lie_in_the_unit_square_and_keep_clouds_together(monkeypatch):
    monkeypatch.setattr(maps, "_SAMPLE", 90)
    vectors = clouds(300)
    plane = project(vectors)
    assert plane.shape == (300, 2)
    assert plane.min() >= 0
    assert plane.max() <= 1
    cloud = vectors.argmax(axis=1)
    centres = np.stack([plane[cloud == one].mean(axis=0) for one in range(3)])
    nearest = np.linalg.norm(plane[:, None] - centres, axis=2).argmin(axis=1)
    assert (nearest == cloud).mean() > 0.98
    np.testing.assert_array_equal(plane, project(vectors))


def test_none_and_one():
    assert project(clouds(0)).shape == (0, 2)
    assert project(clouds(1)).tolist() == [[0.5, 0.5]]


def test_the_map_of_a_collection_is_kept_until_it_changes(index):
    points = index.map()
    assert [point.id for point in points] == sorted(point.id for point in points)
    assert points[0].to_json().keys() == {"id", "x", "y", "title", "main_ingredient", "main_confidence"}
    assert index.map() is points
