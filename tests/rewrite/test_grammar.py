from __future__ import annotations

import pytest

from chef.rewrite.grammar import (
    Noun,
    chunks,
    clauses,
    is_noun,
    is_verb,
    match_case,
    noun,
    plural,
)
from tests.rewrite.small import canonical, replacement


@pytest.mark.parametrize(
    ("word", "one", "many", "counted"),
    [
        ("apple", "apple", "apples", True), ("apples", "apple", "apples", True),
        ("beef", "beef", "beef", False), ("chicken", "chicken", "chicken", False),
        ("pork chops", "pork chop", "pork chops", True), ("salmon", "salmon", "salmon", False),
        ("olive oil", "olive oil", "olive oil", False), ("red onion", "red onion", "red onions", True),
        ("Greek yogurt", "Greek yogurt", "Greek yogurt", False), ("coconut", "coconut", "coconut", False),
        ("mozzarella", "mozzarella", "mozzarella", False), ("chickpeas", "chickpea", "chickpeas", True),
    ],
)  # fmt: skip
def test_nouns(word, one, many, counted):
    assert replacement(word).noun == Noun(one, many, counted)


def test_form_of_a_substance_is_always_the_same():
    beef = noun("beef", "beef", canonical())
    assert beef.form(True) == beef.form(False) == "beef"
    eggs = noun("eggs", "eggs", canonical())
    assert (eggs.form(True), eggs.form(False)) == ("egg", "eggs")


def test_plurals():
    pairs = {
        "berry": "berries",
        "leaf": "leaves",
        "peach": "peaches",
        "potato": "potatoes",
        "turkey": "turkeys",
    }
    assert {one: plural(one) for one in pairs} == pairs


def test_capitals_of_what_stood_there():
    assert match_case("chicken", "Greek yogurt") == "Greek yogurt"
    assert match_case("Chicken", "pork chops") == "Pork chops"
    assert match_case("Chicken", "pork chops", title=True) == "Pork Chops"
    assert match_case("CHICKEN", "pork chops") == "PORK CHOPS"


def test_a_name_that_opens_a_sentence_as_its_verb():
    assert is_verb("Salt the water.", "Salt", 0)
    assert is_verb("Boil it. Salt the water.", "Salt", 9)
    assert not is_verb("Salt is added.", "Salt", 0)


def test_nouns_after_a_name():
    assert [word for word in "pesto mixture until softens evenly cooking must".split() if is_noun(word)] == [
        "pesto",
        "mixture",
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Stir in the rice and bake it.", ["Stir in the rice", "bake it."]),
        ("Rinse the rice, then boil the water; add salt.", ["Rinse the rice", "boil the water", "add salt."]),
        ("Cook the rice until soft.", ["Cook the rice until soft."]),
        ("", []),
    ],
)
def test_clauses(text, parts):
    assert [text[start:end] for start, end in clauses(text)] == parts


@pytest.mark.parametrize(
    "text", ["", "Fry it.", "Fry the rice. " * 500, "rice " * 5000, "a" * 5000, " " * 5000, "Fry!\n" * 900]
)
def test_parts_are_short_and_make_the_whole(text):
    parts = list(chunks(text))
    assert "".join(parts) == text
    assert all(len(part) <= 600 for part in parts)


def test_cuts_come_after_sentences_and_words():
    assert all(part.endswith(". ") for part in chunks("Fry the rice. " * 500) if part)
    assert all(part.endswith("rice ") for part in chunks("rice " * 5000) if part)
