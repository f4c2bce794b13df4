"""One recipe out of a file that the user names."""

from __future__ import annotations

from pathlib import Path

from chef.errors import ChefError
from chef.readers import Skipped, read
from chef.recipe import Recipe


def one_recipe(source: str | Path, id: str | None = None) -> Recipe:
    """The recipe of a file in any format that chef reads; of several the one with this id.

    >>> one_recipe("soup.json").title
    'Tomato soup'
    """
    skipped = Skipped()
    first = None
    for recipe in read(source, skipped):
        if id is None and first is not None:
            raise ChefError(f"{source} holds more than one recipe", "name one with --id")
        if id is None or recipe.id == id:
            first = recipe
        if id is not None and first is not None:
            return first
    if first is not None:
        return first
    if id is not None and not skipped.counts:
        raise ChefError(
            f"no recipe {id!r} in {source}", "chef explain without --id tells if there is just one"
        )
    raise skipped.nothing_from(source)
