import re

import pytest

from chef.files import rows
from chef.food.doneness import doneness_of


@pytest.mark.parametrize(
    ("food", "celsius", "clause"),
    [
        ("chicken thighs", 74, "it reaches 74 °C (165 °F) inside"),
        ("ground turkey", 74, "it reaches 74 °C (165 °F) inside"),
        ("ground beef", 71, "it reaches 71 °C (160 °F) inside"),
        ("pork chops", 63, "it reaches 63 °C (145 °F) inside and has rested for 3 minutes"),
        ("salmon fillets", 63, "it reaches 63 °C (145 °F) inside"),
        ("shrimp", None, "it is opaque and firm all through"),
        ("mussels", None, "the shells have opened (throw away those that stay shut)"),
        ("kidney beans", None, "it is soft and hot through"),
    ],
)
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
