from __future__ import annotations

import pytest

from chef.data.settings import PrepareSettings
from chef.errors import ChefError


@pytest.mark.parametrize(
    ("recipes", "minimum"), [(0, 2), (1, 2), (20_000, 2), (20_001, 5), (100_000, 5), (100_001, 10)]
)
def test_minimum_count_follows_the_size_of_the_training_split(recipes, minimum):
    assert PrepareSettings().minimum(recipes) == minimum


def test_a_given_minimum_count_stands():
    assert PrepareSettings(minimum_count=7).minimum(1_000_000) == 7


@pytest.mark.parametrize(
    "wrong",
    [{"image_size": 0}, {"splits": "random"}, {"train_share": 0.9, "val_share": 0.2}, {"minimum_count": 0}],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ChefError):
        PrepareSettings(**wrong)
