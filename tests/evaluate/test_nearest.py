from math import fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.evaluate.substitution import nearest, success


def slow(query, gallery, missing):
    """Positions by exact score, best first, of equals the first in the gallery; and the scores."""
    scores = {
        place: fsum(float(a) * float(b) for a, b in zip(query, item, strict=True))
        for place, item in enumerate(gallery)
        if place not in missing
    }
    return sorted(scores, key=lambda place: (-scores[place], place)), scores


def vectors(rng, count, of=7):
    """Vectors of length 1 that repeat, so that there are ties."""
    some = rng.standard_normal((of, 5)).astype(np.float32)
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    return some[rng.integers(of, size=count)]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_equals_scoring_all_pairs_by_hand(seed):
    rng = np.random.default_rng(seed)
    queries, gallery = vectors(rng, 9), vectors(rng, 20)
    without = [rng.permutation(20)[: rng.integers(0, 4)].tolist() for _ in queries]
    wanted = rng.random(20) < 0.4
    tops, rates = nearest(queries, gallery, without, 4), success(queries, gallery, without, wanted)
    for query, missing, places, rate in zip(queries, without, tops, rates, strict=True):
        order, scores = slow(query, gallery, missing)
        assert places == order[:4]
        tied = [place for place in order if scores[place] == scores[order[0]]]
        assert rate == pytest.approx(sum(wanted[place] for place in tied) / len(tied))


def test_rounding_of_the_fast_product_decides_nothing():
    """Forty items that differ in a few last bits: what float32 puts first is rarely first."""
    rng = np.random.default_rng(0)
    queries = rng.standard_normal((8, 1024)).astype(np.float32) / 32
    gallery = np.tile(rng.standard_normal(1024).astype(np.float32) / 32, (40, 1))
    noise = rng.integers(-1, 2, gallery.shape) * np.spacing(gallery)
    gallery += noise.astype(np.float32)
    fast = (queries @ gallery.T).argmax(axis=1).tolist()
    wanted = [slow(query, gallery, ())[0][:5] for query in queries]
    assert fast != [places[0] for places in wanted]
    assert nearest(queries, gallery, [()] * 8, 5) == wanted
    for place in {places[0] for places in wanted}:
        rates = success(queries, gallery, [()] * 8, np.arange(40) == place)
        assert rates.tolist() == [float(places[0] == place) for places in wanted]


def test_more_queries_than_one_tile_holds():
    rng = np.random.default_rng(1)
    queries, gallery = vectors(rng, 600, of=300), vectors(rng, 50, of=40)
    assert nearest(queries, gallery, [()] * 600, 1) == [slow(query, gallery, ())[0][:1] for query in queries]


def test_fewer_items_than_asked_for_and_none_at_all():
    gallery = np.eye(3, dtype=np.float32)
    assert nearest(gallery[:1], gallery, [(1,)], 5) == [[0, 2]]
    assert nearest(gallery[:0], gallery, [], 5) == []
    with pytest.raises(ChefError, match="empty"):
        nearest(gallery[:1], gallery, [(0, 1, 2)], 1)
