from __future__ import annotations

import math
from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from chef.index.catalogue import LabelIndex
from chef.rewrite.cooccurrence import Cooccurrence

LISTS = [
    ["rice", "butter", "salt"], ["rice", "margarine", "salt"], ["rice", "butter", "onion"],
    ["rice", "margarine", "onion"], ["beef", "carrots"], ["beef"], [],
]  # fmt: skip


@pytest.fixture
def counts():
    return Cooccurrence(LabelIndex(pa.array(LISTS, pa.list_(pa.string()))))


def test_pairs_are_counted_and_compared_with_chance(counts):
    for one, other in product(counts.tokens, repeat=2):
        both = sum(one in tokens and other in tokens for tokens in LISTS)
        ones, others = (sum(token in tokens for tokens in LISTS) for token in (one, other))
        pair = counts.positions[one], counts.positions[other]
        assert counts.pair_counts[pair] == both
        expected = math.log((both + 5) / (ones * others / len(LISTS) + 5))
        assert counts.affinity[pair] == pytest.approx(expected, abs=1e-5)


def test_those_that_replace_each_other_occur_with_the_same_others(counts):
    similarity = counts.similarity(["butter"])
    assert {counts.tokens[at] for at in np.argsort(-similarity)[:2]} == {"butter", "margarine"}
    assert counts.affinity_to("butter")[counts.positions["margarine"]] < 0


def test_fit_is_the_mean_affinity(counts):
    fit = counts.fit(["rice", "salt", "unheard-of"])
    rows = [counts.affinity[counts.positions[token]] for token in ("rice", "salt")]
    np.testing.assert_allclose(fit, np.mean(rows, axis=0), atol=1e-6)
    assert not counts.fit(["unheard-of"]).any()


def test_counts_and_what_it_is_often_with(counts):
    assert counts.count("butter") == 2
    assert counts.count("unheard-of") == 0
    assert counts.often_with("butter", ["beef", "rice", "unheard-of"]) == ["rice"]


def test_an_empty_collection():
    empty = Cooccurrence(LabelIndex(pa.array([], pa.list_(pa.string()))))
    assert empty.pair_counts.shape == (0, 0)
    assert empty.similarity(["butter"]).shape == (0,)
