"""Words of a query: typos, other languages, words that say nothing, words that nobody knows."""

import pytest

from chef.index import open_cookbook
from chef.index.spelling import counting, spell

TITLES = {
    "spaghetti": 3,
    "carbonara": 1,
    "lasagne": 2,
    "soup": 9,
    "apple": 4,
    "pie": 5,
    "tomato": 6,
    "cake": 7,
}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("spagetti carbonarra", "spaghetti carbonara"),
        ("lasange", "lasagne"),
        ("applepie", "apple pie"),
        ("tomatoes soups", "tomatoes soups"),  # known as they are
        ("spag", "spaghetti"),  # not typed to its end
        ("Kartoffelsuppe", "potato soup"),
        ("Spinatlasagne", "spinach lasagne"),
        ("Gâteau au chocolat", "chocolate cake"),
        ("soupe à l'oignon", "french onion soup"),
        ("pollo con tomates", "chicken tomato"),
        ("soup for 4", "soup for 4"),
    ],
)
def test_what_was_meant(given: str, meant: str) -> None:
    read = spell(given, TITLES, lambda word: False)
    assert (read.text, read.unknown) == (meant, [])
    assert bool(read.corrected) == (given != meant)


def test_unknown_words_are_told_and_not_guessed() -> None:
    assert spell("xyzzy", TITLES, lambda word: False).unknown == ["xyzzy"]
    assert spell("the xyzzy please", TITLES, lambda word: False).text == ""
    some = spell("xyzzy soup", TITLES, lambda word: False)
    assert (some.text, some.unknown) == ("soup", ["xyzzy"])
    assert not spell("quick soup", TITLES, {"quick"}.__contains__).unknown
    # Nobody mistypes the first letter and another one, or a word of three letters.
    assert spell("noup nuop pye", TITLES, lambda word: False).corrected == {"noup": "soup"}


def test_a_word_that_titles_have_is_not_translated() -> None:
    assert spell("torta", {"torta": 1}, lambda word: False).text == "torta"
    assert spell("torta", TITLES, lambda word: False).text == "cake"


def test_words_that_say_nothing_do_not_count() -> None:
    assert counting(["soup", "of", "the", "day"]) == ["soup", "day"]
    assert counting(["the", "of"]) == ["the", "of"]


def test_a_collection_answers_what_was_meant() -> None:
    cookbook = open_cookbook()
    assert cookbook.search(text="spagetti carbonarra", k=1)[0].title == "Spaghetti alla Carbonara"
    nothing = cookbook.search(text="flurbinated xyzzy")
    assert (list(nothing), nothing.match) == ([], "none")
    assert cookbook.understand("flurbinated vegan soup").to_json() == {
        "text": "soup", "without": [], "diet": "vegan", "corrected": {}, "unknown": ["flurbinated"],
    }  # fmt: skip
    plain, wordy = (cookbook.search(text=text, k=5) for text in ("potato soup", "a soup with potato please"))
    assert [hit.id for hit in plain] == [hit.id for hit in wordy]
