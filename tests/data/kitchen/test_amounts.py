"""Amounts in words."""

from __future__ import annotations

from random import Random

import pytest

from chef.data.kitchen.amounts import Style, number, write_line
from chef.data.kitchen.world import foods


@pytest.mark.parametrize(
    ("amount", "glyphs", "said"),
    [
        (2.0, False, "2"),
        (0.5, False, "1/2"),
        (1.5, True, "1½"),
        (1 / 3, True, "⅓"),
        (2.75, False, "2 3/4"),
        (1.2, False, "1.2"),
    ],
)
def test_numbers_are_said_as_cooks_say_them(amount: float, glyphs: bool, said: str):
    assert number(amount, glyphs) == said


def test_a_line_stays_near_the_grams_asked_for():
    for food in foods().values():
        if food.kind in ("seasoning", "herb", "spice"):
            continue
        for grams in (150.0, 400.0, 900.0):
            rng = Random(f"{food.token}-{grams}")
            line = write_line(food, grams, Style.drawn(rng), rng)
            assert 0.5 * grams <= line.grams <= 2.2 * grams, line
