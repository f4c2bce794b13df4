"""Numbers, amounts, and what amounts say together."""

import pytest

from chef.text.lines import parse_line
from chef.text.lines.amounts import Quantity, find, read, spell_out, value
from tests.conftest import cases


def _read(text: str) -> Quantity:
    quantity = read(text, find(text))
    assert quantity is not None
    return quantity


def _parts(text: str) -> list[tuple[float, str]]:
    return [(pytest.approx(value), unit.name if unit else "") for value, unit in _read(text).parts]


@pytest.mark.parametrize(("text", "number"), cases("text", "value"))
def test_value(text: str, number: float) -> None:
    assert value(text) == pytest.approx(number)


@pytest.mark.parametrize(("text", "digits"), cases("text", "spell out"))
def test_spell_out(text: str, digits: str) -> None:
    assert spell_out(text) == digits


@pytest.mark.parametrize(("text", "value", "unit"), cases("text", "find"))
def test_find(text: str, value: float, unit: str | None) -> None:
    first = find(text)[0]
    assert first.value == pytest.approx(value)
    assert (first.unit.name if first.unit else None) == unit


@pytest.mark.parametrize("text", ["7up", "5-spice powder", "2% milk", "00 flour", "3-bean salad"])
def test_numbers_of_a_name_are_no_amounts(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(("text", "parts"), cases("text", "parts to weigh"))
def test_parts_to_weigh(text: str, parts: list[list[float | str]]) -> None:
    assert _parts(text) == [tuple(part) for part in parts]


def test_amount_as_the_author_counts() -> None:
    cans = _read("2 (14 oz) cans beans")
    assert (cans.amount, cans.unit.name if cans.unit else None) == (2, "can")
    assert _read("1 cup plus 2 tablespoons sugar").amount == pytest.approx(1.125)
    ginger = _read("2 (1-inch) pieces ginger")
    assert (ginger.amount, ginger.unit.name if ginger.unit else None) == (2, "inch")
    # The length of a preparation is no amount.
    assert read("beef, cut into 1-inch cubes", find("beef, cut into 1-inch cubes")) is None


@pytest.mark.parametrize("digits", [10, 320, 350, 399])
@pytest.mark.parametrize("pattern", cases("text", "absurd numbers are no amounts"))
def test_absurd_numbers_are_no_amounts(pattern: str, digits: int) -> None:
    line = parse_line(pattern.replace("{}", "9" * digits))
    assert all(number is None or 0 <= number < 1e9 for number in (line.amount, line.grams))
