"""Step 1: spellings of one name have one key."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from chef.files import rows
from chef.text.keys import _stem, key, key_of, last_of, lemma_of, may_be_plural, plain_name, singular
from tests.conftest import cases


@pytest.mark.parametrize(("one", "other"), cases("text", "spellings of one name have one key"))
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(("one", "other"), cases("text", "other foods have other keys"))
def test_other_foods_have_other_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "word", ["molasses", "couscous", "hummus", "asparagus", "swiss", "chopped", "is", "gas"]
)
def test_words_that_only_look_like_plurals_stay(word: str) -> None:
    assert singular(word) == word


def test_a_plain_name_has_single_spaces_and_no_signs() -> None:
    assert plain_name(" Half-and-Half,  (cold)") == "half and half cold"
    assert key("") == key("-- !") == ""


def test_the_table_of_singulars_says_what_simplemma_says() -> None:
    table = dict(rows("chef.text", "singulars.tsv"))
    assert len(table) > 1000
    for word, lemma in table.items():
        assert may_be_plural(word)
        assert lemma == lemma_of(word), word


@pytest.mark.parametrize("word", ["tomatoes", "zorbles", "reaches"])
def test_in_the_table_or_not_the_singular_is_the_same(word: str) -> None:
    lemma = lemma_of(word)
    assert singular(word) == (lemma if lemma[:2] == word[:2] else word)


@pytest.mark.parametrize("name", ["green beans", "peppers", "red peppers", "egg", ""])
def test_a_key_ends_in_its_last_word(name: str) -> None:
    assert key_of(name.split()).split(" ")[-1] == last_of(name.split())


def test_threads_do_not_disturb_each_other() -> None:
    words = [f"{start}{end}" for start in ("ba", "cho", "sti", "gri", "ro") for end in ("nately", "sters")]
    alone = {word: _stem.__wrapped__(word) for word in words}
    often = [word for _ in range(40) for word in words]
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns in the middle of a word
    try:
        with ThreadPoolExecutor(4) as threads:
            stems = list(threads.map(_stem.__wrapped__, often * 4))
    finally:
        sys.setswitchinterval(switch)
    assert stems == [alone[word] for word in often * 4]
