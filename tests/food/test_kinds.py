import pytest

from chef.files import rows
from chef.food.kinds import fits, food_of, is_state, kind_of, states
from chef.text.words import keys
from tests.conftest import cases
from tests.rewrite.small import canonical


@pytest.mark.parametrize(("name", "kind"), cases("food", "kinds"))
def test_kinds(name, kind):
    assert kind_of(name).name == kind


def test_a_word_belongs_to_one_kind_and_an_unknown_one_to_none():
    assert kind_of("xylophone") is kind_of("") is None
    seen = {}
    for kind, _, _, words in rows("chef.food", "kinds.tsv"):
        for word in words.split("|"):
            assert seen.setdefault(keys(word), kind) == kind, word


def test_most_ingredients_have_a_kind():
    counts = {token: canonical().count(token) for token in canonical().tokens}
    known = sum(count for token, count in counts.items() if kind_of(token))
    assert known / sum(counts.values()) > 0.97


def test_cuts_of_one_animal_are_one_food():
    assert food_of("ground_pork") == food_of("pork_chops") == food_of("pork_picnic_roast") == "pork"
    assert food_of("chuck_roast") == "beef"
    assert food_of("turkey_breast") == "turkey"
    assert food_of("cod_fillets") != food_of("tuna_steaks")
    assert food_of("brown_rice") != food_of("basmati_rice")


@pytest.mark.parametrize(("phrase", "food", "fit"), cases("food", "what a food can be"))
def test_what_a_food_can_be(phrase, food, fit):
    assert fits(phrase, food) is fit


def test_the_longest_state_counts():
    assert states("Boneless, at room temperature") == ["boneless", "room temperature"]
    assert is_state("Diced")
    assert not is_state("red")
