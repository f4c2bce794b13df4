"""Whole ingredient lines, and their cleaning and naming. All lines are our own."""

import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chef.recipe import Ingredient
from chef.text.lines import parse, parse_line
from chef.text.lines.parse import clean, is_heading, tidy, without_state
from tests.conftest import cases, probes


@pytest.mark.parametrize(("line", "name", "amount", "unit", "weight"), probes("lines.tsv"))
def test_lines(line: str, name: str, amount: str, unit: str, weight: str) -> None:
    item = parse_line(line)
    assert (item.name, item.unit) == (name, unit)
    assert item.amount == pytest.approx(float(amount))
    assert item.grams == pytest.approx(float(weight), rel=0.1)
    assert item.line == line
    assert item.token is None


@pytest.mark.parametrize(("line", "name"), probes("names.tsv"))
def test_names(line: str, name: str) -> None:
    assert parse_line(line).name == name


@pytest.mark.parametrize(
    "line",
    ["", "   ", "For the sauce:", "FILLING", "---", "***", "12", "( )", "½", "Equipment: 2 tins"],
)
def test_no_ingredient(line: str) -> None:
    assert parse_line(line) == Ingredient(line)


def test_seasoning_without_amount() -> None:
    item = parse_line("Salt, to taste")
    assert (item.name, item.amount, item.unit) == ("salt", None, None)
    assert item.grams is not None
    assert parse_line("Cooked rice, to serve").grams is None


_WORDS = st.sampled_from(
    "1 2 1/2 ½ 1-2 cup cups g oz (14 oz) can cans ( ) , ; - / x plus or of large salt flour 7up % to".split()
)


@given(st.one_of(st.text(max_size=60), st.lists(_WORDS, max_size=9).map(" ".join)))
@settings(max_examples=150, deadline=None)
def test_any_text_gives_an_ingredient(line: str) -> None:
    item = parse_line(line)
    assert item.line == line
    assert item.name is None or item.name.strip() == item.name != ""
    assert (item.amount is None) == (item.unit is None)
    assert item.amount is None or item.amount > 0
    assert item.grams is None or item.grams >= 0


def test_very_long_text_is_quick_work() -> None:
    assert parse_line("1 (" * 20000).line.startswith("1 (")


# Lines made of parts that are known: what goes in comes out.
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
@given(st.integers(0, 9), signs, units, names)
def test_all_ways_to_write_a_fraction_are_one(number: int, sign: str, unit: str, name: str) -> None:
    before, spelled = (str(number), f"{number} {SIGNS[sign]}") if number else ("", SIGNS[sign])
    plain = facts(f"{spelled} {unit} {name}")
    assert plain[1] == pytest.approx(float(number + Fraction(SIGNS[sign])), abs=1e-4)
    assert facts(f"{before}{sign} {unit} {name}") == plain
    assert facts(f"{before} {sign} {unit} {name}".strip()) == plain


@settings(deadline=None)
@given(whole, units, names, st.integers(2, 9))
@example(30, "oz", "flour", 3)
def test_grams_grow_with_the_amount(amount: int, unit: str, name: str, times: int) -> None:
    once, more = (parse_line(f"{n} {unit} {name}").grams for n in (amount, amount * times))
    assert once is not None
    rounding = 0.005 * (times + 1) + 1e-9  # both are rounded to hundredths
    assert more == pytest.approx(times * once, rel=0, abs=rounding)


@settings(deadline=None)
@given(whole, st.integers(1, 20), units, names)
def test_a_range_is_its_middle(low: int, more: int, unit: str, name: str) -> None:
    middle = low + more / 2
    for dash in ("-", " - ", "–", " to "):
        assert parse_line(f"{low}{dash}{low + more} {unit} {name}").amount == pytest.approx(middle)


@settings(deadline=None)
@given(whole, units, names, st.text(st.sampled_from(" \t\u00a0\u2009"), max_size=4), st.booleans())
def test_what_goes_in_comes_out_whatever_the_spaces_and_capitals(
    amount: int, unit: str, name: str, space: str, loud: bool
) -> None:
    plain = facts(f"{amount} {unit} {name}")
    assert plain[:3] == (name, amount, UNITS[unit])
    name = name.upper() if loud else name
    assert facts(f"{space}{amount} {space}{unit}{space} {name}{space}") == plain


@pytest.mark.slow
def test_most_lines_of_the_open_recipes_are_understood(chef_data) -> None:  # type: ignore[no-untyped-def]
    import json

    with (chef_data / "open-recipes" / "recipes.jsonl").open(encoding="utf-8") as file:
        lines = [line for row in file for line in json.loads(row)["ingredients"]]
    items = [parse_line(line) for line in lines[::10]]
    assert sum(item.name is not None for item in items) > 0.98 * len(items)
    assert sum(item.grams is not None for item in items) > 0.95 * len(items)


@pytest.mark.parametrize(("line", "plain"), cases("text", "clean"))
def test_clean(line: str, plain: str) -> None:
    assert clean(line) == plain


def test_headings() -> None:
    headings = ["For the sauce:", "FILLING", "## Dough", "To serve:", "for the batter"]
    others = ["tomato sauce", "fortified wine", "pizza dough"]
    assert [line for line in headings + others if is_heading(clean(line))] == headings


@pytest.mark.parametrize(("text", "name"), cases("text", "tidy"))
def test_tidy(text: str, name: str | None) -> None:
    assert tidy(text) == name


def test_without_state_keeps_one_word() -> None:
    assert without_state("fresh") == "fresh"


def test_threads_take_turns_with_the_labeller(monkeypatch) -> None:
    """It keeps the features of the last line in itself."""
    inside: list[str] = []
    most = []

    def label(sentence: str, **_: bool) -> SimpleNamespace:
        inside.append(sentence)
        most.append(len(inside))
        time.sleep(0.01)
        inside.remove(sentence)
        return SimpleNamespace(amount=[], name=[])

    monkeypatch.setattr(parse, "labeller", lambda: label)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(parse.parse_name.__wrapped__, ["a cup", "b cups", "c cups", "d cups"]))
    assert most == [1] * 4
