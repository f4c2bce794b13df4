import pytest

from chef.bundled import cookbook
from chef.recipe import Ingredient, Recipe, Step
from chef.teacher.main_ingredient import rank

DISHES = {
    "Apple Pie": ("apples", "300 g flour|150 g butter|1.5 kg apples|100 ml water|1 tsp salt"),
    "French Onion Soup": ("onion", "1.5 l beef stock|1 kg onions|200 g gruyère|1 baguette"),
    "Banana Bread": ("bananas", "250 g flour|3 bananas|2 eggs|150 g sugar"),
    "Cornish Pasties": (
        "beef_skirt",
        "500 g bread flour|125 g lard|400 g beef skirt|300 g potatoes|1 onion",
    ),
    "Stuffed Peppers": ("peppadew_peppers", "4 oz goat cheese|1 tbsp mayonnaise|1 jar peppadew peppers"),
    "Omelette": ("eggs", "4 eggs|1 tbsp butter|1 pinch salt"),
    "Weeknight Dinner": ("chicken_thighs", "For the pan:|2 tbsp oil|1 tsp salt|800 g chicken thighs|1 onion"),
}


@pytest.mark.parametrize("title", DISHES)
def test_what_a_cook_would_name(title):
    token, lines = DISHES[title]
    ranked = rank(Recipe("1", title, tuple(map(Ingredient, lines.split("|"))), (Step("Cook it."),)))
    assert ranked[0].token == token
    assert ranked[0].line == next(
        at for at, line in enumerate(lines.split("|")) if token.split("_")[0][:5] in line
    )
    assert [one.confidence for one in ranked] == sorted((one.confidence for one in ranked), reverse=True)
    assert 0 <= ranked[-1].confidence <= ranked[0].confidence <= 1


def test_never_water_or_salt_and_nothing_where_no_line_names_a_food():
    assert rank(Recipe("1", "Salt Water", (Ingredient("For the soup:"),))) == []
    told = {recipe.title: rank(recipe)[0].token for recipe in cookbook()}
    assert not {"water", "salt"} & set(told.values())
