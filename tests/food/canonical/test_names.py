"""Counting names."""

from chef.food.canonical.propose import count_names, group_names, is_name, most_frequent
from chef.recipe import Ingredient, Recipe


def _recipe(*names: str) -> Recipe:
    return Recipe("1", "Dish", tuple(Ingredient(f"1 {name}", name=name) for name in names))


def test_names_are_counted_over_lines() -> None:
    counts = count_names([_recipe("Eggs", "butter"), _recipe("eggs", "egg")])
    assert counts == {"eggs": 2, "butter": 1, "egg": 1}
    assert count_names([_recipe("butter or oil", "melt butter", "2", "a b c d e f", "ox")]) == {}
    assert is_name("half and half")


def test_step_one_merges_spellings_under_the_most_frequent() -> None:
    groups = group_names({"egg": 2, "eggs": 5, "butter": 6})
    merged = [(group.name, group.count, group.names) for group in groups]
    assert merged == [("eggs", 7, ("eggs", "egg")), ("butter", 6, ("butter",))]


def test_the_focus_has_the_wanted_share_and_no_rare_name() -> None:
    groups = group_names({"salt": 90, "water": 6, "saffron": 3, "sumac": 1})
    assert [group.name for group in most_frequent(groups, 0.95)] == ["salt", "water"]
    assert [group.name for group in most_frequent(groups, 1.0)] == ["salt", "water", "saffron"]
