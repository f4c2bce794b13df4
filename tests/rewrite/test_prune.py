import pytest

from chef.errors import ChefError
from chef.rewrite.prune import prune
from tests.rewrite.small import SOUP, recipe, tiny_chef

STEW = recipe(
    "Chicken Stew",
    [
        "500 g chicken", "2 carrots", "1 onion", "1 l water", "1 tsp salt", "1/4 tsp black pepper",
        "2 tbsp parsley, chopped", "1 tbsp parsley, to garnish", "bread, to serve",
    ],
    ["Simmer all but the bread and parsley.", "Season with salt and pepper and stir in the parsley."],
)  # fmt: skip


def test_what_matters_least_goes_with_reasons():
    pruned = prune(tiny_chef(), STEW, 3)
    assert pruned.removed == ["bread", "parsley", "black_pepper"]
    assert pruned.reasons[0] == "served with the dish"
    assert len(pruned.reasons) == 3
    assert pruned.note is None
    assert [item.token for item in pruned.recipe.ingredients] == list(pruned.tree.tokens)
    assert pruned.recipe.steps[-1].text == "Season with salt."


def test_what_makes_the_dish_stays():
    pruned = prune(tiny_chef(), SOUP, 99)
    assert pruned.removed == pruned.reasons == []
    assert pruned.note.startswith("What is left makes the dish: chicken breasts, rice,")
    assert [item.line for item in pruned.recipe.ingredients] == [item.line for item in SOUP.ingredients]


def test_lines_that_the_model_does_not_read_may_go():
    lines = [item.line for item in STEW.ingredients]
    long = recipe("Chicken Stew", lines[:6] + [f"{n} g water" for n in range(1, 30)] + lines[6:], ["Simmer."])
    assert prune(tiny_chef(), long, 3).removed == ["bread", "parsley", "black_pepper"]


def test_the_alternative_of_a_line_goes_with_it():
    lines = ["500 g chicken", "1 tbsp parsley or cilantro, to garnish", "1 tsp salt"]
    pruned = prune(tiny_chef(), recipe("Chicken", lines, ["Fry.", "Top with the parsley or cilantro."]), 1)
    assert [step.text for step in pruned.recipe.steps] == ["Fry."]


def test_a_model_without_a_tree_prunes_too():
    assert prune(tiny_chef("s+l+l"), STEW, 1).tree is None


def test_mistakes():
    with pytest.raises(ChefError, match="0 ingredients"):
        prune(tiny_chef(), SOUP, 0)
