from dataclasses import replace

import numpy as np
import pytest

from chef.errors import ChefError
from chef.food.groups import has
from chef.recipe import Ingredient
from chef.rewrite.suggest import suggest
from chef.rewrite.swap import swap
from tests.rewrite.small import SOUP, collection


def test_what_cooks_use_comes_first_and_why(index):
    suggestions = suggest(index, SOUP, "butter", k=20)
    assert [one.token for one in suggestions][:4] == ["olive_oil", "ghee", "vegetable_oil", "margarine"]
    scores = [one.score for one in suggestions]
    assert scores == sorted(scores, reverse=True)
    assert all(0.5 <= score <= 1 for score in scores)
    margarine = suggestions[3]
    assert margarine.evidence[:2] == ["here as fat for cooking", "the same kind of food: butter"]
    assert margarine.evidence[2] == "in 2 of 12 recipes here"
    assert any(line.startswith("as in 'Fried rice ") for line in margarine.evidence)
    assert margarine.to_json() == {
        "token": "margarine", "score": margarine.score, "evidence": margarine.evidence
    }  # fmt: skip


def test_a_dish_that_is_far_away_is_no_example(index, monkeypatch):
    def examples() -> list[float]:
        found = (line for one in suggest(index, SOUP, "butter", k=20) for line in one.evidence)
        return [float(line.rstrip(")").rpartition("(")[2]) for line in found if line.startswith("as in")]

    near = examples()
    assert near
    assert min(near) >= 0.1
    monkeypatch.setitem(suggest.__globals__, "_AN_EXAMPLE", max(near) + 0.01)
    assert not examples()


def test_filters_and_diets_are_kept(index):
    fats = [one.token for one in suggest(index, SOUP, "butter", k=50, diet="vegan")]
    assert {"olive_oil", "vegetable_oil"} <= set(fats)
    assert not [token for token in fats if has("dairy", token) or has("meat", token)]
    assert "olive_oil" not in [one.token for one in suggest(index, SOUP, "butter", without=["olive oil"])]
    meatless = [
        one.token for one in suggest(index, SOUP, "chicken", k=50, diet="vegetarian", without=["soy"])
    ]
    assert meatless[0] == "chickpeas"
    assert not [token for token in meatless if any(has(group, token) for group in ("meat", "fish", "soy"))]
    with pytest.raises(ChefError, match="unknown ingredient 'nutz'"):
        suggest(index, SOUP, "butter", without=["nutz"])


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


def test_none_is_better_than_one_that_a_cook_would_laugh_at(index):
    strange = replace(SOUP, ingredients=(*SOUP.ingredients, Ingredient("1 tsp ube halaya")))
    assert suggest(index, strange, "ube halaya") == []


def test_what_is_not_there(index):
    with pytest.raises(ChefError, match="no pork in this recipe"):
        suggest(index, SOUP, "pork")
