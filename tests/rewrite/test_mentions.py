from __future__ import annotations

import pytest

from chef.text.words import words_in
from tests.rewrite.small import mentions


def named(text, left, others=(), *, title=False, also=()):
    """The words of the text that name the ingredients of these lines."""
    words, finder = words_in(text), mentions(list(left), list(others), also)
    return [text[words[one.first].start : words[one.last - 1].end] for one in finder.find(text, title=title)]


def test_names_of_the_same_ingredient():
    lines = ["1 lb string beans"]
    assert named("Trim the green beans; boil the beans, drain the Green Bean.", lines) == [
        "green beans",
        "beans",
        "Green Bean",
    ]


def test_a_longer_name_is_another_ingredient():
    assert named("Melt the butter with peanut butter and buttermilk.", ["butter"], ["peanut butter"]) == [
        "butter"
    ]
    assert named("Pour in the chicken broth, add the chicken.", ["2 chicken breasts"]) == ["chicken"]


def test_the_short_form_belongs_to_the_only_one():
    assert named("Top with the cheese.", ["100 g cheddar cheese"]) == ["cheese"]
    assert named("Top with the cheese.", ["100 g cheddar cheese"], ["50 g parmesan cheese"]) == []


def test_cuts_count_where_something_points_at_them():
    lines = ["4 chicken breasts"]
    assert named("Turn the breasts and leave them.", lines) == ["breasts"]
    assert named("Roast for an hour.", ["1 kg pork roast"]) == []


def test_a_sauce_that_is_made_is_not_the_bottled_one():
    assert named("Pour the sauce over the soy sauce.", ["2 tbsp soy sauce"]) == ["soy sauce"]


@pytest.mark.parametrize("text", ["Brush with egg wash.", "Use a garlic press.", "A butter-flavored spray."])
def test_other_things_with_the_name(text):
    assert named(text, ["2 eggs", "garlic", "butter"]) == []


def test_states_and_forms_stay_outside():
    assert named("Add the cooked chicken pieces.", ["500 g chicken"]) == ["chicken"]


def test_titles_block_only_what_the_recipe_has():
    assert named("Tomato Soup", ["4 tomatoes"], title=True) == ["Tomato"]
    assert named("Peanut Butter Cookies", ["butter"], ["peanut butter"], title=True) == []
    assert named("Chicken Fried Rice", ["1 chicken"], title=True) == ["Chicken"]


def test_other_words_for_it():
    assert named("Brown the meat.", ["1 lb ground beef"], also=("meat",)) == ["meat"]
    assert named("Brown the meat.", ["1 lb ground beef"]) == []
