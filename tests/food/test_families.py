import pytest

from chef.data.kitchen import SWAP_FAMILIES
from chef.food.canonical import CanonicalMap
from chef.food.kinds import families_in, family, members, word_for
from chef.recipe import Ingredient, Recipe
from chef.text.vocabulary import Vocabulary

# Canonical tokens that carry a family's name but are not of it. A new one in the map must be decided on:
# put it here or into families.tsv.
NOT = {
    "chicken": "chicken_broth chicken_bouillon cream_of_chicken_soup chicken_livers chicken_gizzards "
    "chicken_sausage chicken_rub chicken_masala",
    "beef": "beef_broth beef_bouillon beef_bones beef_tallow beef_consomme beef_tongue beef_tripe "
    "beef_kidney beef_stew_seasoning beef_jerky vegan_ground_beef",
    "steak": "steak_seasoning steak_sauce steak_fries tuna_steaks pork_steaks venison_steaks",
    "pork": "salt_pork pork_bones pork_stock pork_liver pork_fat pork_and_beans",
    "fish": "fish_sauce fish_stock fish_cakes fish_roe goldfish_crackers crawfish_tails",
    "salmon": "salmon_roe",
    "apple": "applesauce pineapple pineapple_juice dried_pineapple pineapple_preserves crabapples "
    "apple_cider apple_juice apple_butter apple_schnapps apple_pie_spice apple_jelly apple_pie_filling "
    "apple_chutney apple_brandy frozen_apple_juice_concentrate",
}
FAMILY_OF_WORD = {"steak": "beef", "salmon": "fish"}


@pytest.fixture(scope="module")
def shipped() -> CanonicalMap:
    return CanonicalMap.load()


def test_every_token_exists_and_is_listed_once(shipped):
    listed = [token for tokens in members().values() for token in tokens]
    assert len(listed) == len(set(listed))
    kitchen = {token for tokens in SWAP_FAMILIES.values() for token in tokens}
    assert [token for token in listed if token not in shipped and token not in kitchen] == []


def test_the_generated_kitchens_families_are_ours():
    for name, tokens in SWAP_FAMILIES.items():
        assert {token: family(token) for token in tokens} == dict.fromkeys(tokens, name)


@pytest.mark.parametrize("word", NOT)
def test_every_canonical_token_with_the_name_is_decided_on(shipped, word):
    tokens = {token for token in shipped.tokens if word in token}
    of_family = {token for token in tokens if family(token) == FAMILY_OF_WORD.get(word, word)}
    assert tokens - of_family == set(NOT[word].split())


def test_a_token_of_another_map_is_read_by_the_shipped_one():
    assert family("skinless_chicken_breast") == "chicken"
    assert family("sockeye_salmon") == "fish"
    assert family("granny_smith_apple") == "apple"
    others = "ham bacon sausage veal shrimp turkey anchovy_fillets salt pineapple_chunks chicken_stock"
    assert {family(token) for token in (*others.split(), "")} == {None}


def test_families_in_a_recipe_come_from_its_ingredients_alone():
    recipe = Recipe(
        "1",
        "Fish and chips",
        (
            Ingredient("1 chicken breast", "chicken breast", token="chicken_breasts"),
            Ingredient("1 cup beef stock", "beef stock", token="beef_broth"),
            Ingredient("1 skinless pork loin chop", "skinless pork loin chop"),  # its map has no token for it
            Ingredient("For the apples:"),
        ),
    )
    assert families_in(recipe) == {"chicken", "pork"}


def test_the_word_put_in_is_one_that_the_model_knows():
    assert word_for("fish", Vocabulary.build({"cod": 3, "fish": 1, "white_fish": 9}, 1)) == "fish"
    assert word_for("fish", Vocabulary.build({"cod": 3, "white_fish": 1}, 1)) == "white_fish"
    assert word_for("fish", Vocabulary.build({"salt": 3}, 1)) is None
