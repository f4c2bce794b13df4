from __future__ import annotations

import pytest

from chef.rewrite.clauses import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Stir in the rice and bake it.", ["Stir in the rice", "bake it."]),
        ("Rinse the rice, then boil the water; add salt.", ["Rinse the rice", "boil the water", "add salt."]),
        ("Cook the rice until soft.", ["Cook the rice until soft."]),
        ("", []),
    ],
)
def test_orders(text, parts):
    assert [text[one.start : one.end] for one in clauses(text)] == parts
