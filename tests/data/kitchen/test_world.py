"""The foods: enough of them, and every name means one thing."""

from __future__ import annotations

from chef.data.kitchen.paint.carpets import BEDS
from chef.data.kitchen.paint.compose import UNSEEN
from chef.data.kitchen.paint.shapes import CUTS
from chef.data.kitchen.pools import CUISINES, POOLS
from chef.data.kitchen.world import SWAP_FAMILIES, foods, surface_forms, swap_family

# Shapes that a scene draws itself, as a crust.
_CRUSTS = {"toast", "bun", "flatbread", "dough", "pastry", "dumpling", "wrap"}


def test_there_are_a_few_hundred_foods():
    assert len(foods()) >= 250


def test_no_surface_form_belongs_to_two_foods():
    forms = [form.lower() for food in foods().values() for form in food.forms]
    assert len(forms) == len(set(forms)) == len(surface_forms())


def test_every_food_can_be_painted():
    known = set(CUTS) | set(BEDS) | set(UNSEEN) | _CRUSTS
    assert {food.shape for food in foods().values()} <= known


def test_every_food_is_in_some_pool():
    lines = [*POOLS.values(), *(line for cuisine in CUISINES.values() for line in cuisine.values())]
    named = {entry.partition("*")[0] for line in lines for entry in line.split()}
    assert named <= set(foods()) | set(POOLS)


def test_swap_families_are_foods_and_do_not_overlap():
    tokens = [token for family in SWAP_FAMILIES.values() for token in family]
    assert len(tokens) == len(set(tokens))
    assert set(tokens) <= set(foods())
    assert swap_family("chicken_breasts") == "chicken"
    assert swap_family("chicken_stock") is None
