"""Names of ingredients: what stays and what goes."""

from __future__ import annotations

import pytest

from chef.text.lines.names import tidy, without_state


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Unsalted Butter", "unsalted butter"),
        ("large fresh basil leaves", "basil"),
        ("bay leaves", "bay leaves"),
        ("frozen peas", "peas"),
        ("frozen yogurt", "frozen yogurt"),
        ("toasted sesame oil", "toasted sesame oil"),
        ("toasted pine nuts", "pine nuts"),
        ("whole milk", "whole milk"),
        ("whole onions", "onions"),
        ("boneless, skinless chicken breasts", "chicken breasts"),
        ("finely chopped red onion", "red onion"),
        ("juice of lemons", "lemon juice"),
        ("zest and juice of lime", "lime"),
        ("oil, olive", "olive oil"),
        ("butter, softened", "butter"),
        ("chopped", None),
        ("...", None),
    ],
)
def test_tidy(text: str, name: str | None) -> None:
    assert tidy(text) == name


def test_without_state_keeps_one_word() -> None:
    assert without_state("fresh") == "fresh"
