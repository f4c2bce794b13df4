from __future__ import annotations

import pytest

from chef.rewrite.line import fitting, new_line
from tests.rewrite.small import comes, parsed


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
    assert new_line(parsed(line), comes(word))[0] == expected


def test_one_of_a_counted_thing_is_told():
    assert new_line(parsed("1 apple"), comes("pears")) == ("1 pear", True)
    assert new_line(parsed("2 apples"), comes("pears"))[1] is False
    assert new_line(parsed("1 cup butter"), comes("oil"))[1] is False


def test_remarks_lose_only_what_does_not_fit():
    assert fitting("peeled, cored and sliced", "pears") == "peeled, cored and sliced"
    assert fitting("peeled, cored and sliced", "tofu") == "sliced"
    assert fitting("melted and cooled", "olive oil") == "cooled"
    assert fitting("skin removed", "beef") == ""
