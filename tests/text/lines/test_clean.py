"""Lines made plain."""

from __future__ import annotations

import pytest

from chef.text.lines.clean import clean, is_heading


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("- 2T Butter", "2 tbsp butter"),
        ("* 2 t salt", "2 tsp salt"),
        ("[ ] 1½ cups rice", "1 1/2 cups rice"),
        ("[fish sauce](http://example.com/x)", "fish sauce"),
        ("**Cream Cheese®**", "cream cheese"),
        ("Pinch of salt", "1 pinch of salt"),
        ("about 2 cups leeks (see note 4)", "2 cups leeks"),
        ("2x onions", "2 onions"),
        ("🍋 1 lemon\u2060", "1 lemon"),
        ("1 cup all - purpose flour", "1 cup all-purpose flour"),
    ],
)
def test_clean(line: str, plain: str) -> None:
    assert clean(line) == plain


def test_headings() -> None:
    headings = ["For the sauce:", "FILLING", "## Dough", "To serve:", "for the batter"]
    others = ["tomato sauce", "fortified wine", "pizza dough"]
    assert [line for line in headings + others if is_heading(clean(line))] == headings
