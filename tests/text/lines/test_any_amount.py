"""Ingredient lines made of parts that are known: what goes in comes out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.text.lines import parse_line

UNITS = {"cups": "cup", "g": "gram", "tbsp": "tablespoon", "teaspoons": "teaspoon", "oz": "ounce", "ml": "ml"}
NAMES = ["flour", "brown sugar", "olive oil", "chicken stock", "sesame seeds", "red lentils"]
SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}

whole = st.integers(1, 40)
signs = st.sampled_from(sorted(SIGNS))
units = st.sampled_from(["cups", "g", "tbsp", "teaspoons", "oz"])
names = st.sampled_from(NAMES)


def facts(line: str) -> tuple[object, ...]:
    item = parse_line(line)
    return item.name, item.amount, item.unit, item.grams


@settings(deadline=None)
@given(whole, units, names)
def test_amount_unit_and_name_come_back(amount: int, unit: str, name: str) -> None:
    item = parse_line(f"{amount} {unit} {name}")
    assert (item.name, item.amount, item.unit) == (name, amount, UNITS[unit])


@settings(deadline=None)
@given(st.integers(0, 9), signs, units, names)
def test_all_ways_to_write_a_fraction_are_one(number: int, sign: str, unit: str, name: str) -> None:
    before, spelled = (str(number), f"{number} {SIGNS[sign]}") if number else ("", SIGNS[sign])
    plain = facts(f"{spelled} {unit} {name}")
    assert plain[1] == pytest.approx(float(number + Fraction(SIGNS[sign])), abs=1e-4)
    assert facts(f"{before}{sign} {unit} {name}") == plain
    assert facts(f"{before} {sign} {unit} {name}".strip()) == plain


@settings(deadline=None)
@given(whole, units, names, st.integers(2, 9))
def test_grams_grow_with_the_amount(amount: int, unit: str, name: str, times: int) -> None:
    once, more = (parse_line(f"{n} {unit} {name}").grams for n in (amount, amount * times))
    assert once is not None
    assert more == pytest.approx(times * once, abs=0.006 * times)  # both are rounded to hundredths


@settings(deadline=None)
@given(whole, st.integers(1, 20), units, names)
def test_a_range_is_its_middle(low: int, more: int, unit: str, name: str) -> None:
    middle = low + more / 2
    for dash in ("-", " - ", "–", " to "):
        assert parse_line(f"{low}{dash}{low + more} {unit} {name}").amount == pytest.approx(middle)


@settings(deadline=None)
@given(whole, units, names, st.text(st.sampled_from(" \t\u00a0\u2009"), max_size=4), st.booleans())
def test_spaces_and_capitals_do_not_matter(amount: int, unit: str, name: str, space: str, loud: bool) -> None:
    plain = facts(f"{amount} {unit} {name}")
    name = name.upper() if loud else name
    assert facts(f"{space}{amount} {space}{unit}{space} {name}{space}") == plain
