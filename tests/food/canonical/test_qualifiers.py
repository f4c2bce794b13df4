"""Shorter readings of a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.food.canonical.qualifiers import readings, without_qualifiers


def _texts(name: str) -> list[str]:
    return [" ".join(words) for words in readings(name)]


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("some large organic eggs", "eggs"),
        ("fresh parsley (flat-leaf)", "parsley"),
        ("boneless, skinless chicken breasts", "chicken breasts"),
        ("celery, thinly sliced", "celery"),
        ("low-sodium chicken broth", "chicken broth"),
        ("beef or chicken stock", "beef stock"),
        ("honey or maple syrup", "honey"),
        ("butter for the pan", "butter"),
        ("broccoli and cauliflower", "broccoli"),
        ("Kikkoman soy sauce", "soy sauce"),
    ],
)
def test_a_name_is_read_without_what_does_not_change_the_food(name: str, reading: str) -> None:
    assert reading in _texts(name)


def test_what_makes_another_food_is_neither_dropped_nor_joined() -> None:
    assert "rice noodles" not in _texts("rice or noodles")
    assert "pork" not in _texts("pork and fennel sausages")
    for name in ("ground beef", "coconut milk", "dried cranberries", "vegan butter", "tomato paste"):
        assert _texts(name)[0] == name
        assert name.split()[-1] not in _texts(name)
        assert name.split()[0] not in _texts(name)


def test_the_careful_reading_comes_first() -> None:
    steps = [" ".join(words) for words in without_qualifiers(["fresh", "ripe", "plum", "tomatoes"])]
    assert steps == ["fresh ripe plum tomatoes", "ripe plum tomatoes", "plum tomatoes"]


@given(st.text(max_size=60))
def test_any_text_has_readings_of_words_only(text: str) -> None:
    for words in readings(text):
        assert words
        assert all(word and " " not in word for word in words)
