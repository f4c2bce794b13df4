from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.index.meaning import Meanings

TOKENS = """
basmati_rice rice rice_vinegar red_onion onion green_onions chicken_breasts chicken_broth bacon pork_chops
walnuts walnut_oil butter peanut_butter garlic_butter bell_peppers red_bell_pepper black_pepper eggs
egg_whites mayonnaise eggplant granny_mystery_paste lamb_chops ground_lamb lamb_stock
""".split()


@pytest.fixture(scope="module")
def meanings() -> Meanings:
    return Meanings(CanonicalMap.load(), TOKENS)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("rice", {"rice", "basmati_rice"}),
        ("Onions", {"onion", "red_onion", "green_onions"}),
        ("chicken", {"chicken_breasts"}),
        ("chicken_breasts", {"chicken_breasts"}),
        ("pork", {"pork_chops"}),
        ("nuts", {"walnuts", "peanut_butter"}),
        ("butter", {"butter", "garlic_butter"}),
        ("peppers", {"bell_peppers", "red_bell_pepper"}),
        ("pepper", {"black_pepper"}),
        ("eggs", {"eggs", "egg_whites"}),
        ("aubergine", {"eggplant"}),
        ("lamb", {"lamb_chops", "ground_lamb"}),
        ("Granny Mystery Paste", {"granny_mystery_paste"}),
    ],
)
def test_what_a_word_means(meanings, word, expected):
    assert meanings.of(word) & set(TOKENS) == expected


@pytest.mark.parametrize(
    ("word", "more"),
    [("nuts", {"walnut_oil"}), ("pork", {"bacon"}), ("poultry", {"chicken_broth"}), ("eggs", {"mayonnaise"})],
)
def test_traces_take_in_what_is_made_of_it(meanings, word, more):
    assert meanings.traces(word) - meanings.of(word) == more


def test_a_known_ingredient_that_nothing_has_means_itself(meanings):
    assert meanings.of("saffron") == {"saffron_threads"}


@pytest.mark.parametrize("word", ["chikken", "ricee", "walnutz"])
def test_an_unknown_word_is_an_error_with_suggestions(meanings, word):
    with pytest.raises(ChefError, match=f"unknown ingredient '{word}' \\(did you mean"):
        meanings.of(word)


@pytest.mark.parametrize("word", ["", "  ", "🍕", "../"])
def test_a_word_of_no_letters_is_an_error(meanings, word):
    with pytest.raises(ChefError, match="empty ingredient"):
        meanings.of(word)


def test_a_word_like_nothing_is_an_error(meanings):
    with pytest.raises(ChefError, match="name an ingredient"):
        meanings.of("qqqqqqqq")
