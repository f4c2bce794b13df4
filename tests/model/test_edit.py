from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.model.edit import prune_leaves, replace, without
from chef.model.tree import RecipeTrees, Tree
from chef.recipe import Recipe

LETTERS = "abcdefghijkl"


def text(title="", ingredients="", sentences=()):
    words = [sentence.split() for sentence in sentences]
    return RecipeText(Recipe("1", "Dish"), title.split(), ingredients.split(), words, [], [], Counter())


def lines(of: RecipeText) -> list[str]:
    return [" ".join(words) for words in of.sentences]


def trees(of: RecipeText, seed: int = 0) -> RecipeTrees:
    rng = np.random.default_rng(seed)
    numbers = [str(place + 1) for place in range(len(of.sentences) or 1)]
    return RecipeTrees(
        Tree.random(of.ingredients, rng),
        tuple(Tree.random(words, rng) for words in of.sentences),
        Tree.random(numbers, rng),
    )


SOUP = text(
    "chicken soup with rice",
    "chicken rice salt oil",
    ["boil the chicken", "add rice and salt", "salt", "fry in oil with chicken"],
)


def test_an_ingredient_leaves_title_list_and_instructions():
    edited, _ = without(SOUP, None, [0])
    assert edited.title == ["soup", "with", "rice"]
    assert edited.ingredients == ["rice", "salt", "oil"]
    assert lines(edited) == ["boil the", "add rice and salt", "salt", "fry in oil with"]
    assert SOUP.ingredients[0] == "chicken"  # the original is as it was


def test_an_emptied_sentence_goes_and_so_does_its_leaf():
    kept = trees(SOUP)
    edited, left = without(SOUP, kept, [2])
    assert lines(edited) == ["boil the chicken", "add rice and", "fry in oil with chicken"]
    assert left.instructions == prune_leaves(kept.instructions, [2])
    assert left.sentences == (kept.sentences[0], prune_leaves(kept.sentences[1], [3]), kept.sentences[3])
    assert left.ingredients == prune_leaves(kept.ingredients, [2])


@given(st.integers(0, 99), st.sets(st.integers(0, 3), max_size=3))
def test_trees_keep_the_leaves_of_the_text(seed, leaves):
    edited, left = without(SOUP, trees(SOUP, seed), leaves)
    assert list(left.ingredients.tokens) == edited.ingredients
    assert [list(tree.tokens) for tree in left.sentences] == edited.sentences
    assert len(left.instructions.tokens) == len(edited.sentences)


def test_a_token_that_another_line_has_stays_in_the_text():
    twice = text("salt bread", "salt flour salt", ["add salt to flour"])
    edited, _ = without(twice, None, [2])
    assert (edited.title, edited.ingredients) == (["salt", "bread"], ["salt", "flour"])
    assert edited.sentences == [["add", "salt", "to", "flour"]]
    edited, _ = without(twice, None, [0, 2])
    assert (edited.title, edited.sentences) == (["bread"], [["add", "to", "flour"]])


def test_an_unknown_ingredient_takes_no_other_unknown_word_with_it():
    rare = text("<UNK> stew", "<UNK> beef", ["braise the <UNK> beef"])
    edited, _ = without(rare, None, [0])
    assert edited.ingredients == ["beef"]
    assert (edited.title, edited.sentences) == (["<UNK>", "stew"], [["braise", "the", "<UNK>", "beef"]])


def test_a_recipe_that_loses_all_its_sentences():
    bare = text("salt", "salt beef", ["salt", "salt"])
    edited, left = without(bare, trees(bare), [0])
    assert (edited.title, edited.sentences, left.sentences) == ([], [], ())
    assert left.instructions.merges == ()  # what a model reads there is one <UNK>


def test_a_model_without_trees_has_none_to_keep():
    some = RecipeTrees(sentences=trees(SOUP).sentences)
    left = without(SOUP, some, [1])[1]
    assert (left.ingredients, left.instructions) == (None, None)
    assert [len(tree.tokens) for tree in left.sentences] == [3, 3, 1, 5]
    assert replace(SOUP, RecipeTrees(), {"rice": "corn"})[1] == RecipeTrees()
    assert replace(SOUP, None, {"rice": "corn"})[1] is None


def test_nothing_to_remove_changes_nothing():
    kept = trees(SOUP)
    assert without(SOUP, kept, []) == (SOUP, kept)


def test_one_ingredient_must_stay():
    for of_soup in (trees(SOUP), None):
        with pytest.raises(ChefError, match="at least one"):
            without(SOUP, of_soup, range(4))


def test_replacing_changes_words_and_no_shape():
    kept = trees(SOUP)
    edited, left = replace(SOUP, kept, {"chicken": "beef", "chicken_breasts": "beef"})
    assert edited.title == ["beef", "soup", "with", "rice"]
    assert edited.ingredients == ["beef", "rice", "salt", "oil"]
    assert edited.sentences[0] == ["boil", "the", "beef"]
    assert edited.sentences[1:3] == SOUP.sentences[1:3]
    assert list(left.ingredients.tokens) == edited.ingredients
    assert left.ingredients.merges == kept.ingredients.merges
    assert [list(tree.tokens) for tree in left.sentences] == edited.sentences
    assert [tree.merges for tree in left.sentences] == [tree.merges for tree in kept.sentences]
    assert left.instructions == kept.instructions


def cut(node, gone):
    """The slow way: walk the nodes; one that loses a child becomes its other child."""
    if "token" in node:
        return None if node["token"] in gone else node
    left, right = cut(node["left"], gone), cut(node["right"], gone)
    if left is None or right is None:
        return left or right
    return {"order": node["order"], "left": left, "right": right}


def orders(node):
    return [] if "token" in node else [node["order"], *orders(node["left"]), *orders(node["right"])]


def renumbered(node, numbers, depth=0):
    """Orders 1, 2, 3 ... without gaps, and depths as they are now."""
    if "token" in node:
        return {"token": node["token"], "depth": depth}
    return {
        "order": numbers.index(node["order"]) + 1,
        "left": renumbered(node["left"], numbers, depth + 1),
        "right": renumbered(node["right"], numbers, depth + 1),
    }


@given(st.integers(0, 2**32 - 1))
def test_pruning_equals_cutting_the_nodes_one_by_one(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, len(LETTERS) + 1))
    tree = Tree.random(list(LETTERS[:count]), rng)
    leaves = rng.permutation(count)[: rng.integers(0, count)].tolist()
    shorter = cut(tree.to_json(), {LETTERS[leaf] for leaf in leaves})
    assert prune_leaves(tree, leaves).to_json() == renumbered(shorter, sorted(orders(shorter)))


def test_one_leaf_must_stay_and_leaves_must_exist():
    tree = Tree.left(["salt", "oil"])
    with pytest.raises(ChefError, match="at least one leaf"):
        prune_leaves(tree, [0, 1])
    for leaf in (2, -1):
        with pytest.raises(ChefError, match=f"no leaf {leaf}"):
            prune_leaves(tree, [leaf])
