from dataclasses import replace

import pytest

from chef.files import rows
from chef.food.kinds import kind_of
from chef.food.spare import least
from chef.recipe import Recipe
from tests.conftest import cases
from tests.rewrite.small import canonical, parsed, recipe


def going(title: str, lines: str, step: str = "Cook.") -> list[str]:
    """All that may go, in order."""
    made: Recipe = recipe(title, lines.split("; "), [step])
    made = replace(made, ingredients=tuple(parsed(item.line) for item in made.ingredients))
    main, gone = made.ingredients[0].token, []
    while one := least(made, main):
        gone.append(one.token)
        made = made.with_ingredients(item for item in made.ingredients if item.token != one.token)
    return gone


@pytest.mark.parametrize(("title", "lines", "gone"), cases("food", "what may go"))
def test_what_may_go(title, lines, gone):
    assert going(title, lines) == gone


def test_what_is_blended_in_is_no_garnish():
    lines = "1 kg chicken; 50 g cilantro; 300 g rice; salt"
    assert going("Arroz con Pollo", lines, "Blend the cilantro with the stock.") == []
    assert going("Arroz con Pollo", lines, "Top with the cilantro.") == []
    assert going("Arroz con Pollo", lines.replace("50 g", "10 g"), "Top with the cilantro.") == ["cilantro"]


def test_every_name_is_known():
    kinds = {row[0] for row in rows("chef.food", "kinds.tsv")}
    names = [name for row in rows("chef.food", "spare.tsv") for name in row[0].split("|") if name != "*"]
    names += [name for row in rows("chef.food", "signatures.tsv") for name in row[1].split("|")]
    unknown = [
        name for name in names if name not in kinds and not kind_of(name) and not canonical().token(name)
    ]
    assert not unknown
    assert all(row[2] == "stays" or row[2].isdigit() for row in rows("chef.food", "spare.tsv"))
