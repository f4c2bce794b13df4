"""Recipe: the JSON form and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.recipe import Ingredient, Recipe, Step
from tests.conftest import cases

# Lone surrogates are no text: no file could hold them.
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
number = st.none() | st.floats(allow_nan=False, allow_infinity=False)
maybe = st.none() | text
recipes = st.builds(
    Recipe,
    id=text,
    title=text,
    ingredients=st.lists(
        st.builds(Ingredient, text, name=maybe, amount=number, unit=maybe, grams=number, token=maybe)
    ).map(tuple),
    steps=st.lists(st.builds(Step, text, section=maybe)).map(tuple),
    images=st.lists(text).map(tuple),
    tags=st.lists(text).map(tuple),
    source=maybe,
    licence=maybe,
    url=maybe,
    split=maybe,
    description=maybe,
    servings=maybe,
    prep_minutes=st.none() | st.integers(1, 9999),
    cook_minutes=st.none() | st.integers(1, 9999),
    total_minutes=st.none() | st.integers(1, 9999),
    notes=st.lists(text).map(tuple),
    language=maybe,
    rating=st.none() | st.floats(0, 5),
    nutrition=st.dictionaries(text, text),
)


@given(recipes)
def test_a_recipe_comes_back_equal_from_its_json(recipe: Recipe) -> None:
    assert Recipe.from_json(json.loads(json.dumps(recipe.to_json()))) == recipe


def test_empty_fields_are_left_out_and_a_section_is_kept() -> None:
    written = Recipe("1", "Toast", (Ingredient("2 slices bread"),), (Step("Toast it."),)).to_json()
    lists = {"ingredients": [{"line": "2 slices bread"}], "instructions": ["Toast it."]}
    assert written == {"id": "1", "title": "Toast", **lists}
    written = Recipe("1", "Pie", steps=(Step("Roll it.", "Crust"),)).to_json()
    assert written["instructions"] == [{"text": "Roll it.", "section": "Crust"}]


def test_with_ingredients_leaves_the_first_recipe_alone() -> None:
    plain = Recipe("1", "Pie", (Ingredient("apples"),))
    changed = plain.with_ingredients([Ingredient("pears")])
    assert [item.line for item in plain.ingredients] == ["apples"]
    assert [item.line for item in changed.ingredients] == ["pears"]
    assert changed.title == "Pie"


@pytest.mark.parametrize("data", cases("other", "what is no recipe is a plain error"))
def test_what_is_no_recipe_is_a_plain_error(data: object) -> None:
    with pytest.raises(ChefError):
        Recipe.from_json(data)  # type: ignore[arg-type]
