"""Two taggers without what makes them slow to start: parts of speech, and the words of ingredient lines.

NLTK's averaged perceptron tags parts of speech. Its weights lie in `nltk_data`, as NLTK reads them, so
nothing is downloaded (made by scripts/make_tagger.py; MIT, the licence is in the archive).
ingredient-parser-nlp, which labels the words of an ingredient line, uses NLTK's tagger too, and would
download its weights. Its first line takes 0.79 CPU seconds instead of 2.05 (`python
benchmarks/ingredient_lines.py --start`): pint is not imported, NLTK comes without scipy, and the weights are
read once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from pathlib import Path
from threading import Lock, get_ident
from types import ModuleType
from typing import Any
from zipfile import ZipFile

from chef.files import loading

_DATA = Path(__file__).with_name("nltk_data")
_NAME = "averaged_perceptron_tagger_eng"
_one_at_a_time = Lock()


class _Hiding(MetaPathFinder):
    """Finds none of the packages, for this thread only."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages, self.thread = packages, get_ident()

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if get_ident() == self.thread and name.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"{name} is not needed here", name=name)


@contextmanager
def hidden(*packages: str) -> Iterator[None]:
    """Inside, these packages cannot be imported, as if they were not installed, unless they are loaded.

    >>> with hidden("scipy"):
    ...     import nltk
    """
    finder = _Hiding(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@cache
def register_tagger() -> None:
    """Tell NLTK where the weights are; call it before `import ingredient_parser`, which would download them.

    NLTK is imported without scipy and scikit-learn, which it wants for statistics that are not used here. (A
    program that needs these statistics imports NLTK first.)
    """
    with hidden("scipy", "sklearn"):
        import nltk.data

    # Ours goes first so that every machine tags alike.
    nltk.data.path.insert(0, str(_DATA))


def new_tagger() -> Any:
    """What NLTK's `PerceptronTagger()` is, in half the time; all share one set of weights."""
    register_tagger()
    from nltk.tag.perceptron import PerceptronTagger

    tagger = PerceptronTagger(load=False)
    tagger.decode_json_params((_weights(), _read("tagdict"), _read("classes")))
    return tagger


_tagger = cache(new_tagger)


def pos_tag(tokens: Sequence[str]) -> list[str]:
    """Penn tags of the words of one sentence.

    >>> pos_tag(["you", "stir", "the", "sauce"])
    ['PRP', 'VBP', 'DT', 'NN']
    """
    return [tag for _, tag in _tagger().tag(list(tokens))]


def _read(part: str) -> Any:
    with ZipFile(_DATA / "taggers" / f"{_NAME}.zip") as archive:
        return json.loads(archive.read(f"{_NAME}/{_NAME}.{part}.json"))


@cache
def _weights() -> Any:
    return _read("weights")


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
