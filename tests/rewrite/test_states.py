from __future__ import annotations

import pytest

from chef.rewrite.states import fits, fitting, is_state, states


@pytest.mark.parametrize(
    ("phrase", "food", "fit"),
    [
        ("skinless", "turkey", True),
        ("skinless", "beef", False),
        ("boneless", "beef", True),
        ("softened", "margarine", True),
        ("softened", "olive oil", False),
        ("cut into cubes", "milk", False),
        ("lightly beaten", "eggs", True),
        ("lightly beaten", "tofu", False),
        ("cored", "pears", True),
        ("cored", "blueberries", False),
        ("for serving", "olive oil", True),
        ("chopped", "xylophone", True),
        ("melted", "xylophone", False),
    ],
)
def test_what_a_food_can_be(phrase, food, fit):
    assert fits(phrase, food) is fit


def test_the_longest_state_counts():
    assert states("Boneless, at room temperature") == ["boneless", "room temperature"]
    assert is_state("Diced")
    assert not is_state("red")


def test_remarks_lose_only_what_does_not_fit():
    assert fitting("peeled, cored and sliced", "pears") == "peeled, cored and sliced"
    assert fitting("peeled, cored and sliced", "tofu") == "sliced"
    assert fitting("melted and cooled", "olive oil") == "cooled"
    assert fitting("skin removed", "beef") == ""
