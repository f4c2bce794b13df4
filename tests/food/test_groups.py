from __future__ import annotations

import pytest

from chef.food.canonical import CanonicalMap
from chef.food.groups import Membership, groups, has, is_one, lookalikes, membership, words_of

NOT, MADE, IN = Membership
EXPECTED = [
    ("nuts", IN, "walnuts peanut_butter"),
    ("nuts", MADE, "walnut_oil pesto"),
    ("nuts", NOT, "nutmeg coconut water_chestnuts butternut_squash"),
    ("dairy", IN, "sour_cream"),
    ("dairy", NOT, "coconut_milk peanut_butter vegan_cream_cheese cream_of_tartar"),
    ("dairy", MADE, "white_chocolate"),
    ("eggs", IN, "egg_yolks"),
    ("eggs", NOT, "eggplant"),
    ("eggs", MADE, "mayonnaise"),
    ("gluten", IN, "spaghetti"),
    ("gluten", NOT, "spaghetti_squash tamari gluten_free_flour rice_flour"),
    ("gluten", MADE, "soy_sauce"),
    ("meat", IN, "chicken_breasts"),
    ("meat", NOT, "hamburger_buns tuna_steaks vegetable_broth kidney_beans"),
    ("meat", MADE, "beef_broth gelatin"),
    ("poultry", IN, "turkey_bacon"),
    ("pork", NOT, "turkey_bacon"),
    ("pork", IN, "bacon"),
    ("pork", MADE, "bacon_drippings pork_and_beans"),
    ("beef", MADE, "beef_tallow"),
    ("fish", IN, "swordfish"),
    ("fish", MADE, "fish_sauce"),
    ("shellfish", NOT, "oyster_mushrooms"),
    ("shellfish", MADE, "oyster_sauce"),
    ("seafood", IN, "shrimp"),
    ("soy", IN, "silken_tofu light_soy_sauce"),
    ("alcohol", IN, "red_wine orange_liqueur"),
    ("alcohol", NOT, "red_wine_vinegar"),
]


@pytest.mark.parametrize(("group", "expected", "tokens"), EXPECTED)
def test_how_an_ingredient_belongs_to_a_group(group, expected, tokens):
    for token in tokens.split():
        assert membership(group, token) is expected
        assert has(group, token) is (expected is not NOT)
        assert is_one(group, token) is (expected is IN)


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
