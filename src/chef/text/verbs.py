"""Verbs: the paper's test (WordNet knows the word as a verb) and a stricter one (it is used as one here).

The published code lemmatised words as nouns; here the verb rules of WordNet's morphy are used.

Two taggers are here too, without what makes them slow to start: parts of speech, and the words of ingredient
lines. NLTK's averaged perceptron tags parts of speech. Its weights lie in `nltk_data`, as NLTK reads them
(made by scripts/make_tagger.py; MIT, the licence is in the archive). ingredient-parser-nlp, which labels the
words of an ingredient line, uses NLTK's tagger too, and would download its weights where NLTK does not find
them or does not trust their folder; here it gets ours. Its first line takes 0.79 CPU seconds instead of 2.05
(`python benchmarks/ingredient_lines.py --start`): pint is not imported, NLTK comes without scipy, and the
weights are read once.
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

from chef.files import loading, rows, word_lists

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
        import nltk.data

        find, nltk.data.find = nltk.data.find, str  # on import it looks for the weights, and downloads them
        try:
            from ingredient_parser import parse_ingredient
        finally:
            nltk.data.find = find
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


# WordNet's rules of detachment for verbs: ending and what takes its place.
_ENDINGS = (
    ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip
_MODIFIED = ("NN", "JJ")  # what follows a participle that is an adjective: chopped ONIONS
_OBJECT = ("DT", "PRP", "PRP$")  # what an order is followed by and a noun is not: dust IT, whisk THE eggs
_NAMES = ("DT", "PRP$", "JJ", "CD", "POS", "IN")  # what stands before a noun and not before an order
_THINGS = frozenset(word_lists("chef.text", "words.tsv")["thing"])
# Orders follow these directly: "and BAKE", "then STIR", "gently FOLD".
_JOINTS = frozenset("and then or to gently slowly carefully lightly quickly immediately".split())


@cache
def _wordnet() -> tuple[frozenset[str], dict[str, str]]:
    """Verbs, and irregular forms with the verb of each."""
    lines = [row[0].split() for row in rows("chef.text", "verbs.txt")]
    lemmas = frozenset(line[0] for line in lines if len(line) == 1)
    return lemmas, dict(line for line in lines if len(line) == 2)


@cache
def lemma(word: str) -> str | None:
    """The verb that `word` is a form of, by WordNet, or None.

    >>> lemma("chopped"), lemma("frying"), lemma("beef"), lemma("onion")
    ('chop', 'fry', 'beef', None)
    """
    lemmas, forms = _wordnet()
    if word in forms:
        return forms[word]
    if word in lemmas:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and (stem := word[: len(word) - len(ending)] + instead) in lemmas:
            return stem
    return None


def is_verb(word: str) -> bool:
    """Whether WordNet knows the word as a verb: the paper's test for action words (Table 6)."""
    return lemma(word) is not None


def verbs(tokens: Sequence[str]) -> list[int]:
    """Positions of the words that are used as verbs in this sentence, by tagger and WordNet.

    >>> verbs(["brown", "the", "chopped", "onions", "and", "season", "them"])
    [0, 5]
    """
    if not tokens:
        return []
    # Taggers learned from news read an order as a noun; with a subject in front it becomes a statement.
    tags = pos_tag(["you", *tokens])[1:]
    return [i for i in range(len(tokens)) if _used_as_verb(tokens, tags, i)]


def _used_as_verb(tokens: Sequence[str], tags: Sequence[str], i: int) -> bool:
    word, tag = tokens[i], tags[i]
    base = lemma(word)
    if base is None:
        return False
    after = tags[i + 1] if i + 1 < len(tags) else ""
    # No subject-less sentence but an order begins with a bare verb, whatever the tagger says.
    if word == base and _order(tokens, tags, i, after):
        return True
    if tag == "VBG" and (i == 0 or tags[i - 1] in _NAMES):
        return False  # stirring constantly, before serving: how and when, not what
    participle = tag in ("VBN", "VBD", "VBG") and i > 0 and tags[i - 1] not in ("TO", "MD")
    if participle and after.startswith(_MODIFIED):
        return False  # chopped onions, boiling water
    return tag.startswith("VB") and not (word in _THINGS and after not in _OBJECT)


def _order(tokens: Sequence[str], tags: Sequence[str], i: int, after: str) -> bool:
    if i == 0:
        return tags[i] not in ("DT", "IN", "PRP", "CD", "WRB", "RB")
    if tags[i - 1] in _NAMES and tokens[i - 1] not in _JOINTS:
        return after in _OBJECT and tags[i - 1] == "JJ"  # when it is hot DROP the dumplings in
    if after in _OBJECT:
        return True
    return tokens[i - 1] in _JOINTS and tokens[i] not in _THINGS and not after.startswith(_MODIFIED)
