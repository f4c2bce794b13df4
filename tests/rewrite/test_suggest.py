from __future__ import annotations

import numpy as np
import pytest

from chef.errors import ChefError
from chef.rewrite.suggest import WEIGHTS, suggest
from chef.rewrite.swap import swap
from tests.rewrite.small import SOUP, collection


def test_other_fats_for_butter(index):
    suggestions = suggest(index, SOUP, "butter", k=3)
    assert suggestions[0].token == "margarine"
    assert {"olive_oil", "vegetable_oil"} & {one.token for one in suggestions}
    scores = [one.score for one in suggestions]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_the_evidence_says_why(index):
    first = suggest(index, SOUP, "butter", k=1)[0]
    assert first.evidence[0] == "the same kind of food: butter"
    assert first.evidence[1].startswith("in 2 of 12 recipes here, also with ")
    assert any(line.startswith("as in 'Fried rice ") for line in first.evidence)
    assert first.to_json() == {"token": "margarine", "score": first.score, "evidence": first.evidence}


def test_neither_the_family_nor_what_is_there_comes(index):
    tokens = {one.token for one in suggest(index, SOUP, "chicken", k=50)}
    assert not tokens & {"chicken", "chicken_thighs", "rice", "salt"}
    assert {"beef", "pork", "tofu", "turkey"} <= tokens  # turkey: the model knows it, the collection has none


def test_the_space_is_that_of_the_swap_itself(index):
    suggestions = {one.token: one for one in suggest(index, SOUP, "chicken", k=50)}
    swapped = swap(index.chef, SOUP, "chicken", "beef")
    stays = float(np.clip(swapped.vector @ swapped.original.vectors[0], 0, 1))
    assert f"the dish stays near where it was ({stays:.2f})" in suggestions["beef"].evidence


def test_a_recipe_of_the_collection_is_no_evidence_for_itself(index):
    own = next(recipe for recipe in collection() if recipe.id == "rice-0")
    for one in suggest(index, own, "butter", k=20):
        assert not any(f"'{own.title}'" in line for line in one.evidence)


def test_weights_add_up():
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_what_is_not_there(index):
    with pytest.raises(ChefError, match="no pork in this recipe"):
        suggest(index, SOUP, "pork")
