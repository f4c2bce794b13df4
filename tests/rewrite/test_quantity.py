from __future__ import annotations

import pytest

from chef.rewrite.quantity import quantity, split, weight
from tests.rewrite.small import comes, parsed


@pytest.mark.parametrize(
    ("head", "parts"),
    [
        ("2 large boneless ", ("2 ", "large boneless ")),
        ("1 1/2 cups ", ("1 1/2 cups ", "")),
        ("½ cup (1 stick) cold ", ("½ cup (1 stick) ", "cold ")),
        ("a couple of ripe ", ("a couple of ", "ripe ")),
        ("fresh ", ("", "fresh ")),
        ("", ("", "")),
    ],
)
def test_quantities_and_states_part(head, parts):
    assert split(head) == parts


@pytest.mark.parametrize(
    ("grams", "text"),
    [(453.59, "450 g"), (1587, "1.6 kg"), (9, "9 g"), (0.4, "1 g"), (113, "110 g"), (42, "40 g")],
)
def test_weights_as_a_cook_weighs(grams, text):
    assert weight(grams) == text


def amount(line, head, word, size=None):
    found = quantity(parsed(line), head, comes(word), size=size)
    return found.text, found.one


@pytest.mark.parametrize(
    ("line", "head", "word", "expected"),
    [
        ("1 lb beef", "1 lb ", "turkey", ("1 lb ", False)),
        ("½ cup (1 stick) butter", "½ cup (1 stick) ", "olive oil", ("½ cup ", False)),
        ("1 cup (240 ml) milk", "1 cup (240 ml) ", "almond milk", ("1 cup (240 ml) ", False)),
        ("1 stick butter", "1 stick ", "margarine", ("1 stick ", False)),
        ("1 stick butter", "1 stick ", "olive oil", ("about 110 ml ", False)),
        ("3 apples", "3 ", "pears", ("3 ", False)),
        ("1 apple", "1 ", "pear", ("1 ", True)),
        ("6 apples", "6 ", "blueberries", ("about 1.1 kg ", False)),
        ("2 chicken breasts", "2 ", "beef", ("about 400 g ", False)),
        ("3 cloves garlic", "3 cloves ", "shallots", ("about 9 g ", False)),
        ("2 slices bacon", "2 slices ", "ham", ("2 slices ", False)),
        ("salt", "", "soy sauce", ("", False)),
        ("2 wombats", "2 ", "beef", ("2 pieces of ", False)),
        ("2 wombats", "2 ", "eggs", ("2 ", False)),
    ],
)
def test_how_much_comes_in(line, head, word, expected):
    assert amount(line, head, word) == expected


def test_sizes_count():
    assert amount("1 large onion", "1 ", "shallots", "large") == ("about 3 ", False)
