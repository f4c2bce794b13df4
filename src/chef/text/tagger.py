"""The part-of-speech tagger: NLTK's averaged perceptron, with its weights in the package.

ingredient-parser-nlp uses NLTK's tagger too, and would download its weights. They lie in `nltk_data`, as NLTK
reads them, so nothing is downloaded (made by scripts/make_tagger.py; MIT, the licence is in the archive).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from pathlib import Path
from threading import get_ident
from typing import Any
from zipfile import ZipFile

_DATA = Path(__file__).with_name("nltk_data")
_NAME = "averaged_perceptron_tagger_eng"


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
