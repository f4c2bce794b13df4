"""ingredient-parser-nlp, which labels the words of an ingredient line, without what makes it slow to start.

The first line takes 0.79 CPU seconds instead of 2.05 (`python benchmarks/ingredient_lines.py --start`):
pint is not imported, NLTK comes without scipy, and the weights of the tagger are read once
(`chef.text.tagger`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from types import ModuleType
from typing import Any

from chef.loading import loading
from chef.text.tagger import new_tagger, register_tagger

_one_at_a_time = Lock()


def labeller() -> Callable[..., Any]:
    """The package's `parse_ingredient`; call it with `string_units=True`.

    >>> labeller()("2 cups flour", string_units=True).name[0].text
    'flour'
    """
    with _one_at_a_time:
        return _labeller()


@cache
def _labeller() -> Callable[..., Any]:
    with loading(), _without_pint():
        register_tagger()
        from ingredient_parser import parse_ingredient
        from ingredient_parser.en import _utils

        vars(_utils)["PerceptronTagger"] = new_tagger  # shares its weights with ours
        parse_ingredient("2 cups flour", string_units=True)  # it reads its files on first use
    return parse_ingredient


@contextmanager
def _without_pint() -> Iterator[None]:
    """Inside, ingredient-parser-nlp is imported without pint.

    On import it builds a registry of all units, which takes longer than everything else and is not needed for
    units as words. That copy of the package is ours alone: other importers get the whole package.
    """
    if "pint" in sys.modules or "ingredient_parser" in sys.modules:
        yield
        return
    pint = ModuleType("pint")
    pint.UnitRegistry = pint.Unit = pint.Quantity = _NoUnits  # type: ignore[attr-defined]
    sys.modules["pint"] = pint
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in ("pint", "ingredient_parser")]:
            del sys.modules[name]


class _NoUnits:
    """A registry without units, and any unit of it."""

    def load_definitions(self, file: Any) -> None:
        """Keeps none."""

    def __call__(self, text: str) -> _NoUnits:
        return self

    def __rmul__(self, number: float) -> _NoUnits:
        return self
