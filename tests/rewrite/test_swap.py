import numpy as np
import pytest

from chef.errors import ChefError
from chef.model.edit import replace
from chef.rewrite.swap import neighbours, swap
from chef.text.lines import parse_line
from tests.conftest import cases
from tests.rewrite.small import SOUP, collection, recipe, tiny_chef

STEW = next(recipe for recipe in collection() if recipe.id == "stew-0")


def test_the_changed_recipe_reads_well():
    swapped = swap(tiny_chef(), SOUP, "chicken", "beef")
    assert swapped.recipe.title == "Beef and Rice Soup"
    assert [item.line for item in swapped.recipe.ingredients] == [
        "about 400 g boneless beef",
        *(item.line for item in SOUP.ingredients[1:]),
    ]
    assert [step.text for step in swapped.recipe.steps] == [
        SOUP.steps[0].text,
        "Add the beef and the chicken broth and simmer for 20 minutes.",
        "Shred the beef, stir in the rice and cook until tender. "
        "The beef is done when it reaches 63 °C (145 °F) inside and has rested for 3 minutes. "
        "Season with salt.",
    ]
    assert swapped.recipe.ingredients[0].token == swapped.new_token == "beef"
    assert swapped.recipe.ingredients[0].grams == 400
    assert swapped.old_tokens == ["chicken_breasts"]


@pytest.mark.parametrize(("line", "to", "before", "after", "note"), cases("rewrite", "doneness"))
def test_a_swap_brings_its_own_doneness(line, to, before, after, note):
    dish = recipe("Dinner", [line, "1 cup rice"], [before])
    swapped = swap(tiny_chef(), dish, parse_line(line).name or "", to)
    assert swapped.recipe.steps[0].text == after
    assert note in "\n".join(swapped.notes)


STEWED = "Add the onion and broth and simmer for 40 minutes"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{STEWED} until the chicken is tender.", f"{STEWED} until the beef is tender."),
        (f"{STEWED} until the chicken is no longer pink.", f"{STEWED} until the beef is fork-tender."),
        (f"{STEWED}.", f"{STEWED}. The beef is done when it is fork-tender."),
        (
            f"{STEWED} until the onion is tender.",
            f"{STEWED} until the onion is tender. The beef is done when it is fork-tender.",
        ),
    ],
)
def test_a_cut_that_is_stewed_is_done_when_it_is_tender(before, after):
    dish = recipe(
        "Stew", ["1 kg chicken thighs", "1 onion", "2 cups beef broth"], ["Brown the chicken.", before]
    )
    swapped = swap(tiny_chef(), dish, "chicken", "beef")
    assert [step.text for step in swapped.recipe.steps] == ["Brown the beef.", after]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Cover and cook on low for 6 hours.", "The beef is done when it is fork-tender."),
        (
            "Cook on High until the chicken is no longer pink, about 5 hours.",
            "until the beef is fork-tender, about",
        ),
        ("Simmer until the chicken is no longer pink, 10 to 15 minutes.", "until the beef reaches 63 °C"),
        ("Cook until the chicken is done, add the broth and simmer.", "until the beef reaches 63 °C"),
        (
            "Simmer until the meat is tender and the chicken is cooked through.",
            "Simmer until the meat is tender.",
        ),
        (
            "Simmer until the onion is tender and the chicken is cooked through.",
            "tender and the beef is fork-tender.",
        ),
        (
            "Simmer the chicken and onion until the onion is tender.",
            "The beef is done when it is fork-tender.",
        ),
        ("Simmer the chicken until tender.", "Simmer the beef until tender."),
        ("Put the chicken in a slow cooker and season it.", "the beef in a slow cooker and season it."),
    ],
)
def test_only_what_cooks_for_long_in_a_liquid_is_stewed(before, after):
    dish = recipe(
        "Stew", ["1 kg chicken thighs", "1 onion", "2 cups beef broth"], ["Brown the chicken.", before]
    )
    assert after in swap(tiny_chef(), dish, "chicken", "beef").recipe.steps[1].text


