"""All pairs together."""

from __future__ import annotations

import numpy as np
import pytest

from chef.report.sections.substitution_rivals import pooled, pooled_rivals, together
from tests.report.made import WAYS, paired_test
from tests.report.sections.studies import study

WAY = "recipe-to-image"


def part(hits: dict[str, list[float]]) -> dict:
    """A part in which every pair asks the same recipes."""
    return {
        pair: {"each": {"ids": [f"r{number}" for number in range(len(values))], WAY: values}}
        for pair, values in hits.items()
    }


def test_the_difference_is_the_mean_over_all_queries():
    first, second = part({"a->b": [1, 1, 0], "a->c": [1, 0]}), part({"a->b": [0, 1, 0], "a->c": [0, 0]})
    gap = pooled(first, second, WAY, seed=0)
    assert gap.difference == pytest.approx(100 * 2 / 5)
    assert gap.low <= gap.difference <= gap.high


def test_asking_a_recipe_often_does_not_narrow_the_interval():
    draw = np.random.default_rng(0)
    once = draw.integers(0, 2, 40).astype(float).tolist()
    none = [0.0] * 40
    gap = pooled(part({"a->b": once}), part({"a->b": none}), WAY, seed=0)
    many = [f"a->{number}" for number in range(8)]
    again = pooled(part(dict.fromkeys(many, once)), part(dict.fromkeys(many, none)), WAY, seed=0)
    assert (again.low, again.high) == pytest.approx((gap.low, gap.high))


def test_runs_of_one_seed_are_compared_with_models_without_trees():
    found = pooled_rivals(study(models=("t+t+l", "t+l+l", "s+l+l"), seeds=(0, 1)), "t+t+l")
    assert {way: list(row) for way, row in found.items()} == {way: ["S+L+L"] for way in WAYS}
    assert [len(gaps) for row in found.values() for gaps in row.values()] == [2, 2]


def test_other_queries_cannot_be_compared():
    made = study(models=("t+t+l", "s+l+l"))
    made.runs[1].result["substitution"]["chicken->beef"]["each"]["ids"][0] = "another"
    assert pooled_rivals(made, "t+t+l") == {way: {} for way in WAYS}


def test_together_weights_by_queries():
    entries = {
        "a->b": {"queries": 30, "gain": {WAY: paired_test(10.0, 4.0)}},
        "a->c": {"queries": 10, "gain": {WAY: paired_test(-2.0, 8.0)}},
        "skipped": {},
    }
    gap = together(entries, WAY)
    assert gap.difference == pytest.approx((30 * 10 - 10 * 2) / 40)
    assert gap.low == pytest.approx((30 * 6 - 10 * 10) / 40)
    assert gap.high == pytest.approx((30 * 14 + 10 * 6) / 40)
