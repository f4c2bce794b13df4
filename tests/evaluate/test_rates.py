from __future__ import annotations

import numpy as np
import pytest

from chef.evaluate.rates import gain, interval, percent


def test_percent_is_the_mean():
    assert percent(np.array([1.0, 0.0, 0.5, 0.5])) == 50.0


def test_the_interval_is_that_of_a_share():
    rng = np.random.default_rng(0)
    hits = (rng.random(400) < 0.3).astype(float)
    low, high = interval(hits, seed=0)
    share = hits.mean()
    wide = 196 * np.sqrt(share * (1 - share) / 400)  # the normal interval, in percent
    assert (low, high) == pytest.approx((100 * share - wide, 100 * share + wide), abs=0.8)
    assert interval(np.ones(20), seed=0) == [100.0, 100.0]


def test_gain_is_paired():
    """Ten queries more succeed, none fewer: certain when paired, though the two rates are close."""
    before = np.array([1.0] * 200 + [0.0] * 200)
    after = before.copy()
    after[200:210] = 1.0
    found = gain(after, before, seed=0)
    assert found["difference"] == pytest.approx(2.5)
    assert found["ci"][0] > 0
    assert found["p"] < 0.01
    assert gain(before, before, seed=0) == {"difference": 0.0, "ci": [0.0, 0.0], "p": 1.0}
    assert gain(before, after, seed=0)["difference"] == pytest.approx(-2.5)
