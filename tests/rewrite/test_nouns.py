from __future__ import annotations

import pytest

from chef.rewrite.nouns import article, like, noun, plural
from tests.rewrite.small import canonical, comes


@pytest.mark.parametrize(
    ("word", "one", "many", "counted"),
    [
        ("apple", "apple", "apples", True),
        ("apples", "apple", "apples", True),
        ("beef", "beef", "beef", False),
        ("chicken", "chicken", "chicken", False),
        ("pork chops", "pork chop", "pork chops", True),
        ("salmon", "salmon", "salmon", False),
        ("olive oil", "olive oil", "olive oil", False),
        ("red onion", "red onion", "red onions", True),
        ("Greek yogurt", "Greek yogurt", "Greek yogurt", False),
        ("mozzarella", "mozzarella", "mozzarella", False),
        ("chickpeas", "chickpea", "chickpeas", True),
        ("coconut", "coconut", "coconut", False),
    ],
)
def test_nouns(word, one, many, counted):
    found = comes(word).noun
    assert (found.singular, found.plural, found.counted) == (one, many, counted)


def test_form_of_a_substance_is_always_the_same():
    beef = noun("beef", "beef", canonical())
    assert beef.form(True) == beef.form(False) == "beef"
    eggs = noun("eggs", "eggs", canonical())
    assert (eggs.form(True), eggs.form(False)) == ("egg", "eggs")


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("berry", "berries"),
        ("leaf", "leaves"),
        ("peach", "peaches"),
        ("potato", "potatoes"),
        ("turkey", "turkeys"),
    ],
)
def test_plurals(one, many):
    assert plural(one) == many


def test_articles():
    assert [article(word) for word in ("egg", "pear", "Onion")] == ["an", "a", "an"]


def test_capitals_of_what_stood_there():
    assert like("chicken", "Greek yogurt") == "Greek yogurt"
    assert like("Chicken", "pork chops") == "Pork chops"
    assert like("Chicken", "pork chops", title=True) == "Pork Chops"
    assert like("CHICKEN", "pork chops") == "PORK CHOPS"
