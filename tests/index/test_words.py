import pytest

from chef.index.filters import understand

KNOWN = {"coconut", "mushrooms", "garlic", "onions", "cheese", "sugar", "cream", "bell peppers"}
ASKED = {
    "vegan dessert without nuts": ("dessert", ["nuts"], "vegan"),
    "curry without coconut": ("curry", ["coconut"], None),
    "gluten free bread": ("bread", ["gluten"], None),
    "no dairy": ("", ["dairy"], None),
    "nut-free": ("", ["nuts"], None),
    "Nut free cookies without eggs and milk": ("cookies", ["nuts", "eggs", "dairy"], None),
    "soup with no onions or garlic": ("soup", ["onions", "garlic"], None),
    "vegetarian lasagna, no mushrooms": ("lasagna", ["mushrooms"], "vegetarian"),
    "tree nut free brownies": ("brownies", ["tree nuts"], None),
    "eggless cake": ("cake", ["eggs"], None),
    "chicken but no cream": ("chicken", ["cream"], None),
    "tacos without bell peppers": ("tacos", ["bell peppers"], None),
    "no bake cookies without nuts": ("no bake cookies", ["nuts"], None),
    "vegan or vegetarian stew": ("or stew", [], "vegan"),
    # words that are no filters
    "no knead bread": ("no knead bread", [], None),
    "free range eggs": ("free range eggs", [], None),
    "fish without bones": ("fish without bones", [], None),
    "chicken and rice": ("chicken and rice", [], None),
}


@pytest.mark.parametrize("text", ASKED)
def test_filters_in_words(text):
    asked = understand(text, lambda word: word.lower() in KNOWN)
    assert (asked.text, asked.without, asked.diet) == ASKED[text]
