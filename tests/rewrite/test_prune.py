from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.model.edit import removal_order
from chef.rewrite.prune import prune
from tests.rewrite.small import SOUP, recipe, tiny_chef


def test_the_deepest_leaves_go():
    tree = tiny_chef().explain(SOUP).tree
    pruned = prune(tiny_chef(), SOUP, 2)
    assert pruned.removed == [tree.tokens[leaf] for leaf in removal_order(tree)[:2]]
    assert len(pruned.recipe.ingredients) == 4
    assert not set(pruned.removed) & set(pruned.tree.tokens)
    assert [item.token for item in pruned.recipe.ingredients] == list(pruned.tree.tokens)


def test_one_ingredient_stays():
    pruned = prune(tiny_chef(), SOUP, 99)
    assert len(pruned.recipe.ingredients) == len(pruned.tree.tokens) == 1
    assert prune(tiny_chef(), recipe("Rice", ["1 cup rice"], ["Cook."]), 1).removed == []


def test_the_texts_lose_them_too():
    pruned = prune(tiny_chef(), SOUP, 5)
    text = " ".join([pruned.recipe.title, *(step.text for step in pruned.recipe.steps)])
    for token in pruned.removed:
        assert token.replace("_", " ") not in text.lower()


def test_a_token_that_another_line_has_stays_in_the_texts():
    twice = recipe("Buttered rice", ["1 cup rice", "2 tbsp butter", "1 tbsp butter"], ["Melt the butter."])
    pruned = prune(tiny_chef(), twice, 1)
    if pruned.removed == ["butter"]:
        assert pruned.recipe.steps[0].text == "Melt the butter."


def test_mistakes():
    with pytest.raises(ChefError, match="0 ingredients"):
        prune(tiny_chef(), SOUP, 0)
    with pytest.raises(ChefError, match="no tree over ingredients"):
        prune(tiny_chef("s+l+l"), SOUP, 1)
