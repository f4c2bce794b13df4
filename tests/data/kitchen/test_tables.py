"""The data files: every name means one thing, and everything that is named exists."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.data.kitchen.painter import PLACES, SHAPES
from chef.data.kitchen.phrasing import METHODS, PHRASES, VERBS, expand, group, number, title_case, write_line
from chef.data.kitchen.tables import CUISINES, FAMILIES, POOLS, SWAP_FAMILIES, foods, swap_family

# Foods that are stirred in or poured, not seen as pieces; pastry and flour are painted as a crust.
UNSEEN = {"hidden", "tint", "liquid", "powder", "glaze", "syrup", "dust", "dough"}


def test_no_surface_form_belongs_to_two_foods_and_every_food_can_be_painted():
    forms = [form.lower() for food in foods().values() for form in food.forms]
    assert len(forms) == len(set(forms))
    assert {food.shape for food in foods().values()} <= set(SHAPES) | UNSEEN


def test_pools_name_foods_and_every_food_is_used():
    own = [line for cuisine in CUISINES.values() for line in cuisine.values()]
    named = {entry.partition("*")[0] for line in (*POOLS.values(), *own) for entry in line.split()}
    drawn = {slot.pool for family in FAMILIES.values() for slot in family.slots if slot.pool[0] != "@"}
    assert named | drawn == set(foods()) | set(POOLS)
    assert len(foods()) >= 250


def test_swap_families_are_foods_and_do_not_overlap():
    tokens = [token for family in SWAP_FAMILIES.values() for token in family]
    assert len(tokens) == len(set(tokens))
    assert set(tokens) <= set(foods())
    assert swap_family("chicken_breasts") == "chicken"
    assert swap_family("chicken_stock") is None


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_a_family_names_what_exists(family):
    roles = {slot.role for slot in family.slots}
    assert {slot.place for slot in family.slots} <= set(PLACES) | {"tint", "hidden"}
    assert set(family.methods) <= set(VERBS) & set(METHODS)
    for sentence in family.steps:
        assert set(sentence.verbs) <= set(VERBS) | {"METHOD", "PREPARE"}
        named = {role for role in (*sentence.what, *sentence.extra) if not role.startswith("=")}
        assert named <= roles | {"oven"}


def test_every_verb_is_used_and_said():
    used = {verb for family in FAMILIES.values() for sentence in family.steps for verb in sentence.verbs}
    used |= {verb for verbs in PHRASES["prepare"].values() for verb in verbs.split()} | set(METHODS)
    assert used - {"METHOD", "PREPARE"} == set(VERBS)
    assert all("{v}" in line for verb in VERBS.values() for line in verb["templates"])


def test_numbers_are_said_as_cooks_say_them():
    said = {2.0: "2", 0.5: "1/2", 1.5: "1 1/2", 1 / 3: "1/3", 1.2: "1.2", 2.75: "2 3/4"}
    assert {amount: number(amount) for amount in said} == said


def test_a_line_stays_near_the_grams_asked_for():
    for food in foods().values():
        if food.kind in ("seasoning", "herb", "spice"):
            continue
        for grams in (150.0, 400.0, 900.0):
            rng = Random(f"{food.token}-{grams}")
            line = write_line(food, grams, rng.random() < 0.5, rng)
            assert 0.5 * grams <= line.grams <= 2.2 * grams, line


def test_expand_takes_one_of_each_choice_and_title_case_leaves_small_words():
    said = {expand("[a|b] c[| d]", Random(k)) for k in range(60)}
    assert said == {"a c", "b c", "a c d", "b c d"}
    assert title_case("grilled salmon with lemon and dill") == "Grilled Salmon with Lemon and Dill"


@given(st.integers(3, 14), st.randoms(use_true_random=False))
def test_group_keeps_every_sentence_in_order(count: int, random: Random):
    sentences = [f"S{k}." for k in range(count)]
    steps = group(sentences, random)
    assert 3 <= len(steps) <= 10
    assert " ".join(steps).split() == sentences
