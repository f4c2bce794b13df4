"""The canonical tokens of a parsed recipe."""

from __future__ import annotations

from chef.food.canonical import token_of
from chef.recipe import Ingredient


def token_of_line(item: Ingredient) -> str:
    """The canonical token of a parsed line that names something, or what it would be.

    >>> token_of_line(Ingredient("1 dragon fruit", name="dragon fruit"))
    'dragon_fruit'
    """
    return item.token or token_of(item.name or "")
