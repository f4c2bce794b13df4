import pytest

from chef.errors import ChefError
from chef.evaluate.substitution import choose_queries
from chef.model.tree import Tree
from chef.recipe import Ingredient
from tests.evaluate.dishes import dish, dishes, evaluated, population


@pytest.fixture(scope="module")
def chooser():
    return evaluated("t+l+l", population(dishes()))


def test_queries_are_recipes_whose_shallowest_leaf_is_a_and_that_have_no_b(chooser):
    """By hand: the words of the shallowest leaves, and of the whole list."""
    chicken, beef = {"chicken", "chicken_wings"}, {"beef", "steak"}
    wanted = []
    for row, tree in enumerate(chooser.ingredient_trees):
        nearest = min(tree.depths)
        shallowest = {
            token for token, depth in zip(tree.tokens, tree.depths, strict=True) if depth == nearest
        }
        if shallowest & chicken and not set(tree.tokens) & beef:
            wanted.append(row)
    queries = choose_queries(chooser.population, chooser)
    assert queries.pairs["chicken", "beef"] == tuple(wanted)
    assert len(wanted) > 5
    assert queries.chooser == "t+l+l"
    assert len(queries.pairs) == 20


def test_a_tie_for_shallowest_counts_and_the_absent_is_absent():
    recipes = [
        dish(0, "chicken", ["beef"]),
        dish(1, "chicken", ["onion"]),
        dish(2, "rice", ["chicken", "salt"]),
    ]
    among = population(recipes)
    chooser = evaluated("t+l+l", among)
    chooser.__dict__["ingredient_trees"] = [
        Tree.left(["chicken", "beef"]),
        Tree.left(["chicken", "onion"]),
        Tree.right(["rice", "chicken", "salt"]),
    ]
    pairs = choose_queries(among, chooser).pairs
    assert pairs["chicken", "pork"] == (0, 1)  # both leaves of two tie; rice alone is main in the third
    assert pairs["beef", "pork"] == (0,)
    assert pairs["chicken", "beef"] == (1,)
    assert pairs["beef", "chicken"] == ()


def test_without_a_tree_model_the_heaviest_ingredient_is_main():
    among = population([dish(0, "chicken", ["pork", "chicken_broth"]), dish(1, "rice", ["chicken"])])
    soup = dish(2, "beef", ["salt"])
    water = Ingredient("2 l water", "water", 2.0, "litre", 2000.0, "water")
    among = population([*among.recipes, soup.with_ingredients([water, *soup.ingredients])])
    queries = choose_queries(among, None)
    assert queries.chooser == "gold"
    assert queries.pairs["chicken", "beef"] == (0,)
    assert queries.pairs["chicken", "pork"] == ()
    assert queries.pairs["beef", "fish"] == (2,)  # water is never main
    assert queries.contains["chicken"].tolist() == [True, True, False]
    assert queries.contains["apple"].tolist() == [False] * 3


def test_short_says_whether_most_pairs_lack_queries():
    assert choose_queries(population(dishes(60)), None).short
    assert not choose_queries(population(dishes(540)), None).short


def test_a_chooser_without_trees_is_refused():
    among = population(dishes(9))
    with pytest.raises(ChefError, match="without a tree"):
        choose_queries(among, evaluated("s+l+l", among))
