from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from chef.index.catalogue import LabelIndex

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
    assert sum(labels.counts().values()) == sum(map(len, lists))


def test_a_slice_of_a_larger_array_is_read_from_its_own_start():
    labels = LabelIndex(pa.array([["x"], ["a", "b"], ["b"]], pa.list_(pa.string()))[1:])
    assert [labels.of(0), labels.of(1)] == [["a", "b"], ["b"]]
    assert np.flatnonzero(labels.mask(["b"])).tolist() == [0, 1]
    assert labels.rows_of("x").tolist() == []
