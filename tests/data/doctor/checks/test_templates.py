from __future__ import annotations

from chef.data.doctor.checks.templates import Templates
from chef.text.tokens import tokenise

_LONG = (
    "Thank you for reading this far and do not forget to tell all of your friends about my kitchen blog today"
)
_SHORT = "Heat the oven to 180 degrees"


def test_a_long_step_of_five_recipes_is_a_template() -> None:
    templates = Templates()
    for recipe in range(7):
        steps = [_SHORT, f"Stir {recipe} times"] + ([_LONG, _LONG] if recipe >= 2 else [])
        templates.add(recipe, [(step, tokenise(step)) for step in steps])
    assert templates.found(7) == (5, [(2, _LONG)])
    # In a large collection five are few.
    assert templates.found(10_000) == (0, [])


def test_four_are_not_many() -> None:
    templates = Templates()
    for recipe in range(4):
        templates.add(recipe, [(_LONG, tokenise(_LONG))])
    assert templates.found(4) == (0, [])
    assert Templates().found(0) == (0, [])
