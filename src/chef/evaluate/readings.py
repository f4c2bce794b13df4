"""Recipes as models read them, made once for all models that read alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chef.data.texts import RecipeText, TextMaker
from chef.evaluate.population import Population


class Readings:
    """The texts of populations, by canonical map and lengths.

    >>> Readings().texts(chef.texts, population)[0].ingredients
    ['chicken', 'rice']
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], list[RecipeText]] = {}

    def texts(self, maker: TextMaker, population: Population) -> list[RecipeText]:
        """The recipes of a population with this canonical map, cut to these lengths; not to be changed."""
        key = (maker.canonical.digest, maker.settings, population.name, population.ids)
        if key not in self._known:
            self._known[key] = _read(maker, population)
        return self._known[key]


def _read(maker: TextMaker, population: Population) -> list[RecipeText]:
    read = maker.words if maker.canonical.digest == population.canonical else maker.from_parsed
    # The text that word2vec learns from would be most of the memory, and nobody asks for it here.
    return [replace(read(recipe), raw_text=[], canonical_text=[]) for recipe in population.recipes]
