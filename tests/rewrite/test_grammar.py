from __future__ import annotations

import pytest

from chef.rewrite.grammar import greasing, is_noun, is_titled, is_verb


@pytest.mark.parametrize(
    "text",
    ["Butter a deep dish.", "Heat the oven. Butter and flour two cake tins.", "Line and butter the pan."],
)
def test_butter_as_a_verb(text):
    assert greasing("butter").search(text)


@pytest.mark.parametrize(
    "text", ["Melt the butter in a pan.", "Butter is best.", "Add butter and the cream."]
)
def test_butter_as_a_noun(text):
    assert not greasing("butter").search(text)


def test_a_name_that_opens_a_sentence_as_its_verb():
    assert is_verb("Salt the water.", "Salt", 0)
    assert is_verb("Boil it. Salt the water.", "Salt", 9)
    assert not is_verb("Salt is added.", "Salt", 0)


def test_nouns_after_a_name():
    assert [word for word in "pesto mixture until softens evenly cooking must".split() if is_noun(word)] == [
        "pesto",
        "mixture",
    ]


def test_titles():
    assert is_titled("Chicken with Rice")
    assert is_titled("Chicken")
    assert not is_titled("Chicken with rice")
