from __future__ import annotations

import numpy as np
import pytest

from chef.evaluate.actions import Hits
from chef.evaluate.measured import Measured, comparison
from chef.measure.ranks import Ranks
from chef.model.tree import Tree


def result(name: str, **parts):
    return {"model": name, "about": {"seed": 0}, **parts}


def swaps(hits):
    return {
        "chicken->beef": {"each": {"recipe-to-image": hits, "recipe-to-recipe": [0.0] * len(hits)}},
        "skipped": {},
    }


def test_what_only_one_did_is_not_compared():
    ranks = Ranks(np.zeros(3, int), np.ones(3, int))
    first = Measured(result("a", substitution=swaps([1.0, 0.0])), main_ingredient=(["1", "2", "3"], ranks))
    second = Measured(result("b"))
    assert comparison(first, second, seed=0) == {"first": "a", "second": "b", "seeds": [0, 0]}


def test_other_recipes_are_not_compared():
    ranks = Ranks(np.zeros(3, int), np.ones(3, int))
    first, second = (
        Measured(
            result("a"), main_ingredient=([*"12", other], ranks), actions=Hits([[Tree.left(["fry"])] * n])
        )
        for n, other in ((1, "3"), (2, "4"))
    )
    assert set(comparison(first, second, seed=0)) == {"first", "second", "seeds"}


def test_main_ingredient_is_the_first_minus_the_second():
    ids = [str(number) for number in range(20)]
    always, never = (Ranks(np.full(20, better), np.ones(20, int)) for better in (0, 5))
    first, second = (Measured(result("x"), main_ingredient=(ids, ranks)) for ranks in (always, never))
    assert comparison(first, second, seed=0)["main-ingredient"]["R@1"]["difference"] == 100.0
    assert comparison(second, first, seed=0)["main-ingredient"]["R@1"]["difference"] == -100.0


def test_substitution_is_compared_on_the_same_queries():
    first = Measured(result("a", substitution=swaps([1.0, 1.0, 0.0, 1.0] * 10)))
    second = Measured(result("b", substitution=swaps([1.0, 0.0, 0.0, 0.5] * 10)))
    found = comparison(first, second, seed=0)["substitution"]
    assert list(found) == ["chicken->beef"]
    test = found["chicken->beef"]["recipe-to-image"]
    assert test["difference"] == pytest.approx(37.5)
    assert test["ci"][0] > 0
    assert found["chicken->beef"]["recipe-to-recipe"]["difference"] == 0.0
