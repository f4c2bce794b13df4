from collections.abc import Iterable
from dataclasses import replace

import pytest

from chef.files import rows
from chef.food.kinds import kind_of
from chef.food.substitutes import Use
from tests.rewrite.small import canonical, parsed, recipe


def use(title: str, lines: str, step: str, *tokens: str) -> Use:
    made = recipe(title, lines.split(", "), [step])
    return Use(replace(made, ingredients=tuple(parsed(item.line) for item in made.ingredients)), tokens)


CAKE = (
    "Lemon cake",
    "2 cups flour, 1 cup sugar, 2 eggs, 1 cup butter, 2 tsp baking powder",
    "Beat butter and sugar.",
)
BALLS = (
    "Meatballs in gravy",
    "1 lb ground beef, 1 egg, 2 tbsp butter, 2 tbsp flour",
    "Fry them in the butter.",
)
OMELETTE = "Herb omelette", "3 eggs, 1 tbsp butter, 2 tbsp milk", "Whisk the eggs. Melt the butter in a pan."


@pytest.mark.parametrize(
    ("dish", "token", "role", "first"),
    [
        (CAKE, "eggs", "leavening and structure", "applesauce"),
        (BALLS, "eggs", "binder", "bread crumb"),
        (OMELETTE, "eggs", "the dish itself", "tofu"),
        (CAKE, "butter", "fat", "margarine"),
        (BALLS, "butter", "fat for cooking", "olive oil"),
        (CAKE, "flour", "structure", "cake flour"),
        (BALLS, "flour", "thickener", "cornstarch"),
        (CAKE, "baking_powder", "leavening", "baking soda"),
    ],
)
def test_the_role_in_the_dish_decides(dish, token, role, first):
    row = next(use(*dish, token).substitutes())
    assert (row.role, next(iter(row.names))) == (role, first)


def test_what_a_name_ends_in_counts_unless_it_is_another_food():
    def first(token: str) -> Iterable[str]:
        found = use("Toast", f"1 {token}", "Serve.", token).substitutes()
        return next((row.names for row in found), ())

    assert "monterey jack cheese" in first("red_cheddar")
    assert "almond butter" in first("peanut_butter")
    assert not first("xylophone")


def test_every_name_is_known_and_every_condition_is_written_right():
    dishes = {row[0] for row in rows("chef.food", "dishes.tsv")}
    kinds = {row[0] for row in rows("chef.food", "kinds.tsv")}
    conditions = [row[1] for name in ("dishes.tsv", "spare.tsv") for row in rows("chef.food", name)]
    for names, role, when, substitutes, source in rows("chef.food", "substitutes.tsv"):
        conditions.append(when)
        assert role
        assert source in {"CSU", "VT", "house"}
        assert {name[1:] for name in names.split("|") if name.startswith("@")} <= kinds
        unknown = [one for one in substitutes.split("|") if not canonical().token(one.split(" (")[0])]
        assert not unknown, unknown
    for clause in (clause for when in conditions if when != "any" for clause in when.split("; ")):
        test, words = clause.split(" ", 1)
        if test == "dish":
            assert set(words.split("|")) <= dishes
        elif test in {"with", "lacks"}:
            assert all(
                word in kinds or kind_of(word) or canonical().token(word) for word in words.split("|")
            ), clause
        else:
            assert test in {"title", "step", "line"} or float(words)
