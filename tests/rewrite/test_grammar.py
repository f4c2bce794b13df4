import pytest

from chef.rewrite.grammar import Noun, chunks, clauses, is_noun, is_verb, match_case, noun, plural
from tests.conftest import cases
from tests.rewrite.small import canonical, replacement


@pytest.mark.parametrize(("word", "one", "many", "counted"), cases("rewrite", "nouns"))
def test_nouns(word, one, many, counted):
    assert replacement(word).noun == Noun(one, many, counted)


def test_forms():
    beef, eggs = (noun(word, word, canonical()) for word in ("beef", "eggs"))
    assert beef.form(True) == beef.form(False) == "beef"
    assert (eggs.form(True), eggs.form(False)) == ("egg", "eggs")
    words = ["berry", "leaf", "peach", "potato", "turkey"]
    assert [plural(one) for one in words] == ["berries", "leaves", "peaches", "potatoes", "turkeys"]


def test_capitals_of_what_stood_there():
    assert match_case("chicken", "Greek yogurt") == "Greek yogurt"
    assert match_case("Chicken", "pork chops") == "Pork chops"
    assert match_case("Chicken", "pork chops", title=True) == "Pork Chops"
    assert match_case("CHICKEN", "pork chops") == "PORK CHOPS"


def test_verbs_and_nouns():
    assert is_verb("Salt the water.", "Salt", 0)
    assert is_verb("Boil it. Salt the water.", "Salt", 9)
    assert not is_verb("Salt is added.", "Salt", 0)
    words = "pesto mixture until softens evenly cooking must".split()
    assert [word for word in words if is_noun(word)] == ["pesto", "mixture"]


@pytest.mark.parametrize(("text", "parts"), cases("rewrite", "clauses"))
def test_clauses(text, parts):
    assert [text[start:end] for start, end in clauses(text)] == parts


@pytest.mark.parametrize(
    ("text", "end"),
    [("", ""), ("Fry it.", ""), ("Fry the rice. " * 500, ". "), ("rice " * 5000, "rice "), ("a" * 5000, "a"),
     (" " * 5000, " "), ("Fry!\n" * 900, "\n")],
)  # fmt: skip
def test_parts_are_short_and_make_the_whole(text, end):
    parts = list(chunks(text))
    assert "".join(parts) == text
    assert all(len(part) <= 600 and part.endswith(end) for part in parts if part)
