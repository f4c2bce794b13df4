"""The whole protocol on any vectors, full of ties, against loops that anyone can follow."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.measure.depth_rank import AT, depth_ranks
from chef.measure.folds import folds
from chef.measure.retrieval import retrieval_ranks, summary
from chef.measure.scores import score
from tests.measure.oracle import naive_ranks, naive_scores

# Vectors of length 1 whose products are exact: equal scores are equal, and there are many of them.
UNITS = [
    np.array(signs, np.float64) / 2 for signs in itertools.product((1, -1), repeat=4)
] + [np.eye(4)[axis] * sign for axis in range(4) for sign in (1, -1)]  # fmt: skip
vectors = st.sampled_from(UNITS)
pairs = st.lists(st.tuples(vectors, vectors), min_size=1, max_size=24)


@settings(deadline=None, max_examples=15)
@given(pairs, st.integers(1, 6), st.integers(0, 5))
def test_every_cell_of_the_protocol(drawn, size, seed):
    images, recipes = (np.array(side, np.float32) for side in zip(*drawn, strict=True))
    ids = [f"r{number}" for number in np.random.default_rng(seed).permutation(len(drawn))]
    found = summary(retrieval_ranks(images, recipes, ids, seed, sizes={"few": size}))
    samples = {"full": [np.arange(len(ids))]}
    if len(ids) >= size:
        samples["few"] = folds(ids, size, seed)
    sides = {"image-to-recipe": (images, recipes), "recipe-to-image": (recipes, images)}
    for direction, (queries, gallery) in sides.items():
        assert set(found[direction]) == set(samples)
        for name, members in samples.items():
            cell = found[direction][name]
            naive = [naive_scores(naive_ranks(queries[fold], gallery[fold]), (1, 5, 10)) for fold in members]
            assert cell["n"] == len(members[0])
            for metric in naive[0]:
                assert cell[metric] == pytest.approx(statistics.mean(one[metric] for one in naive))
                low, high = cell["ci"][metric]
                assert low <= high
    assert found["folds"] == {
        name: [[ids[place] for place in fold] for fold in members]
        for name, members in samples.items()
        if name != "full"
    }


@given(st.lists(st.text(max_size=6), unique=True, max_size=12), st.integers(1, 6), st.integers(0, 9))
def test_folds_of_any_ids(ids, size, seed):
    found = folds(ids, size, seed)
    assert len(found) == (10 if len(ids) >= size else 0)
    turned = folds(ids[::-1], size, seed)
    for fold, again in zip(found, turned, strict=True):
        assert len(set(fold.tolist())) == size
        assert [ids[place] for place in fold] == [ids[::-1][place] for place in again]


recipes = st.lists(st.integers(0, 4), min_size=1, max_size=6).flatmap(
    lambda depths: st.tuples(st.just(depths), st.integers(0, len(depths) - 1))
)


@given(st.lists(recipes, min_size=1, max_size=5))
def test_the_gold_ingredient_by_depth(drawn):
    """R@K and medR over every order of the leaves that goes from shallow to deep."""
    places = []
    for depths, gold in drawn:
        orders = [
            order
            for order in itertools.permutations(range(len(depths)))
            if all(depths[a] <= depths[b] for a, b in itertools.pairwise(order))
        ]
        places.append([order.index(gold) + 1 for order in orders])
    found = score(depth_ranks([depths for depths, _ in drawn], [gold for _, gold in drawn]), AT)
    assert found["medR"] == pytest.approx(statistics.median(map(statistics.mean, places)))
    for k in AT:
        wanted = statistics.mean(statistics.mean(place <= k for place in one) for one in places)
        assert found[f"R@{k}"] == pytest.approx(100 * wanted)
