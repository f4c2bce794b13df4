"""Values: mean, spread and form of a figure."""

from __future__ import annotations

import numpy as np
import pytest

from chef.report.value import Value

CELL = {"R@1": 40.0, "ci": {"R@1": [38.5, 41.5]}}


def test_several_runs_have_mean_and_sample_sd():
    runs = [40.0, 43.0, 44.5]
    value = Value.of([{"R@1": run} for run in runs], "R@1")
    assert value is not None
    assert value.mean == pytest.approx(np.mean(runs))
    assert value.sd == pytest.approx(np.std(runs, ddof=1))
    assert value.text == "42.5 ± 2.3"


def test_one_run_has_its_interval():
    value = Value.of([CELL], "R@1")
    assert value is not None
    assert value.text == "40.0 [38.5, 41.5]"


def test_the_interval_of_one_run_is_not_that_of_several():
    value = Value.of([CELL, CELL], "R@1")
    assert value is not None
    assert value.ci is None


def test_what_nobody_measured_is_none():
    assert Value.of([CELL], "medR") is None
    assert Value.of([], "R@1") is None


def test_minus_is_a_minus_and_digits_are_kept():
    assert Value((-0.5,)).text == "−0.5"
    assert Value((1.7500,), digits=2).text == "1.75"
    assert Value((224550.0,), digits=0).text == "224,550"
