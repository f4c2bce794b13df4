import pytest

from chef.rewrite.lines import fitting, replace_in_line, rounded_weight
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
        ("1 lb lean ground beef", "lentils", "1 lb cooked lentils"),
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
        ("1 cup (240 ml) milk", "almond milk", "1 cup (240 ml) almond milk"),
        ("1 stick butter", "margarine", "1 stick margarine"),
        ("1 stick butter", "olive oil", "about 110 ml olive oil"),
        ("1 apple", "pears", "1 pear"), ("6 apples", "blueberries", "about 1.1 kg blueberries"),
        ("2 slices bacon", "ham", "2 slices ham"), ("2 wombats", "beef", "2 pieces of beef"),
        ("2 wombats", "eggs", "2 eggs"), ("a couple of ripe mangoes", "pears", "a couple of ripe pears"),
        ("1 large onion", "shallots", "about 3 shallots"), ("1 1/2 cups milk", "water", "1 1/2 cups water"),
    ],
)  # fmt: skip
def test_lines(line, word, expected):
    is_one = expected in ("1 pear", "1 large leek, chopped")
    new = replace_in_line(parsed(line), replacement(word).noun)
    assert (new.text, new.is_one) == (expected, is_one)


@pytest.mark.parametrize(
    ("grams", "text"),
    [(453.59, "450 g"), (1587, "1.6 kg"), (9, "9 g"), (0.4, "1 g"), (113, "110 g"), (42, "40 g")],
)
def test_weights_as_a_cook_weighs(grams, text):
    assert rounded_weight(grams) == text


def test_remarks_lose_only_what_does_not_fit():
    assert fitting("peeled, cored and sliced", "pears") == "peeled, cored and sliced"
    assert fitting("peeled, cored and sliced", "tofu") == "sliced"
    assert fitting("melted and divided", "olive oil") == "divided"
    assert replace_in_line(parsed("4 slices bacon, crumbled"), replacement("shrimp").noun).lost == [
        "crumbled"
    ]
    assert replace_in_line(parsed("250 g salt cod"), replacement("chicken").noun).lost == ["salt"]
    assert fitting("skin removed", "beef") == ""
