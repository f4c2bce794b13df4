"""Canonical tokens in running text."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.food.canonical import CanonicalMap, Entry, Replacer
from chef.text.keys import spelled
from chef.text.tokens import tokenise


def _entry(token: str, name: str, count: int = 1) -> Entry:
    return Entry(token, name, count, "test")


SMALL = CanonicalMap(
    [
        _entry("butter", "butter"),
        _entry("butter", "unsalted butter"),
        _entry("buttermilk", "buttermilk"),
        _entry("green_beans", "green beans"),
        _entry("green_beans", "string beans"),
        _entry("black_beans", "black beans"),
        _entry("cream", "cream"),
        _entry("ice_cream", "ice cream"),
        _entry("ice_cubes", "ice"),
        _entry("cream_cheese", "cream cheese"),
        _entry("black_pepper", "pepper"),
        _entry("black_pepper", "black pepper"),
        _entry("bell_pepper", "bell pepper"),
        _entry("ground_beef", "mince"),
        _entry("tomatoes", "tomato"),
        _entry("tomatoes", "diced tomatoes"),
        _entry("crushed_tomatoes", "crushed tomatoes"),
    ]
)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("Trim the green beans", "trim the green_beans"),
        ("one green bean", "one green_beans"),
        ("String beans", "green_beans"),
        ("buttermilk and butter", "buttermilk and butter"),
        ("peanut-butter", "peanut butter"),
        ("softened cream cheese", "softened cream_cheese"),
        ("cream, cheese", "cream_cheese"),  # words only: punctuation is gone before
        ("ice cream with ice", "ice_cream with ice"),
        ("green leaves and beans", "green leaves and beans"),
        ("blackbeans", "blackbeans"),
        ("two bell peppers, black pepper, pepper", "two bell_pepper black_pepper pepper"),
        ("mince the garlic", "mince the garlic"),
        ("diced tomatoes", "diced tomatoes"),
        ("crushed tomatoes", "crushed_tomatoes"),
        ("green", "green"),
        ("", ""),
    ],
)
def test_the_longest_whole_name_is_replaced(text: str, out: str) -> None:
    assert Replacer(SMALL)(tokenise(text)) == out.split()


def test_replacing_again_changes_nothing() -> None:
    replace = Replacer(SMALL)
    once = replace(tokenise("green beans in unsalted butter with ice cream"))
    assert replace(once) == once


def test_the_longest_name_wins_over_an_earlier_start_only_from_the_left() -> None:
    overlapping = CanonicalMap([_entry("sour_cream", "sour cream"), _entry("cream_cheese", "cream cheese")])
    assert Replacer(overlapping)(["sour", "cream", "cheese"]) == ["sour_cream", "cheese"]


def _slow(canonical: CanonicalMap, tokens: list[str]) -> list[str]:
    """The oracle: at each word try every name, the longest first."""
    names = sorted(([spelled(word) for word in entry.name.split()], entry.token) for entry in canonical)
    names.sort(key=lambda item: -len(item[0]))
    out, at = [], 0
    while at < len(tokens):
        for words, token in names:
            if [spelled(word) for word in tokens[at : at + len(words)]] == words:
                out.append(token)
                at += len(words)
                break
        else:
            out.append(tokens[at])
            at += 1
    return out


_WORDS = ["green", "beans", "bean", "black", "red", "lentil", "lentils", "soup", "a"]
_NAME = st.lists(st.sampled_from(_WORDS[:-1]), min_size=1, max_size=3).map(" ".join)


@given(st.sets(_NAME, max_size=6), st.lists(st.sampled_from(_WORDS), max_size=12))
def test_the_trie_finds_what_a_slow_search_finds(names: set[str], tokens: list[str]) -> None:
    # One token for each singular form, and no name that the list of ambiguous words concerns.
    unique = {tuple(map(spelled, name.split())): name for name in sorted(names)}
    unique = {words: name for words, name in unique.items() if words != ("bean",)}
    canonical = CanonicalMap(_entry(name.replace(" ", "_"), name) for name in unique.values())
    assert Replacer(canonical)(tokens) == _slow(canonical, tokens)


@given(st.lists(st.text(min_size=1, max_size=8), max_size=20))
def test_any_words_pass_and_words_that_are_no_name_stay(tokens: list[str]) -> None:
    out = Replacer(SMALL)(tokens)
    assert len(out) <= len(tokens)
    if not {spelled(token) for token in tokens} & {spelled(word) for e in SMALL for word in e.name.split()}:
        assert out == tokens


@functools.cache
def _shipped() -> tuple[CanonicalMap, Replacer, list[str]]:
    canonical = CanonicalMap.load()
    words = sorted({word for entry in canonical for word in tokenise(entry.name)})
    return canonical, Replacer(canonical), [*words, "the", "and", "with", "chop"]


# Words of real names, by their number: names are long and overlap, unlike words at random.
_NUMBERS = st.lists(st.integers(0, 10**6), max_size=14)


def _words(numbers: list[int]) -> list[str]:
    """Whole names and single words, as the numbers say."""
    canonical, _, words = _shipped()
    names = [entry.name for entry in canonical]
    picked = [names[n // 2 % len(names)] if n % 2 else words[n // 2 % len(words)] for n in numbers]
    return tokenise(" ".join(picked))


@given(_NUMBERS)
@settings(deadline=None)
def test_replacing_again_changes_nothing_with_the_shipped_map(numbers: list[int]) -> None:
    _, replace, _ = _shipped()
    once = replace(_words(numbers))
    assert replace(once) == once


@given(_NUMBERS, _NUMBERS)
@settings(deadline=None)
def test_a_word_of_no_name_parts_what_stands_on_its_sides(left: list[int], right: list[int]) -> None:
    _, replace, _ = _shipped()
    there, here = _words(left), _words(right)
    assert replace([*there, "qqqq", *here]) == [*replace(there), "qqqq", *replace(here)]


@given(_NUMBERS)
@settings(deadline=None)
def test_every_token_is_one_of_the_map_or_was_there(numbers: list[int]) -> None:
    canonical, replace, _ = _shipped()
    words = _words(numbers)
    rest = iter(words)
    for token in replace(words):
        if token in canonical.tokens:
            continue
        assert token in rest  # in the same order: `in` goes on from where it was


def test_a_pair_stays_two_and_a_thing_with_its_parts_stays_one() -> None:
    replace = Replacer(CanonicalMap.load())
    words = "rub salt and pepper into the chicken thighs".split()
    assert replace(words) == "rub salt and pepper into the chicken_thighs".split()
    assert replace(["chicken", "breasts"]) == ["chicken_breasts"]
