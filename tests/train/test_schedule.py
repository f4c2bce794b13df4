from __future__ import annotations

import pytest

from chef.train.schedule import rate_at
from chef.train.settings import make_settings


def rates(updates, **values):
    settings = make_settings({"epochs": 10, **values})
    return [rate_at(update, 10, settings) for update in updates]


def test_step_divides_by_ten():
    assert rates([0, 39, 40, 99], schedule="step", step_epoch=4) == [1.0, 1.0, 0.1, 0.1]


def test_cosine_ends_at_nothing():
    assert rates([0, 50, 100], schedule="cosine") == pytest.approx([1.0, 0.5, 0.0])


def test_warmup_rises():
    assert rates([0, 1, 3, 4, 50], schedule="constant", warmup=4) == [0.25, 0.5, 1.0, 1.0, 1.0]
