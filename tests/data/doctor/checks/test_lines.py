from __future__ import annotations

import pytest

from chef.data.doctor.checks.lines import odd_line


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("For the glaze:", "heading-as-ingredient"),
        ("For the glaze", "heading-as-ingredient"),
        ("## Filling", "heading-as-ingredient"),
        ("**Filling**", "heading-as-ingredient"),
        ("3/4", "ingredient-without-words"),
        ("---", "ingredient-without-words"),
        ("", "ingredient-without-words"),
        ("1 cup of " + "very " * 50 + "good oil", "long-ingredient-line"),
        ("Stir in the flour until smooth", "instruction-as-ingredient"),
        ("Add all of it to a bowl.", "instruction-as-ingredient"),
        ("Any oil will do here. My aunt swears by sunflower oil though.", "sentence-as-ingredient"),
        (
            "I have found that old bread from the day before makes a much better crumb than new.",
            "sentence-as-ingredient",
        ),
    ],
)
def test_odd(line: str, kind: str) -> None:
    assert odd_line(line) == kind


@pytest.mark.parametrize(
    "line",
    [
        "2 cups flour",
        "½ cup sugar:",  # a slip of the pen, not a heading
        "1 1/2 tsp. Madras curry powder",
        "2 Tbsp. Dijon mustard or so",
        "8 cut up chicken pieces",
        "Cut-up fruit of your choice",
        "mix nuts, a handful",
        "Season salt",
        "ground beef",
        "salt and pepper to taste",
        "oil for the pan",
        "A long list of toppings, such as olives, capers, onions, peppers, mushrooms, corn and ham",
    ],
)
def test_ordinary(line: str) -> None:
    assert odd_line(line) is None


def test_capitals_are_a_heading_only_among_small_letters() -> None:
    assert odd_line("ICING", ["2 eggs", "ICING", "1 cup sugar"]) == "heading-as-ingredient"
    assert odd_line("BUTTER", ["EGGS", "BUTTER", "SUGAR"]) is None
