import pytest

from chef.rewrite.removal import IngredientRemover
from tests.rewrite.small import any_ingredient, mentions

LINES = [
    "500 g chicken", "2 tbsp parsley", "salt", "black pepper", "1 tsp cumin", "1 onion", "2 tbsp butter",
    "1 cup rice", "1 lemon", "1 cup flour", "1 cup milk", "1 cup heavy cream", "naan", "1 pinch cloves",
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
        ("cumin", "Add the onion, cumin, cloves, salt and milk.", "Add the onion, cloves, salt and milk."),
        ("salt", "Mix the rice, 1 tsp of the cumin and the salt.", "Mix the rice and 1 tsp of the cumin."),
        ("parsley", "Add the parsley and the remaining 1/2 tsp salt.", "Add the remaining 1/2 tsp salt."),
        ("cumin", "Mix the rice, cumin, salt, and milk or cream.", "Mix the rice, salt, and milk or cream."),
        ("parsley", "Boil the chicken, ribs and parsley in milk.", "Boil the chicken and ribs in milk."),
        # with its phrase
        ("butter", "Cook the chicken in the butter for 5 minutes.", "Cook the chicken for 5 minutes."),
        ("rice", "Serve the chicken with rice.", "Serve the chicken."),
        ("onion", "Cook until the onion is soft, about 5 minutes.", "Cook about 5 minutes."),
        ("flour", "Toss the chicken with flour mixture.", "Toss the chicken with the mixture."),
        ("lemon", "Top with the lemon butter.", "Top with the butter."),
        ("parsley", "Serve the rice garnished with parsley.", "Serve the rice."),
        ("rice", "Fry the onion for 5 minutes and the rice for 2 minutes.", "Fry the onion for 5 minutes."),
        ("parsley", "Brush with butter parsley mixture.", "Brush with butter mixture."),
        # with its order
        ("naan", "Warm the naan in the oven. Serve.", "Serve."),
        ("rice", "When the chicken is brown, add the rice. Serve.", "Serve."),
        ("rice", "Once brown, add the rice and stir gently.", "Once brown, stir gently."),
        ("parsley", "Chop the parsley and add it to the rice.", ""),
        ("lemon", "Slice the lemon and mix it with the rice.", "Mix the rice."),
        ("parsley", "Remove the parsley and top with the cream.", "Top with the cream."),
        ("parsley", "Stir half of the parsley into the milk and spread half of it in a dish.",
         "Spread half of it in a dish."),
        ("pepper", "Season with the pepper and a squeeze of lemon and serve.",
         "Season with a squeeze of lemon and serve."),
        ("parsley", "Stir in the parsley and bake for 20 minutes.", "Bake for 20 minutes."),
        ("parsley", "Stir in the chopped parsley.", ""),
        ("parsley", "Sprinkle the chicken with parsley and serve.", "Serve."),
        ("butter", "Melt 2 tablespoons of butter in a pan and fry the onion.", "Fry the onion."),
        ("rice", "Shred the chicken, stir in the rice and cook until tender.",
         "Shred the chicken and cook until tender."),
        ("onion", "Peel and chop the onion. Rinse the rice.", "Rinse the rice."),
        ("lemon", "Peel, core and slice the lemon. Rinse the rice.", "Rinse the rice."),
        ("salt", "Bring the milk to a boil; add salt.", "Bring the milk to a boil."),
        # several at once
        ("salt pepper", "Fry the onion, then season with salt and pepper. Serve.", "Fry the onion. Serve."),
        ("cumin salt", "Mix cumin, salt, pepper and parsley.", "Mix pepper and parsley."),
        # not at all
        ("butter", "Butter a deep dish.", "Butter a deep dish."),
        ("chicken", "Rinse the rice.", "Rinse the rice."),
    ],
)  # fmt: skip
def test_steps(gone, before, after):
    assert remover(*gone.split()).step(before) == after


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
