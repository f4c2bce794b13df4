"""Numbers as cooks write them."""

from __future__ import annotations

import pytest

from chef.text.lines.numbers import spell_out, value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3), ("1/2", 0.5), ("1 1/2", 1.5), ("1-1/2", 1.5), ("2.25", 2.25), ("1,5", 1.5), (".5", 0.5),
        ("1,000", 1000), ("12,500", 12500),
    ],
)  # fmt: skip
def test_value(text: str, number: float) -> None:
    assert value(text) == pytest.approx(number)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("two onions", "2 onions"),
        ("half a lemon", "1/2 lemon"),
        ("one and a half cups milk", "1 1/2 cups milk"),
        ("1 and 1/2 cups milk", "1 1/2 cups milk"),
        ("a dozen eggs", "12 eggs"),
        ("half a dozen eggs", "6 eggs"),
        ("2 dozen clams", "24 clams"),
        ("a few sprigs dill", "3 sprigs dill"),
        ("juice of half a lime", "juice of 1/2 lime"),
        ("half and half", "half and half"),
        ("five-spice powder", "five-spice powder"),
        ("peaches, cut in half", "peaches, cut in half"),
    ],
)
def test_spell_out(text: str, digits: str) -> None:
    assert spell_out(text) == digits
