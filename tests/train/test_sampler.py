from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.train.sampler import Batches


@given(st.integers(2, 300), st.integers(2, 64), st.integers(1, 9), st.integers(0, 3))
def test_every_sample_once_an_epoch_at_any_world_size(samples, batch, world, epoch):
    parts = [
        list(Batches(samples, batch, seed=1, rank=rank, world=world).epoch(epoch)) for rank in range(world)
    ]
    seen = np.concatenate([rows for part in parts for rows in part])
    assert sorted(seen) == list(range(samples))
    alone = list(Batches(samples, batch, seed=1).epoch(epoch))
    assert [len(part) for part in parts] == [len(alone)] * world
    for number, rows in enumerate(alone):
        assert np.array_equal(np.concatenate([part[number] for part in parts]), rows)


@given(
    st.integers(2, 200), st.integers(2, 40), st.lists(st.integers(1, 6), min_size=1, max_size=6), st.data()
)
def test_every_sample_once_though_processes_come_and_go(samples, batch, worlds, data):
    """The epoch goes on with another number of processes each time, from the batch that came last."""
    seen: list[int] = []
    start = 0
    for left, world in zip(range(len(worlds) - 1, -1, -1), worlds, strict=True):
        shares = [Batches(samples, batch, seed=3, rank=rank, world=world) for rank in range(world)]
        end = data.draw(st.integers(start, len(shares[0]))) if left else len(shares[0])
        for share in shares:
            seen += [int(row) for rows in list(share.epoch(1, start))[: end - start] for row in rows]
        start = end
    assert sorted(seen) == list(range(samples))


@given(st.integers(2, 300), st.integers(2, 64))
def test_the_smallest_batch(samples, batch):
    batches = Batches(samples, batch, seed=0)
    assert batches.smallest == min(len(rows) for rows in batches.epoch(0))


@given(st.integers(8, 300), st.integers(4, 64))
def test_batches_are_of_nearly_equal_size(samples, batch):
    sizes = [len(rows) for rows in Batches(samples, batch, seed=0).epoch(0)]
    assert max(sizes) <= max(batch, 3)
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 2


def test_order_follows_seed_and_epoch():
    def first(seed, epoch):
        return next(Batches(100, 100, seed=seed).epoch(epoch)).tolist()

    assert first(0, 0) == first(0, 0)
    assert first(0, 0) != first(0, 1)
    assert first(0, 0) != first(1, 0)


@pytest.mark.parametrize("start", [0, 1, 3])
def test_an_epoch_goes_on_where_it_was_left(start):
    batches = Batches(50, 12, seed=0)
    whole = [rows.tolist() for rows in batches.epoch(2)]
    assert [rows.tolist() for rows in batches.epoch(2, start)] == whole[start:]
