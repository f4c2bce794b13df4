import pytest

from chef.files import rows
from chef.food.usage import is_odd, row_of, usage_of
from chef.text.words import words_in
from tests.conftest import cases


@pytest.mark.parametrize(("word", "old", "new", "odd"), cases("food", "words of one food alone"))
def test_words_of_one_food_alone(word, old, new, odd):
    assert is_odd(words_in(word)[0], old, new) is odd


def test_every_row_is_counted_for_a_food():
    names = {name for name, *_ in rows("chef.food", "usage.tsv")}
    kinds = {name for name, *_ in rows("chef.food", "kinds.tsv")} | {
        name for name, *_ in rows("chef.food", "doneness.tsv")
    }
    assert names <= kinds
    assert {row_of(food) for food in ("bacon", "cod", "tofu", "leeks", "eggs", "rice")} <= names
    assert usage_of("wombat") is None
