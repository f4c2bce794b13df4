"""ingredient-parser-nlp, which labels the words of an ingredient line, started in a third of its time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from types import ModuleType
from typing import Any

from chef.loading import loading
from chef.text.tagger import ensure_tagger, new_tagger

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
    with loading(), _no_units():
        ensure_tagger()
        from ingredient_parser import parse_ingredient
        from ingredient_parser.en import _utils

        vars(_utils)["PerceptronTagger"] = new_tagger  # the same one, read faster
        parse_ingredient("2 cups flour", string_units=True)  # it reads its files on first use
    return parse_ingredient


@contextmanager
def _no_units() -> Iterator[None]:
    """Inside, ingredient-parser-nlp is imported without pint.

    It builds a registry of all units on import, which takes longer than all else that it does, and of which
    words for units need nothing. Such a copy of the package is ours alone: who else imports it gets it whole.
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
        """None is kept."""

    def __call__(self, text: str) -> _NoUnits:
        return self

    def __rmul__(self, number: float) -> _NoUnits:
        return self
