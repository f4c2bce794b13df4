import math
from dataclasses import replace
from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from chef.errors import ChefError
from chef.food.groups import has
from chef.index.catalogue import LabelIndex
from chef.recipe import Ingredient
from chef.rewrite.suggest import Cooccurrence, suggest
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
    assert margarine.evidence[2].startswith("in 2 of 12 recipes here, also with ")
    assert any(line.startswith("as in 'Fried rice ") for line in margarine.evidence)
    assert margarine.to_json() == {
        "token": "margarine", "score": margarine.score, "evidence": margarine.evidence
    }  # fmt: skip


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


LISTS = [
    ["rice", "butter", "salt"], ["rice", "margarine", "salt"], ["rice", "butter", "onion"],
    ["rice", "margarine", "onion"], ["beef", "carrots"], ["beef"], [],
]  # fmt: skip


@pytest.fixture
def counts():
    return Cooccurrence(LabelIndex(pa.array(LISTS, pa.list_(pa.string()))))


def test_pairs_are_counted_and_compared_with_chance(counts):
    for one, other in product(counts.tokens, repeat=2):
        both = sum(one in tokens and other in tokens for tokens in LISTS)
        ones, others = (sum(token in tokens for tokens in LISTS) for token in (one, other))
        pair = counts.positions[one], counts.positions[other]
        assert counts.pair_counts[pair] == both
        expected = math.log((both + 5) / (ones * others / len(LISTS) + 5))
        assert counts.affinity[pair] == pytest.approx(expected, abs=1e-5)


def test_those_that_replace_each_other_occur_with_the_same_others(counts):
    assert (counts.count("butter"), counts.count("unheard-of")) == (2, 0)
    assert counts.often_with("butter", ["beef", "rice", "unheard-of"]) == ["rice"]
    similarity = counts.similarity(["butter"])
    assert {counts.tokens[at] for at in np.argsort(-similarity)[:2]} == {"butter", "margarine"}
    assert counts.affinity_to("butter")[counts.positions["margarine"]] < 0


def test_fit_is_the_mean_affinity(counts):
    fit = counts.fit(["rice", "salt", "unheard-of"])
    rows = [counts.affinity[counts.positions[token]] for token in ("rice", "salt")]
    np.testing.assert_allclose(fit, np.mean(rows, axis=0), atol=1e-6)
    assert not counts.fit(["unheard-of"]).any()


def test_an_empty_collection():
    empty = Cooccurrence(LabelIndex(pa.array([], pa.list_(pa.string()))))
    assert empty.pair_counts.shape == (0, 0)
    assert empty.similarity(["butter"]).shape == (0,)
