from __future__ import annotations

import pytest

from chef.rewrite.removal import IngredientRemover
from tests.rewrite.small import any_ingredient, mentions

LINES = [
    "500 g chicken", "2 tbsp parsley", "salt", "black pepper", "1 tsp cumin", "1 onion", "2 tbsp butter",
    "1 cup rice", "1 lemon", "1 cup flour", "1 cup milk", "1 cup heavy cream",
]  # fmt: skip


def remover(*gone: str) -> IngredientRemover:
    lost = [line for line in LINES if any(line.endswith(name) for name in gone)]
    assert len(lost) == len(gone)
    removed = mentions(lost, [line for line in LINES if line not in lost])
    return IngredientRemover(removed, any_ingredient(LINES))


@pytest.mark.parametrize(
    ("gone", "before", "after"),
    [
        # out of a list
        ("pepper", "Add the salt, pepper and cumin.", "Add the salt and cumin."),
        ("salt", "Add the salt, pepper, and cumin to the pan.", "Add the pepper and cumin to the pan."),
        ("cumin", "Add the salt, pepper and cumin to the pan.", "Add the salt and pepper to the pan."),
        ("onion", "Cook the chicken and onion, stirring, until golden.",
         "Cook the chicken, stirring, until golden."),
        ("onion", "Chop the onion and the parsley.", "Chop the parsley."),
        ("cream", "Whisk the milk/cream mixture.", "Whisk the milk mixture."),
        # with its phrase
        ("butter", "Cook the chicken in the butter for 5 minutes.", "Cook the chicken for 5 minutes."),
        ("rice", "Serve the chicken with rice.", "Serve the chicken."),
        ("onion", "Cook until the onion is soft, about 5 minutes.", "Cook about 5 minutes."),
        ("flour", "Toss the chicken with flour mixture.", "Toss the chicken with the mixture."),
        # with its order
        ("parsley", "Stir in the parsley and bake for 20 minutes.", "Bake for 20 minutes."),
        ("parsley", "Stir in the chopped parsley.", ""),
        ("parsley", "Sprinkle the chicken with parsley and serve.", "Serve."),
        ("butter", "Melt 2 tablespoons of butter in a pan and fry the onion.", "Fry the onion."),
        ("rice", "Shred the chicken, stir in the rice and cook until tender.",
         "Shred the chicken and cook until tender."),
        ("onion", "Peel and chop the onion. Rinse the rice.", "Rinse the rice."),
        ("lemon", "Peel, core and slice the lemon. Rinse the rice.", "Rinse the rice."),
        ("salt", "Bring the milk to a boil; add salt.", "Bring the milk to a boil."),
        # not at all
        ("butter", "Butter a deep dish.", "Butter a deep dish."),
        ("chicken", "Rinse the rice.", "Rinse the rice."),
    ],
)  # fmt: skip
def test_steps(gone, before, after):
    assert remover(gone).step(before) == after


def test_several_at_once():
    assert remover("salt", "pepper").step("Fry the onion, then season with salt and pepper. Serve.") == (
        "Fry the onion. Serve."
    )
    assert remover("cumin", "salt").step("Mix cumin, salt, pepper and parsley.") == "Mix pepper and parsley."


@pytest.mark.parametrize(
    ("gone", "before", "after"),
    [
        ("parsley", "Chicken with Parsley and Lemon", "Chicken with Lemon"),
        ("lemon", "Lemon Chicken", "Chicken"),
        ("rice", "Chicken and Rice", "Chicken"),
        ("chicken", "Chicken", "Chicken"),
        ("rice", "Lemon Chicken", "Lemon Chicken"),
    ],
)
def test_titles(gone, before, after):
    assert remover(gone).title(before) == after
