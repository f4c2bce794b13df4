from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.model.edit import prune_leaves, replace, without
from chef.model.tree import RecipeTrees, Tree
from chef.recipe import Recipe


def text(title="", ingredients="", sentences=()):
    words = [sentence.split() for sentence in sentences]
    return RecipeText(Recipe("1", "Dish"), title.split(), ingredients.split(), words, [], [], Counter())


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
    assert edited.sentences == [
        ["boil", "the"],
        ["add", "rice", "and", "salt"],
        ["salt"],
        ["fry", "in", "oil", "with"],
    ]
    assert SOUP.ingredients[0] == "chicken"  # the original is as it was


def test_an_emptied_sentence_goes_and_so_does_its_leaf():
    kept = trees(SOUP)
    edited, left = without(SOUP, kept, [2])
    assert edited.sentences == [
        ["boil", "the", "chicken"],
        ["add", "rice", "and"],
        ["fry", "in", "oil", "with", "chicken"],
    ]
    assert left.instructions == prune_leaves(kept.instructions, [2])
    assert left.sentences == (kept.sentences[0], prune_leaves(kept.sentences[1], [3]), kept.sentences[3])
    assert left.ingredients == prune_leaves(kept.ingredients, [2])


@pytest.mark.parametrize("seed", range(20))
def test_trees_keep_the_leaves_of_the_text(seed):
    rng = np.random.default_rng(seed)
    leaves = rng.permutation(4)[: rng.integers(0, 4)].tolist()
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
    with pytest.raises(ChefError, match="at least one"):
        without(SOUP, trees(SOUP), range(4))
    with pytest.raises(ChefError, match="at least one"):
        without(SOUP, None, range(4))


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
