from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest

from chef.index.labels import Labels
from chef.rewrite.company import Company

LISTS = [
    ["rice", "butter", "salt"],
    ["rice", "margarine", "salt"],
    ["rice", "butter", "onion"],
    ["rice", "margarine", "onion"],
    ["beef", "carrots"],
    ["beef"],
    [],
]


@pytest.fixture
def company():
    return Company(Labels(pa.array(LISTS, pa.list_(pa.string()))))


def test_pairs_are_counted(company):
    for one in company.tokens:
        for other in company.tokens:
            both = sum(one in found and other in found for found in LISTS)
            assert company.together[company.places[one], company.places[other]] == both


def test_affinity_is_the_log_of_what_was_seen_over_what_chance_expects(company):
    for one in company.tokens:
        for other in company.tokens:
            both = sum(one in found and other in found for found in LISTS)
            ones, others = (sum(token in found for found in LISTS) for token in (one, other))
            expected = math.log((both + 5) / (ones * others / len(LISTS) + 5))
            found = company.affinity[company.places[one], company.places[other]]
            assert found == pytest.approx(expected, abs=1e-5)


def test_those_that_stand_for_each_other_keep_the_same_company(company):
    likeness = company.likeness(["butter"])
    assert {company.tokens[place] for place in np.argsort(-likeness)[:2]} == {"butter", "margarine"}
    assert company.affinity_to("butter")[company.places["margarine"]] < 0


def test_fit_is_the_mean_affinity(company):
    fit = company.fit(["rice", "salt", "unheard-of"])
    rows = [company.affinity[company.places[token]] for token in ("rice", "salt")]
    np.testing.assert_allclose(fit, np.mean(rows, axis=0), atol=1e-6)
    assert not company.fit(["unheard-of"]).any()


def test_counts_and_what_it_is_often_with(company):
    assert company.count("butter") == 2
    assert company.count("unheard-of") == 0
    assert company.often_with("butter", ["beef", "rice", "unheard-of"]) == ["rice"]


def test_an_empty_collection():
    empty = Company(Labels(pa.array([], pa.list_(pa.string()))))
    assert empty.together.shape == (0, 0)
    assert empty.likeness(["butter"]).shape == (0,)
