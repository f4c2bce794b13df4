"""Words: choices, grouping, titles."""

from __future__ import annotations

from random import Random

import pytest

from chef.data.kitchen.dishes import FAMILIES
from chef.data.kitchen.phrasing import expand, group, title_case
from chef.data.kitchen.verbs import METHODS, VERBS


def test_expand_takes_one_of_each_choice():
    said = {expand("[a|b] c[| d]", Random(k)) for k in range(60)}
    assert said == {"a c", "b c", "a c d", "b c d"}


@pytest.mark.parametrize("count", [3, 4, 9, 14])
def test_group_keeps_every_sentence_in_order(count: int):
    sentences = [f"S{k}." for k in range(count)]
    for seed in range(20):
        steps = group(sentences, Random(seed))
        assert 3 <= len(steps) <= 10
        assert " ".join(steps).split() == sentences


def test_title_case_leaves_small_words():
    assert title_case("grilled salmon with lemon and dill") == "Grilled Salmon with Lemon and Dill"


def test_every_verb_of_the_grammar_has_words():
    used = {verb for family in FAMILIES for sentence in family.sentences for verb in sentence.verbs}
    methods = {method for family in FAMILIES for method in family.methods}
    assert used - {"METHOD"} <= set(VERBS)
    assert methods <= set(VERBS)
    assert methods <= set(METHODS)


def test_every_sentence_speaks_of_roles_the_family_has():
    for family in FAMILIES:
        roles = {slot.role for slot in family.slots} | {"oven"}
        for sentence in family.sentences:
            named = {role for role in (*sentence.what, *sentence.extra) if not role.startswith("=")}
            assert named <= roles, (family.name, named - roles)
