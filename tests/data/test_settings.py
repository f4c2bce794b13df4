from __future__ import annotations

from collections import Counter

import pytest

from chef.data.texts import PrepareSettings, hash_split, split_of
from chef.errors import ChefError
from chef.recipe import Recipe


@pytest.mark.parametrize(
    ("recipes", "minimum"), [(0, 2), (1, 2), (20_000, 2), (20_001, 5), (100_000, 5), (100_001, 10)]
)
def test_minimum_count_follows_the_size_of_the_training_split_unless_given(recipes, minimum):
    assert PrepareSettings().minimum(recipes) == minimum
    assert PrepareSettings(minimum_count=7).minimum(recipes) == 7


@pytest.mark.parametrize(
    "wrong",
    [{"image_size": 0}, {"splits": "random"}, {"train_share": 0.9, "val_share": 0.2}, {"minimum_count": 0}],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ChefError):
        PrepareSettings(**wrong)


def test_equal_titles_stay_together_whatever_their_spelling():
    settings = PrepareSettings()
    for number in range(50):
        spellings = [f"Leek Pie {number}", f"leek pie, {number}!", f"LEEK  PIE {number}"]
        assert len({hash_split(title, settings) for title in spellings}) == 1


def test_shares_are_as_asked():
    settings = PrepareSettings(train_share=0.5, val_share=0.2)
    counts = Counter(hash_split(f"dish {number}", settings) for number in range(4000))
    shares = {name: count / 4000 for name, count in counts.items()}
    assert shares == pytest.approx({"train": 0.5, "val": 0.2, "test": 0.3}, abs=0.04)


def test_the_split_of_the_source_goes_first_unless_told_otherwise():
    recipe = Recipe("1", "Leek pie", split="extra")
    assert split_of(recipe, PrepareSettings()) == "extra"
    assert split_of(recipe, PrepareSettings(splits="hash")) == hash_split("Leek pie", PrepareSettings())
    with pytest.raises(ChefError, match="split named"):
        split_of(Recipe("1", "Leek pie", split="../out"), PrepareSettings())
