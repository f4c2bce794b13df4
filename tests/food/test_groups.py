from __future__ import annotations

import pytest

from chef.food.canonical import CanonicalMap
from chef.food.groups import Bond, bond, groups, has, is_one, lookalikes, words_of


@pytest.mark.parametrize(
    ("group", "token", "expected"),
    [
        ("nuts", "walnuts", Bond.IN),
        ("nuts", "peanut_butter", Bond.IN),
        ("nuts", "walnut_oil", Bond.MADE),
        ("nuts", "pesto", Bond.MADE),
        ("nuts", "nutmeg", Bond.NOT),
        ("nuts", "coconut", Bond.NOT),
        ("nuts", "water_chestnuts", Bond.NOT),
        ("nuts", "butternut_squash", Bond.NOT),
        ("dairy", "sour_cream", Bond.IN),
        ("dairy", "coconut_milk", Bond.NOT),
        ("dairy", "peanut_butter", Bond.NOT),
        ("dairy", "vegan_cream_cheese", Bond.NOT),
        ("dairy", "cream_of_tartar", Bond.NOT),
        ("dairy", "white_chocolate", Bond.MADE),
        ("eggs", "egg_yolks", Bond.IN),
        ("eggs", "eggplant", Bond.NOT),
        ("eggs", "mayonnaise", Bond.MADE),
        ("gluten", "spaghetti", Bond.IN),
        ("gluten", "spaghetti_squash", Bond.NOT),
        ("gluten", "soy_sauce", Bond.MADE),
        ("gluten", "tamari", Bond.NOT),
        ("gluten", "gluten_free_flour", Bond.NOT),
        ("gluten", "rice_flour", Bond.NOT),
        ("meat", "chicken_breasts", Bond.IN),
        ("meat", "hamburger_buns", Bond.NOT),
        ("meat", "tuna_steaks", Bond.NOT),
        ("meat", "vegetable_broth", Bond.NOT),
        ("meat", "beef_broth", Bond.MADE),
        ("meat", "gelatin", Bond.MADE),
        ("meat", "kidney_beans", Bond.NOT),
        ("poultry", "turkey_bacon", Bond.IN),
        ("pork", "turkey_bacon", Bond.NOT),
        ("pork", "bacon", Bond.IN),
        ("fish", "swordfish", Bond.IN),
        ("fish", "fish_sauce", Bond.MADE),
        ("shellfish", "oyster_mushrooms", Bond.NOT),
        ("shellfish", "oyster_sauce", Bond.MADE),
        ("seafood", "shrimp", Bond.IN),
        ("soy", "silken_tofu", Bond.IN),
        ("alcohol", "red_wine", Bond.IN),
        ("alcohol", "red_wine_vinegar", Bond.NOT),
    ],
)
def test_how_an_ingredient_belongs_to_a_group(group, token, expected):
    assert bond(group, token) is expected
    assert has(group, token) is (expected is not Bond.NOT)
    assert is_one(group, token) is (expected is Bond.IN)


def test_names_that_no_map_knows_are_judged_by_their_words():
    assert has("nuts", "finely_chopped_candied_pecans")
    assert not has("nuts", "nut_free_granola_bars")
    assert not has("nuts", "")


def test_the_groups_that_the_issue_names_are_there_and_have_members():
    canonical = CanonicalMap.load()
    for group in ("nuts", "dairy", "meat", "shellfish", "gluten", "poultry", "fish", "eggs"):
        assert sum(is_one(group, token) for token in canonical.tokens) >= 3, group


def test_a_larger_group_has_all_of_its_parts():
    for token in CanonicalMap.load().tokens:
        assert not has("poultry", token) or has("meat", token)
        assert not has("shellfish", token) or has("seafood", token)
        assert not has("peanuts", token) or has("nuts", token)


def test_ordinary_words_are_no_groups():
    assert not set(lookalikes()) & set(groups())
    assert words_of("peanut butter") in lookalikes()["butter"]
