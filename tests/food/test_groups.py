from __future__ import annotations

import pytest

from chef.food.canonical import CanonicalMap
from chef.food.groups import Membership, groups, has, is_one, lookalikes, membership, words_of


@pytest.mark.parametrize(
    ("group", "token", "expected"),
    [
        ("nuts", "walnuts", Membership.IN),
        ("nuts", "peanut_butter", Membership.IN),
        ("nuts", "walnut_oil", Membership.MADE),
        ("nuts", "pesto", Membership.MADE),
        ("nuts", "nutmeg", Membership.NOT),
        ("nuts", "coconut", Membership.NOT),
        ("nuts", "water_chestnuts", Membership.NOT),
        ("nuts", "butternut_squash", Membership.NOT),
        ("dairy", "sour_cream", Membership.IN),
        ("dairy", "coconut_milk", Membership.NOT),
        ("dairy", "peanut_butter", Membership.NOT),
        ("dairy", "vegan_cream_cheese", Membership.NOT),
        ("dairy", "cream_of_tartar", Membership.NOT),
        ("dairy", "white_chocolate", Membership.MADE),
        ("eggs", "egg_yolks", Membership.IN),
        ("eggs", "eggplant", Membership.NOT),
        ("eggs", "mayonnaise", Membership.MADE),
        ("gluten", "spaghetti", Membership.IN),
        ("gluten", "spaghetti_squash", Membership.NOT),
        ("gluten", "soy_sauce", Membership.MADE),
        ("gluten", "tamari", Membership.NOT),
        ("gluten", "gluten_free_flour", Membership.NOT),
        ("gluten", "rice_flour", Membership.NOT),
        ("meat", "chicken_breasts", Membership.IN),
        ("meat", "hamburger_buns", Membership.NOT),
        ("meat", "tuna_steaks", Membership.NOT),
        ("meat", "vegetable_broth", Membership.NOT),
        ("meat", "beef_broth", Membership.MADE),
        ("meat", "gelatin", Membership.MADE),
        ("meat", "kidney_beans", Membership.NOT),
        ("poultry", "turkey_bacon", Membership.IN),
        ("pork", "turkey_bacon", Membership.NOT),
        ("pork", "bacon", Membership.IN),
        ("fish", "swordfish", Membership.IN),
        ("fish", "fish_sauce", Membership.MADE),
        ("shellfish", "oyster_mushrooms", Membership.NOT),
        ("shellfish", "oyster_sauce", Membership.MADE),
        ("seafood", "shrimp", Membership.IN),
        ("soy", "silken_tofu", Membership.IN),
        ("alcohol", "red_wine", Membership.IN),
        ("alcohol", "red_wine_vinegar", Membership.NOT),
    ],
)
def test_how_an_ingredient_belongs_to_a_group(group, token, expected):
    assert membership(group, token) is expected
    assert has(group, token) is (expected is not Membership.NOT)
    assert is_one(group, token) is (expected is Membership.IN)


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
