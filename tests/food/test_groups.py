import pytest

from chef.food.canonical import CanonicalMap
from chef.food.groups import Membership, groups, has, is_one, lookalikes, membership, words_of

EXPECTED = {  # what is in a group, what is made of it, what may have it, and what only sounds like it
    "nuts": (
        "walnuts peanut_butter",
        "walnut_oil pesto",
        "granola",
        "nutmeg coconut water_chestnuts butternut_squash",
    ),
    "dairy": (
        "sour_cream",
        "white_chocolate",
        "chocolate",
        "coconut_milk peanut_butter vegan_cream_cheese cream_of_tartar",
    ),
    "eggs": ("egg_yolks", "mayonnaise", "ravioli", "eggplant"),
    "gluten": ("spaghetti", "soy_sauce", "oats", "spaghetti_squash tamari gluten_free_flour rice_flour"),
    "wheat": ("spaghetti", "soy_sauce", "", "barley beer rice_flour"),
    "lactose": ("milk", "", "", "lactose_free_milk oat_milk"),
    "meat": ("chicken_breasts", "beef_broth gelatin", "stock", "tuna_steaks vegetable_broth kidney_beans"),
    "poultry": ("turkey_bacon", "", "", ""),
    "pork": ("bacon", "bacon_drippings pork_and_beans", "", "turkey_bacon"),
    "beef": ("", "beef_tallow", "", "hamburger_buns"),
    "fish": ("swordfish", "fish_sauce", "", ""),
    "shellfish": ("shrimp clams", "oyster_sauce", "", "oyster_mushrooms"),
    "crustaceans": ("shrimp", "", "surimi", "clams"),
    "seafood": ("shrimp", "", "", ""),
    "soy": ("silken_tofu light_soy_sauce", "", "", ""),
    "celery": ("celeriac", "", "chicken_broth", ""),
    "sulphites": ("", "red_wine", "raisins", ""),
    "alcohol": ("red_wine orange_liqueur", "", "vanilla_extract", "red_wine_vinegar"),
}


@pytest.mark.parametrize("group", EXPECTED)
def test_how_an_ingredient_belongs_to_a_group(group):
    for expected, tokens in zip(reversed(Membership), EXPECTED[group], strict=True):
        for token in tokens.split():
            assert membership(group, token) is expected
            assert has(group, token) is (expected is not Membership.NOT)
            assert is_one(group, token) is (expected is Membership.IN)


def test_names_that_no_map_knows_are_judged_by_their_words():
    assert has("nuts", "finely_chopped_candied_pecans")
    assert not has("nuts", "nut_free_granola_bars")
    assert not has("nuts", "")


def test_a_larger_group_has_all_of_its_parts():
    for token in CanonicalMap.load().tokens:
        assert not has("poultry", token) or has("meat", token)
        assert not has("shellfish", token) or has("seafood", token)
        assert not has("peanuts", token) or has("nuts", token)


def test_ordinary_words_are_no_groups():
    assert not set(lookalikes()) & set(groups())
    assert words_of("peanut butter") in lookalikes()["butter"]
