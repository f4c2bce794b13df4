"""Recipes of the generated kitchen and the truth about them."""

import os
import re
import subprocess
import sys

import pytest

from chef.data.kitchen import Dish, cook, foods, generate
from chef.data.kitchen.tables import FAMILIES
from chef.text.lines import parse_line

SAMPLE = 1200


@pytest.fixture(scope="module")
def dishes() -> list[Dish]:
    return list(generate(SAMPLE, seed=0))


def _sentences(made: Dish) -> list[str]:
    return [part for step in made.recipe.steps for part in re.split(r"(?<=\.) ", step.text)]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text.lower())


_FORMS = {tuple(_words(form)): food.token for food in foods().values() for form in food.forms}


def _tokens_in(text: str) -> list[str]:
    """Canonical tokens named in a text, longest match first: the slow, obvious way."""
    words, out, at = _words(text), [], 0
    while at < len(words):
        lengths = range(min(5, len(words) - at), 0, -1)
        hit = next((n for n in lengths if tuple(words[at : at + n]) in _FORMS), None)
        if hit:
            out.append(_FORMS[tuple(words[at : at + hit])])
        at += hit or 1
    return out


def test_a_dish_depends_on_seed_and_number_alone():
    few, more = list(generate(3, seed=4)), list(generate(9, seed=4))
    assert few == more[:3]
    assert cook(4, 7) == more[7]
    assert cook(5, 7).recipe.ingredients != more[7].recipe.ingredients


def test_another_process_makes_the_same_recipes():
    code = "from chef.data.kitchen import cook; print(ascii([cook(2, i).recipe for i in range(5)]))"
    # A different hash seed would show any use of hash() or of set order.
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert printed.strip() == ascii([cook(2, index).recipe for index in range(5)])


def test_a_recipe_is_raw_and_of_real_size_and_its_main_ingredient_the_heaviest(dishes: list[Dish]):
    first = dishes[0].recipe
    assert (first.id, first.source, first.licence) == ("kitchen-0-000000", "generated kitchen", "CC0-1.0")
    for made in dishes:
        assert made.recipe.title
        assert 4 <= len(made.recipe.ingredients) <= 14
        assert 3 <= len(made.recipe.steps) <= 10
        assert all(item.name is item.token is item.grams is None for item in made.recipe.ingredients)
        rest = [grams for token, grams in made.grams.items() if token not in (made.main, "water")]
        assert made.main != "water"
        assert made.grams[made.main] > max(rest)


def test_grams_are_what_our_reader_of_lines_reads(dishes: list[Dish]):
    """Weighed lines exactly; household measures nearly always within a quarter."""
    near = []
    for made in dishes[:200]:
        assert tuple(made.grams) == made.tokens
        for item, token in zip(made.recipe.ingredients, made.tokens, strict=True):
            read, grams = parse_line(item.line), made.grams[token]
            assert read.name, item.line
            if read.unit in ("gram", "kilogram"):
                assert read.grams == pytest.approx(grams), item.line
            near.append(read.grams is not None and 0.8 < read.grams / grams < 1.25)
    assert sum(near) > 0.98 * len(near)


def test_lines_and_steps_name_what_is_in_the_recipe_and_actions_stand_in_their_sentences(dishes: list[Dish]):
    for made in dishes:
        sentences = _sentences(made)
        for item, token in zip(made.recipe.ingredients, made.tokens, strict=True):
            assert _tokens_in(item.line) == [token], item.line
        named = {token for sentence in sentences for token in _tokens_in(sentence)}
        assert made.main in named <= {*made.tokens, "water"}, made.recipe.id
        for sentence, action in zip(sentences, made.actions, strict=True):
            assert action in _words(sentence), sentence


def test_titles_actions_and_places_of_the_main_ingredient_vary(dishes: list[Dish]):
    assert 0.35 <= sum(made.tokens[0] == made.main for made in dishes) / SAMPLE <= 0.45
    assert len({made.recipe.title.lower() for made in dishes}) > 0.75 * SAMPLE
    assert {made.family for made in dishes} == set(FAMILIES)
    assert len({action for made in dishes for action in made.actions}) >= 70
    table = foods()
    named = sum(any(form in made.recipe.title.lower() for form in table[made.main].forms) for made in dishes)
    assert 0.6 < named / SAMPLE < 0.9
