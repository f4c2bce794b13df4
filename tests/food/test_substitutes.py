from collections.abc import Iterable

import pytest

from chef.files import rows
from chef.food.kinds import kind_of
from chef.food.substitutes import Use, least
from chef.recipe import Recipe
from tests.conftest import cases
from tests.rewrite.small import canonical, parsed, recipe


def dish(title: str, lines: list[str], step: str) -> Recipe:
    made: Recipe = recipe(title, lines, [step])
    return made.with_ingredients(parsed(item.line) for item in made.ingredients)


def use(title: str, lines: str, step: str, *tokens: str) -> Use:
    return Use(dish(title, lines.split(", "), step), tokens)


def going(title: str, lines: str, step: str = "Cook.") -> list[str]:
    """All that may go, in order."""
    made = dish(title, lines.split("; "), step)
    main, gone = made.ingredients[0].token, []
    while one := least(made, main):
        gone.append(one.token)
        made = made.with_ingredients(item for item in made.ingredients if item.token != one.token)
    return gone


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
    ("recipe", "token", "role", "first"),
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
def test_the_role_in_the_dish_decides(recipe, token, role, first):
    row = next(use(*recipe, token).substitutes())
    assert (row.role, next(iter(row.names))) == (role, first)


def test_what_a_name_ends_in_counts_unless_it_is_another_food():
    def first(token: str) -> Iterable[str]:
        found = use("Toast", f"1 {token}", "Serve.", token).substitutes()
        return next((row.names for row in found), ())

    assert "monterey jack cheese" in first("red_cheddar")
    assert "almond butter" in first("peanut_butter")
    assert not first("xylophone")


@pytest.mark.parametrize(("title", "lines", "gone"), cases("food", "what may go"))
def test_what_may_go(title, lines, gone):
    assert going(title, lines) == gone


def test_what_is_blended_in_is_no_garnish():
    lines = "1 kg chicken; 50 g cilantro; 300 g rice; salt"
    assert going("Arroz con Pollo", lines, "Blend the cilantro with the stock.") == []
    assert going("Arroz con Pollo", lines, "Top with the cilantro.") == []
    assert going("Arroz con Pollo", lines.replace("50 g", "10 g"), "Top with the cilantro.") == ["cilantro"]


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
    stays = [row[2] for row in rows("chef.food", "spare.tsv") if not row[2].isdigit()]
    assert set(stays) == {"stays"}
    names = [name for row in rows("chef.food", "spare.tsv") for name in row[0].split("|") if name != "*"]
    names += [name for row in rows("chef.food", "signatures.tsv") for name in row[1].split("|")]
    assert all(name in kinds or kind_of(name) or canonical().token(name) for name in names)
