from __future__ import annotations

import pytest

from chef.rewrite.lines import fitting, new_quantity, replace_in_line, rounded_weight, split_quantity
from tests.rewrite.small import parsed, replacement


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [
        ("2 boneless, skinless chicken breasts (about 1 lb), cut into strips", "beef",
         "about 450 g boneless beef, cut into strips"),
        ("2 boneless, skinless chicken breasts (about 1 lb), cut into strips", "tofu",
         "about 450 g tofu, cut into strips"),
        ("2 boneless, skinless chicken breasts (about 1 lb), cut into strips", "turkey",
         "about 450 g boneless, skinless turkey, cut into strips"),
        ("2 chicken breasts", "pork chops", "2 pork chops"),
        ("1 whole chicken, cut into 8 pieces", "duck", "about 1.6 kg duck, cut into 8 pieces"),
        ("1 lb lean ground beef", "turkey", "1 lb ground turkey"),
        ("1 lb lean ground beef", "lentils", "1 lb lentils"),
        ("½ cup (1 stick) cold unsalted butter, cubed", "margarine", "½ cup cold margarine, cubed"),
        ("½ cup (1 stick) cold unsalted butter, cubed", "olive oil", "½ cup olive oil"),
        ("1/2 cup butter, plus more for the pan", "margarine", "1/2 cup margarine, plus more for the pan"),
        ("6 large apples, peeled, cored and sliced", "pear", "6 large pears, peeled, cored and sliced"),
        ("1 large onion, chopped", "leek", "1 large leek, chopped"),
        ("2 eggs, lightly beaten", "applesauce", "about 100 g applesauce"),
        ("3 cloves garlic, minced", "shallots", "about 9 g shallots, minced"),
        ("2 garlic cloves, minced", "shallots", "about 6 g shallots, minced"),
        ("juice of 1 lemon", "lime juice", "juice of 1 lime"),
        ("2 cups whole-milk or part-skim ricotta", "cottage cheese", "2 cups cottage cheese"),
        ("1 (15 oz) can black beans, drained and rinsed", "kidney beans",
         "1 (15 oz) can kidney beans, drained and rinsed"),
        ("1 (15 oz) can black beans, drained and rinsed", "potatoes", "about 450 g potatoes"),
        ("4 (6-ounce) salmon fillets, skin on", "tofu", "about 700 g tofu"),
        ("2 chicken breasts or thighs", "beef", "about 400 g beef"),
        ("Chicken, for serving", "duck", "Duck, for serving"),
        ("salt to taste", "soy sauce", "soy sauce to taste"),
        ("1 cup milk (optional)", "almond milk", "1 cup almond milk (optional)"),
        ("2 sprigs thyme", "rosemary", "2 sprigs rosemary"),
        ("1/4 cup sour cream", "Greek yogurt", "1/4 cup Greek yogurt"),
    ],
)  # fmt: skip
def test_lines(line, word, expected):
    assert replace_in_line(parsed(line), replacement(word).noun)[0] == expected


def test_one_of_a_countable_thing():
    assert replace_in_line(parsed("1 apple"), replacement("pears").noun) == ("1 pear", True)
    assert replace_in_line(parsed("2 apples"), replacement("pears").noun)[1] is False
    assert replace_in_line(parsed("1 cup butter"), replacement("oil").noun)[1] is False


@pytest.mark.parametrize(
    ("head", "parts"),
    [
        ("2 large boneless ", ("2 ", "large boneless ")), ("1 1/2 cups ", ("1 1/2 cups ", "")),
        ("½ cup (1 stick) cold ", ("½ cup (1 stick) ", "cold ")), ("fresh ", ("", "fresh ")),
        ("a couple of ripe ", ("a couple of ", "ripe ")), ("", ("", "")),
    ],
)  # fmt: skip
def test_quantities_are_split_from_states(head, parts):
    assert split_quantity(head) == parts


@pytest.mark.parametrize(
    ("grams", "text"),
    [(453.59, "450 g"), (1587, "1.6 kg"), (9, "9 g"), (0.4, "1 g"), (113, "110 g"), (42, "40 g")],
)
def test_weights_as_a_cook_weighs(grams, text):
    assert rounded_weight(grams) == text


def amount(line, head, word, size=None):
    quantity = new_quantity(parsed(line), head, replacement(word).noun, size=size)
    return quantity.text, quantity.is_one


@pytest.mark.parametrize(
    ("line", "head", "word", "expected"),
    [
        ("1 lb beef", "1 lb ", "turkey", ("1 lb ", False)), ("3 apples", "3 ", "pears", ("3 ", False)),
        ("½ cup (1 stick) butter", "½ cup (1 stick) ", "olive oil", ("½ cup ", False)),
        ("1 cup (240 ml) milk", "1 cup (240 ml) ", "almond milk", ("1 cup (240 ml) ", False)),
        ("1 stick butter", "1 stick ", "margarine", ("1 stick ", False)),
        ("1 stick butter", "1 stick ", "olive oil", ("about 110 ml ", False)),
        ("1 apple", "1 ", "pear", ("1 ", True)), ("6 apples", "6 ", "blueberries", ("about 1.1 kg ", False)),
        ("2 chicken breasts", "2 ", "beef", ("about 400 g ", False)), ("salt", "", "soy sauce", ("", False)),
        ("3 cloves garlic", "3 cloves ", "shallots", ("about 9 g ", False)),
        ("2 slices bacon", "2 slices ", "ham", ("2 slices ", False)),
        ("2 wombats", "2 ", "beef", ("2 pieces of ", False)), ("2 wombats", "2 ", "eggs", ("2 ", False)),
    ],
)  # fmt: skip
def test_the_new_quantity(line, head, word, expected):
    assert amount(line, head, word) == expected


def test_sizes_count():
    assert amount("1 large onion", "1 ", "shallots", "large") == ("about 3 ", False)


def test_remarks_lose_only_what_does_not_fit():
    assert fitting("peeled, cored and sliced", "pears") == "peeled, cored and sliced"
    assert fitting("peeled, cored and sliced", "tofu") == "sliced"
    assert fitting("melted and cooled", "olive oil") == "cooled"
    assert fitting("skin removed", "beef") == ""
