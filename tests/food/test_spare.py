from dataclasses import replace

import pytest

from chef.files import rows
from chef.food.kinds import kind_of
from chef.food.spare import least
from chef.recipe import Recipe
from tests.rewrite.small import canonical, parsed, recipe


def going(title: str, lines: str, step: str = "Cook.") -> list[str]:
    """All that may go, in order."""
    made: Recipe = recipe(title, lines.split("; "), [step])
    made = replace(made, ingredients=tuple(parsed(item.line) for item in made.ingredients))
    main, gone = made.ingredients[0].token, []
    while one := least(made, main):
        gone.append(one.token)
        made = made.with_ingredients(item for item in made.ingredients if item.token != one.token)
    return gone


@pytest.mark.parametrize(
    ("title", "lines", "gone"),
    [
        # what holds the dish stays
        ("Pancakes", "2 cups flour; 1 tbsp baking powder; 1 egg; 2 cups milk; 1 tsp vanilla extract",
         ["vanilla_extract"]),
        ("White Bread", "500 g flour; 7 g yeast; 300 ml water; 10 g salt", []),
        ("Crème Brûlée", "500 ml cream; 5 egg yolks; 100 g sugar; 1 vanilla bean", []),
        ("Cheese Omelette", "3 eggs; 1 tbsp butter; 50 g cheddar; 1 tbsp chives; salt", ["chives"]),
        ("Panna Cotta", "500 ml cream; 80 g sugar; 3 leaves gelatin; 1 tsp vanilla extract", []),
        # garnish and optional lines before herbs, herbs before vegetables
        ("Beef Stew", "1 kg beef; 1 l beef broth; 3 potatoes; 2 carrots; 1 onion; 2 stalks celery; salt;"
         " 1 bay leaf; rice, to serve", ["rice", "bay_leaves", "celery"]),
        # "plus more to serve" is no garnish
        ("Roast Potatoes", "1 kg potatoes; 100 g butter, plus more to serve; salt", []),
        # in the title, and what makes a dish of its name
        ("Parsley Potatoes", "1 kg potatoes; 2 tbsp parsley; 1 pinch nutmeg; salt", ["nutmeg"]),
        ("Gazpacho", "1 kg tomatoes; 1 cucumber; 1 clove garlic; 2 tbsp sherry vinegar; salt", []),
        ("Spiced Nuts", "300 g almonds; 1 tsp cumin; 1 tsp paprika; 2 tbsp sugar", []),
        # salt is a pinch in a cake and more than that in a bread
        ("Sponge Cake", "200 g flour; 200 g sugar; 4 eggs; 2 tsp baking powder; 1 pinch salt", ["salt"]),
    ],
)  # fmt: skip
def test_what_may_go(title, lines, gone):
    assert going(title, lines) == gone


def test_what_is_blended_in_is_no_garnish():
    lines = "1 kg chicken; 50 g cilantro; 300 g rice; salt"
    assert going("Arroz con Pollo", lines, "Blend the cilantro with the stock.") == []
    assert going("Arroz con Pollo", lines, "Top with the cilantro.") == []
    assert going("Arroz con Pollo", lines.replace("50 g", "10 g"), "Top with the cilantro.") == ["cilantro"]


def test_every_name_is_known():
    kinds = {row[0] for row in rows("chef.food", "kinds.tsv")}
    names = [name for row in rows("chef.food", "spare.tsv") for name in row[0].split("|") if name != "*"]
    names += [name for row in rows("chef.food", "signatures.tsv") for name in row[1].split("|")]
    unknown = [
        name for name in names if name not in kinds and not kind_of(name) and not canonical().token(name)
    ]
    assert not unknown
    assert all(row[2] == "stays" or row[2].isdigit() for row in rows("chef.food", "spare.tsv"))
