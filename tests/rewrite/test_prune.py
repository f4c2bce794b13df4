import pytest

from chef.errors import ChefError
from chef.model.edit import removal_order
from chef.rewrite.prune import IngredientRemover, prune
from tests.rewrite.small import SOUP, any_ingredient, mentions, recipe, tiny_chef


def test_the_deepest_leaves_go():
    tree = tiny_chef().explain(SOUP).tree
    pruned = prune(tiny_chef(), SOUP, 2)
    assert pruned.removed == [tree.tokens[leaf] for leaf in removal_order(tree)[:2]]
    assert len(pruned.recipe.ingredients) == 4
    assert not set(pruned.removed) & set(pruned.tree.tokens)
    assert [item.token for item in pruned.recipe.ingredients] == list(pruned.tree.tokens)


def test_one_ingredient_stays():
    pruned = prune(tiny_chef(), SOUP, 99)
    assert len(pruned.recipe.ingredients) == len(pruned.tree.tokens) == 1
    assert prune(tiny_chef(), recipe("Rice", ["1 cup rice"], ["Cook."]), 1).removed == []


def test_the_texts_lose_them_too():
    pruned = prune(tiny_chef(), SOUP, 5)
    text = " ".join([pruned.recipe.title, *(step.text for step in pruned.recipe.steps)])
    for token in pruned.removed:
        assert token.replace("_", " ") not in text.lower()


def test_a_token_that_another_line_has_stays_in_the_texts():
    twice = recipe("Buttered rice", ["1 cup rice", "2 tbsp butter", "1 tbsp butter"], ["Melt the butter."])
    pruned = prune(tiny_chef(), twice, 1)
    assert pruned.removed == ["butter"]
    assert pruned.recipe.steps[0].text == "Melt the butter."


def test_mistakes():
    with pytest.raises(ChefError, match="0 ingredients"):
        prune(tiny_chef(), SOUP, 0)
    with pytest.raises(ChefError, match="no tree over ingredients"):
        prune(tiny_chef("s+l+l"), SOUP, 1)


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
