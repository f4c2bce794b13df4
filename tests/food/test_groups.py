import pytest

from chef.food.canonical import CanonicalMap
from chef.food.groups import Membership, groups, has, is_one, lookalikes, membership, words_of
from tests.conftest import probes


@pytest.mark.parametrize(("group", *(one.name for one in reversed(Membership))), probes("groups.tsv"))
def test_how_an_ingredient_belongs_to_a_group(group, IN, MADE, MAY, NOT):
    for expected, tokens in zip(reversed(Membership), (IN, MADE, MAY, NOT), strict=True):
        for token in tokens.split():
            assert membership(group, token) is expected
            assert has(group, token) is (expected is not Membership.NOT)
            assert is_one(group, token) is (expected is Membership.IN)


def test_names_that_no_map_knows_are_judged_by_their_words():
    assert has("nuts", "finely_chopped_candied_pecans")
    assert not has("nuts", "nut_free_granola_bars")
    assert not has("nuts", "")


def test_a_larger_group_has_all_of_its_parts():
    for token in CanonicalMap.load().tokens:
        assert not has("poultry", token) or has("meat", token)
        assert not has("shellfish", token) or has("seafood", token)
        assert not has("peanuts", token) or has("nuts", token)


def test_ordinary_words_are_no_groups():
    assert not set(lookalikes()) & set(groups())
    assert words_of("peanut butter") in lookalikes()["butter"]
