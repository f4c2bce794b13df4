"""Step 1: spellings of one name have one key."""

from __future__ import annotations

import pytest

from chef.text.keys import key, plain_name, singular


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("egg", "eggs"),
        ("Green Beans", "green bean"),
        ("tomatoes", "tomato"),
        ("bay leaves", "bay leaf"),
        ("all-purpose flour", "All Purpose Flour"),
        ("red chillies", "red chile"),
        ("Greek yoghurt", "greek yogurt"),
        ("jalapeño", "jalapeno"),
        ("confectioners' sugar", "confectioner's sugar"),
        ("brussels sprouts", "brussel sprout"),
        ("diced tomatoes", "dice tomato"),
        ("curries", "curry"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("icing", "ice"),
        ("whipped cream", "whipping cream"),
        ("pickled onions", "pickling onions"),
        ("butter", "buttermilk"),
        ("bread", "breading"),
        ("greens", "green"),
        ("dressing", "dress"),
        ("stuffing", "stuff"),
    ],
)
def test_other_foods_have_other_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "word", ["molasses", "couscous", "hummus", "asparagus", "swiss", "chopped", "is", "gas"]
)
def test_words_that_only_look_like_plurals_stay(word: str) -> None:
    assert singular(word) == word


def test_a_plain_name_has_single_spaces_and_no_signs() -> None:
    assert plain_name(" Half-and-Half,  (cold)") == "half and half cold"


def test_the_key_of_nothing_is_empty() -> None:
    assert key("") == key("-- !") == ""