def test_a_sauce_that_simmers_for_a_moment_stews_nothing():
    steps = ["Fry the chicken for 6 minutes and take it out.", "Add the cream and simmer for 5 minutes."]
    dish = recipe("Dinner", ["2 chicken breasts", "1 cup cream"], steps)
    first, second = (step.text for step in swap(tiny_chef(), dish, "chicken", "pork").recipe.steps)
    assert "63 °C" in first
    assert second == steps[1]


def test_no_step_calls_it_medium_rare():
    steps = ["Shape the lamb and pork into kofta.", "Fry them. They should be medium-rare now."]
    dish = recipe("Kofta", ["300 g minced lamb", "300 g minced pork"], steps)
    assert "medium-rare" not in swap(tiny_chef(), dish, "lamb", "beef").recipe.steps[1].text


def test_a_recipe_with_other_meat_keeps_its_temperature():
    dish = recipe(
        "Pie", ["300 g duck", "300 g pork"], ["Mix the duck and pork.", "Bake until 71 °C (160 °F) inside."]
    )
    assert swap(tiny_chef(), dish, "duck", "tofu").recipe.steps[1] == dish.steps[1]


def test_every_change_is_listed():
    swapped = swap(tiny_chef(), SOUP, "butter", "olive oil")
    assert [(one.part, one.place) for one in swapped.changed] == [("ingredients", 4), ("instructions", 0)]
    assert swapped.changed[1].to_json() == {
        "part": "instructions",
        "place": 0,
        "before": "Melt the butter in a pot. Cook the onion until soft.",
        "after": "Heat the olive oil in a pot. Cook the onion until soft.",
    }


def test_the_vector_is_read_along_the_original_trees():
    swapped, encoder = swap(tiny_chef(), SOUP, "chicken", "beef"), tiny_chef().encoder
    tokens = dict.fromkeys(["chicken", "chicken_breasts"], "beef")
    text, trees = replace(swapped.text, encoder.encode([tiny_chef().read(SOUP)]).trees[0], tokens)
    assert text.ingredients[0] == "beef"
    assert "chicken_broth" in text.ingredients
    np.testing.assert_allclose(swapped.vector, encoder.embed([text], [trees])[0], atol=1e-5)
    assert np.abs(swapped.vector - swapped.original.vectors[0]).max() > 1e-4


def test_only_the_one_asked_for_leaves():
    lines, step = (
        ["2 chicken breasts", "4 chicken thighs"],
        "Fry the chicken thighs with the chicken breasts.",
    )
    two = recipe("Two birds", lines, [step])
    swapped = swap(tiny_chef(), two, "chicken thighs", "tofu")
    assert swapped.recipe.steps[0].text == "Fry the tofu with the chicken breasts."
    assert swapped.recipe.ingredients[0].line == "2 chicken breasts"


@pytest.mark.parametrize(("leaves", "comes", "problem"), cases("rewrite", "mistakes"))
def test_mistakes(leaves, comes, problem):
    with pytest.raises(ChefError, match=problem):
        swap(tiny_chef(), SOUP, leaves, comes)


def test_a_model_without_trees_swaps_too():
    swapped = swap(tiny_chef("s+l+l"), SOUP, "chicken", "beef")
    assert np.abs(swapped.vector - swapped.original.vectors[0]).max() > 1e-4


def test_neighbours_are_the_nearest_by_cosine_without_the_original(index):
    swapped = swap(index.chef, STEW, "chicken", "beef")
    hits, photos = neighbours(index, swapped, k=5)
    others = [recipe for recipe in collection() if recipe.id != STEW.id]
    scores = index.chef.embed_recipes(others) @ swapped.vector
    assert [hit.score for hit in hits] == pytest.approx(sorted(scores.tolist(), reverse=True)[:5], abs=1e-4)
    assert hits[0].id == others[int(np.argmax(scores))].id
    assert STEW.id not in {hit.id for hit in hits}
    assert photos == []  # nobody here has one
    hits, _ = neighbours(index, swapped, k=11)
    beef = next(hit for hit in hits if hit.id == "stew-1")
    assert beef.why[0] == f"similar to the changed recipe ({beef.score:.2f})"
    assert beef.why[1:] == ["has beef", "shares carrots, onion, salt"]
