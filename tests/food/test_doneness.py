import re

import pytest

from chef.files import rows
from chef.food.doneness import doneness_of
from tests.conftest import cases


@pytest.mark.parametrize(("food", "celsius", "clause"), cases("food", "foods that need cooking"))
def test_foods_that_need_cooking(food, celsius, clause):
    done = doneness_of(food)
    assert done.is_needed
    assert (done.celsius, done.clause("it", plural=False)) == (celsius, clause)


@pytest.mark.parametrize("food", ["smoked salmon", "canned tuna", "ham", "tofu", "green beans", "lentils"])
def test_foods_that_do_not(food):
    assert not doneness_of(food).is_needed


@pytest.mark.parametrize(
    "food", ["chicken broth", "fish sauce", "egg noodles", "vanilla bean", "peanut butter"]
)
def test_what_only_sounds_like_them(food):
    assert doneness_of(food) is None


def test_both_units_say_the_same():
    for _, _, celsius, done, *_ in rows("chef.food", "doneness.tsv"):
        for said, fahrenheit in re.findall(r"(\d+) °C (?:\(|or )(\d+) °F", done):
            assert said == celsius
            assert abs(int(celsius) * 9 / 5 + 32 - int(fahrenheit)) < 1
