"""Recipes as people type them and as text recognition reads them; benchmarks/plain_text.py has many more."""

from typing import Any

import pytest

from chef.readers.plain_text import recipes

LINES = ["2 cups flour", "1/2 tsp salt", "3 eggs, beaten", "butter for the pan"]
STEPS = [
    "Whisk the flour, the salt and the eggs with a cup of water until there are no lumps left in the batter.",
    "Let it rest for 30 minutes.",
    "Melt some butter in a pan and fry thin pancakes on both sides until golden.",
]
PANCAKES = {"title": "Thin pancakes", "ingredients": LINES, "instructions": STEPS}

HEADED = """Thin pancakes
Serves 4 | Prep time: 10 min | Cook time: 20 min

Ingredients
2 cups flour
1/2 tsp salt
3 eggs, beaten
butter for the pan

Directions
1. Whisk the flour, the salt and the eggs with a cup of water until there are no lumps left in the batter.
2. Let it rest for 30 minutes.
3. Melt some butter in a pan and fry thin pancakes on both sides until golden.

Notes
Good with sugar.
"""
BARE = """Thin pancakes

2 cups flour
1/2 tsp salt
3 eggs, beaten
butter for the pan

Whisk the flour, the salt and the eggs with a cup of water until there are no lumps left in the batter.

Let it rest for 30 minutes.

Melt some butter in a pan and fry thin pancakes on both sides until golden.
"""
SCANNED = """Thin pancakes

Ingredients
© 2 cups ﬂour
© l/2 tsp salt
© 3 eggs, beaten
© butter for the pan

Method
Whisk the ﬂour, the salt and the eggs with a
cup of water until there are no lumps left

                — 17 —

in the batter.

Let it rest for 3O minutes.

Melt some butter in a pan and fry thin pan-
cakes on both sides until golden.
"""
COLUMNS = """Thin pancakes

You will need:

2 cups flour       3 eggs, beaten
Y2 tsp salt       butter for the pan

Step 1
Whisk the flour, the salt and the eggs with a cup of water until there are no lumps left in the batter.
Step 2
Let it rest for 30 minutes.
Step 3
Melt some butter in a pan and fry thin pancakes on both sides until golden.
"""
ONE_LINE = """Recipe: Thin pancakes
Zutaten: 2 cups flour; 1/2 tsp salt; 3 eggs, beaten; butter for the pan
Zubereitung:
- Whisk the flour, the salt and the eggs with a cup of water until
  there are no lumps left in the batter.
- Let it rest for 30 minutes.
- Melt some butter in a pan and fry thin pancakes on both sides
  until golden.
"""


def core(data: Any) -> dict[str, Any]:
    return {name: data[name] for name in PANCAKES}


@pytest.mark.parametrize("text", [HEADED, BARE, SCANNED, COLUMNS, ONE_LINE, HEADED.replace("\n", "\r\n")])
def test_a_recipe_in_many_layouts(text: str) -> None:
    assert [core(data) for data in recipes(text)] == [PANCAKES]


def test_what_stands_beside_the_recipe() -> None:
    (data,) = recipes(HEADED)
    assert (data["servings"], data["prep_time"], data["cook_time"]) == ("4", "10 min", "20 min")
    assert data["notes"] == ["Good with sugar."]


def test_several_recipes_in_one_text() -> None:
    second = HEADED.replace("Thin pancakes", "Thick pancakes").split("\n\nNotes")[0]
    found = list(recipes(f"{HEADED}\n\n{second}\n\n\n{HEADED}"))
    assert [data["title"] for data in found] == ["Thin pancakes", "Thick pancakes", "Thin pancakes"]
    assert all(core(data) == {**PANCAKES, "title": data["title"]} for data in found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Buy rice.",
        "Dear Ann,\n\nthank you for the 2 letters.\nYours, Bob",
        "1\n2\n3\n4",
        "a\n" * 500,
    ],
)
def test_texts_without_a_recipe(text: str) -> None:
    assert list(recipes(text)) == []
