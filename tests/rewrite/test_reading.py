from __future__ import annotations

import numpy as np
import pytest

from chef.errors import ChefError
from chef.rewrite.reading import Reading
from tests.rewrite.small import SOUP, recipe, tiny_chef


def test_a_reading_is_what_the_model_reads():
    reading = Reading(tiny_chef(), SOUP)
    assert reading.text.ingredients == ["chicken_breasts", "rice", "chicken_broth", "onion", "butter", "salt"]
    assert reading.trees.ingredients == tiny_chef().explain(SOUP).tree
    np.testing.assert_allclose(reading.vector, tiny_chef().embed_recipes([SOUP])[0], atol=1e-5)


def test_its_own_trees_change_nothing():
    reading = Reading(tiny_chef(), SOUP)
    kept = reading.embed([reading.text], [reading.trees])[0]
    np.testing.assert_allclose(kept, reading.vector, atol=1e-5)
    np.testing.assert_allclose(reading.embed([reading.text])[0], reading.vector, atol=1e-5)


def test_a_recipe_without_ingredients_is_an_error():
    with pytest.raises(ChefError, match="'Nothing' names no ingredient"):
        Reading(tiny_chef(), recipe("Nothing", ["For the sauce:"], ["Wait."]))
