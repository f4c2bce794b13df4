"""The tables agree with each other: no food is dairy in one and not in another."""

from itertools import chain

import pytest

from chef.files import rows
from chef.food import AMBIGUOUS, CUTS, DERIVED, FORMS
from chef.food.canonical import CanonicalMap
from chef.food.groups import Membership, groups, has, is_one, words_of
from chef.food.kinds import kind_of, members
from chef.text.keys import spelled

# All canonical ingredients, and all that the table of kinds names.
FOODS = {
    *CanonicalMap.load().tokens,
    *(word for row in rows("chef.food", "kinds.tsv") for word in row[3].split("|")),
}
UNCLEAR = {"chop", "roast"}  # alone these do not say of what
# What every food of a kind belongs to, unless groups.tsv says outright that it does not (almond milk).
GROUP_OF_KIND = {
    "poultry": "poultry", "meat": "meat", "ground meat": "meat", "cured meat": "meat",
    "fish": "fish", "tinned fish": "fish", "shellfish": "shellfish", "egg": "eggs", "egg part": "eggs",
    "milk": "dairy", "cream": "dairy", "condensed milk": "dairy", "cheese": "dairy", "soft cheese": "dairy",
    "fresh cheese": "dairy", "nut": "nuts", "alcohol": "alcohol", "flour": "gluten", "pasta": "gluten",
    "bread": "gluten", "crumb": "gluten",
}  # fmt: skip
# The kinds that the foods of a group can be, where they have one.
KINDS_OF_GROUP = {
    "poultry": {"poultry", "ground meat", "cured meat"},
    "beef": {"meat", "ground meat"},
    "pork": {"meat", "ground meat", "cured meat"},
    "meat": {"poultry", "meat", "ground meat", "cured meat"},
    "fish": {"fish", "tinned fish"},
    "shellfish": {"shellfish"},
    "eggs": {"egg", "egg part"},
    "alcohol": {"alcohol"},
}
GROUP_AND_KINDS_OF_FAMILY = {
    "chicken": ("poultry", {"poultry", "ground meat"}),
    "beef": ("beef", {"meat", "ground meat"}),
    "pork": ("pork", {"meat", "ground meat"}),
    "fish": ("fish", {"fish", "tinned fish"}),
    "apple": (None, {"fruit"}),
}


def is_excluded(group: str, token: str) -> bool:
    """Whether groups.tsv names the token, or words of it, as none of the group."""
    name = f" {' '.join(words_of(token))} "
    phrases = (" ".join(phrase) for phrase, how in groups()[group].items() if how is Membership.NOT)
    return any(f" {phrase.removesuffix(' *')} " in name for phrase in phrases)


@pytest.mark.parametrize(("kind", "group"), GROUP_OF_KIND.items())
def test_a_kind_belongs_to_its_group(kind, group):
    of_kind = [token for token in FOODS if (found := kind_of(token)) and found.name == kind]
    assert of_kind
    outside = {token for token in of_kind if not has(group, token) and not is_excluded(group, token)}
    assert outside <= UNCLEAR


@pytest.mark.parametrize(("group", "kinds"), KINDS_OF_GROUP.items())
def test_a_group_has_foods_of_its_kinds_alone(group, kinds):
    of_group = {token: kind_of(token) for token in FOODS if is_one(group, token)}
    assert {token: kind.name for token, kind in of_group.items() if kind and kind.name not in kinds} == {}


@pytest.mark.parametrize("family", members())
def test_a_family_is_of_one_group_and_kind(family):
    group, kinds = GROUP_AND_KINDS_OF_FAMILY[family]
    for token in members()[family]:
        kind = kind_of(token)
        assert kind is not None, token
        assert kind.name in kinds, token
        assert group is None or is_one(group, token), token


def test_only_groups_say_what_a_food_is_made_of():
    roles = set(chain.from_iterable(row[1].split("|") for row in rows("chef.food", "kinds.tsv")))
    assert not roles & set(groups()) - {"eggs"}


def test_no_group_lists_a_phrase_twice():
    table = [(group, listed.split(", ")) for group, _, listed in rows("chef.food", "groups.tsv")]
    phrases = [(group, phrase) for group, listed in table for phrase in listed]
    assert len(phrases) == len(set(phrases))


def test_states_need_traits_that_foods_have():
    traits = set(chain.from_iterable(row[2].split() for row in rows("chef.food", "kinds.tsv")))
    assert {trait for trait, _ in rows("chef.food", "states.tsv")} - traits == {"fresh"}


def test_listed_words_are_singular_and_a_cut_is_nothing_derived():
    assert [word for word in CUTS | FORMS | DERIVED | AMBIGUOUS if spelled(word) != word] == []
    assert not CUTS & DERIVED
