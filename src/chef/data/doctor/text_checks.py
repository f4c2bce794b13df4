"""Checks of texts: near-duplicate recipes, template steps, lines that are not ingredients, the language.

Two recipes repeat each other when they have the same title and 80 % of their ingredients' words, or
when they share 60 % of the six-word runs in their instructions (60 % of the shorter one's and 30 %
of the longer one's: polenta described within a stew is not the polenta recipe).

Whether a text is English is decided by the little words that no sentence does without. simplemma's detector
looks every word up in whole dictionaries: seconds and a gigabyte for ten languages. The little words decide
as well for instructions of a dozen words or more.
"""

import hashlib
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chef.data.doctor.duplicates import Groups, Members, Repeats, overlapping
from chef.files import rows, word_lists
from chef.food.units import unit_of
from chef.recipe import Ingredient
from chef.text.keys import spelled
from chef.text.tokens import normalise, tokenise

RUN = 6  # words
SHARED_RUNS = 0.6
_OF_THE_LONGER = 0.3
SHARED_WORDS = 0.8
_FEW_RUNS = 20  # shorter instructions ("mix and serve") are alike by chance
_FEW_WORDS = 4

_BRACKETS = re.compile(r"\([^)]*\)?")
# Odd multipliers, one per place in a run: the order of the words counts.
_PLACES = [np.uint64(0x9E3779B97F4A7C15 * (2 * place + 1) & (2**64 - 1) | 1) for place in range(RUN)]


class Texts:
    """Gathers the texts of recipes, as hashes of about a kilobyte each, and finds those that repeat.

    >>> texts = Texts()
    >>> for recipe in recipes:
    ...     texts.add(recipe.title, recipe.ingredients, words_of_the_steps)
    >>> texts.repeats(splits).across
    """

    def __init__(self) -> None:
        self._runs: list[Members] = []
        self._named: list[Members] = []

    def add(self, title: str, ingredients: Sequence[Ingredient], words: Sequence[str]) -> None:
        """Take the next recipe; `words` are the words of its steps."""
        self._runs.append(runs_of_words(words))
        self._named.append(titled_words(title, ingredients))

    def repeats(self, splits: NDArray[np.int64], templates: Sequence[Sequence[str]] = ()) -> Repeats:
        """For each recipe the earliest one it repeats; `splits` holds a number for each one's split.

        `templates` are the words of steps that count for nothing: a cook's greeting under every recipe.
        """
        runs = self._runs
        if templates:
            common = np.concatenate([runs_of_words(words) for words in templates])
            runs = [np.setdiff1d(members, common, assume_unique=True) for members in runs]
        repeats = Repeats.none(len(runs))
        # Of the longer list too: salt and water in a list of twenty are not most of it.
        relations = (
            (runs, _FEW_RUNS, SHARED_RUNS, _OF_THE_LONGER),
            (self._named, _FEW_WORDS, SHARED_WORDS, SHARED_WORDS),
        )
        for sets, few, of_shorter, of_longer in relations:
            # Equal texts are one set: a text copied a thousand times is compared once.
            recipes = np.array([n for n, members in enumerate(sets) if len(members) >= few], np.int64)
            groups = Groups(np.array([_digest(sets[n].tobytes()) for n in recipes], np.uint64), recipes)
            firsts = [sets[groups.of(group)[0]] for group in range(len(groups.keys))]
            pairs = overlapping(firsts, of_shorter)
            alike = [
                (i, j) for i, j, shared in pairs if shared >= of_longer * max(len(firsts[i]), len(firsts[j]))
            ]
            repeats.update(groups, alike, splits)
        return repeats


def runs_of_words(words: Sequence[str]) -> Members:
    """The distinct runs of six words, as sorted hashes; the same on every machine."""
    if len(words) < RUN:
        return np.empty(0, np.uint64)
    hashes = np.array([_hash(word) for word in words], np.uint64)
    total = np.zeros(len(words) - RUN + 1, np.uint64)
    for place, factor in enumerate(_PLACES):
        total += hashes[place : place + len(total)] * factor
    return np.unique(total)


def titled_words(title: str, ingredients: Sequence[Ingredient]) -> Members:
    """The words of the ingredients' names, each hashed with the title: sets of other titles share nothing.

    The set of a blank title is empty.
    """
    key = " ".join(spelled(word) for word in tokenise(title))
    if not key:
        return np.empty(0, np.uint64)
    # The words before the first comma, without brackets, numbers and units: quick, and good enough here.
    names = (_BRACKETS.sub(" ", item.line).split(",", 1)[0] for item in ingredients)
    words = {word for name in names for word in tokenise(name)}
    words = {spelled(word) for word in words if not word[0].isdigit() and unit_of(word) is None}
    return np.unique(np.array([_hash(f"{key}\n{word}") for word in words], np.uint64))


@lru_cache(maxsize=1 << 17)
def _hash(text: str) -> int:
    return _digest(text.encode())


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


MANY = 5  # recipes, in a collection of up to 5,000; one in a thousand of a larger one
_LONG_STEP = 20  # words: "preheat the oven to 350 degrees and grease a pan" is in many honest recipes


class Templates:
    """Counts equal long steps over all recipes; 16 bytes for each."""

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._recipes = array("Q")
        # Texts are kept only of steps that were seen often, by a rough count: we cannot keep them all.
        self._rough = np.zeros(1 << 20, np.uint8)
        self._texts: dict[int, str] = {}

    def add(self, recipe: int, steps: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Take the steps of the recipe at this position, each as its text and its words."""
        distinct = {
            _digest(" ".join(words).encode()): text for text, words in steps if len(words) >= _LONG_STEP
        }
        for key, text in distinct.items():
            self._hashes.append(key)
            self._recipes.append(recipe)
            bucket = key % len(self._rough)
            if self._rough[bucket] + 1 < MANY:
                self._rough[bucket] += 1
            else:
                self._texts.setdefault(key, text)

    def templates(self, recipes: int) -> tuple[int, list[tuple[int, str]]]:
        """How many of the `recipes` hold a template step; and of each such step its first recipe and text.

        The commonest step comes first.
        """
        many = max(MANY, recipes // 1000)
        hashes = np.frombuffer(self._hashes, np.uint64)
        owners = np.frombuffer(self._recipes, np.uint64)
        distinct, first, which, counts = np.unique(
            hashes, return_index=True, return_inverse=True, return_counts=True
        )
        affected = len(np.unique(owners[counts[which] >= many]))
        order = [int(n) for n in np.lexsort((first, -counts)) if counts[n] >= many]
        return affected, [(int(owners[first[n]]), self._texts[int(distinct[n])]) for n in order]


_LONG_LINE = 200  # characters
_SENTENCE = 14  # words
_MARKUP = re.compile(r"^(?:#+\s|\*\*[^*]+\*\*:?$|__[^_]+__:?$|<h\d)")
_FOR_THE = re.compile(
    r"^for (?:the|your) [a-z' -]+$|^for (?:serving|garnish|decoration|assembly)$|^ingredients?$"
)
_AMOUNT = re.compile(r"\d")
_LISTS = word_lists("chef.data.doctor", "words.tsv")
_COMMANDS, _AFTER_COMMAND = frozenset(_LISTS["command"]), frozenset(_LISTS["after command"])
# Not after abbreviations such as "tbsp.".
_TWO_SENTENCES = re.compile(r"(?<!tbsp)(?<!tbsps)(?<!approx)(?<=[a-z)]{4})[.!?]\s+[A-Z][a-z]+ [a-z]+ ")


def odd_line(line: str, others: Sequence[str] = ()) -> str | None:
    """The kind of problem of an ingredient line, or None; `others` are the lines of the same list.

    >>> odd_line("For the sauce:"), odd_line("Stir in the flour until smooth."), odd_line("2 eggs")
    ('heading-as-ingredient', 'instruction-as-ingredient', None)
    """
    text = line.strip()
    if not any(sign.isalpha() for sign in text):
        return "ingredient-without-words"
    if _is_heading(text, others):
        return "heading-as-ingredient"
    if len(text) > _LONG_LINE:
        return "long-ingredient-line"
    words = normalise(text).split()
    if len(words) >= 3 and words[0] in _COMMANDS and words[1] in _AFTER_COMMAND:
        return "instruction-as-ingredient"
    if (len(words) >= _SENTENCE and text.endswith((".", "!", "?"))) or _TWO_SENTENCES.search(text):
        return "sentence-as-ingredient"
    return None


def _is_heading(text: str, others: Sequence[str]) -> bool:
    if _MARKUP.match(text) or _FOR_THE.match(normalise(text)):
        return True
    if _AMOUNT.search(normalise(text)):
        return False
    # A cook who writes everything in capitals does not mean headings.
    shouted = text.isupper() and len(text) > 3 and sum(other.isupper() for other in others) * 2 < len(others)
    return shouted or text.endswith(":")


_ENOUGH = 12  # words: below this nothing is said
_SHARE = 0.12  # part of the words that must be little words of the other language

_LITTLE = word_lists("chef.data.doctor", "languages.tsv")
_ENGLISH = frozenset(_LITTLE["English"])
_OTHERS = {
    name: frozenset(words) - _ENGLISH - frozenset(_LITTLE["shared"])
    for name, words in _LITTLE.items()
    if name not in ("English", "shared")
}


def foreign_language(words: Sequence[str]) -> str | None:
    """The language of a text's words (see `tokenise`) where it is surely not English, else None.

    >>> foreign_language("den ofen auf 180 grad vorheizen und die butter mit dem zucker mischen".split())
    'German'
    """
    if script := _script(words):
        return script
    if len(words) < _ENOUGH:
        return None
    counts = Counter(words)
    english = sum(counts[word] for word in _ENGLISH)
    language, most = max(
        ((name, sum(counts[word] for word in little)) for name, little in _OTHERS.items()),
        key=lambda item: item[1],
    )
    return language if most > english and most >= _SHARE * len(words) else None


def _script(words: Sequence[str]) -> str | None:
    """The script of the most letters, where it is not the Latin one."""
    letters = "".join(words)
    if letters.isascii():
        return None
    other = [sign for sign in letters if ord(sign) > 0x2FF and sign.isalpha()]
    if 2 * len(other) <= len(letters):
        return None
    scripts = Counter(unicodedata.name(sign, "?").split()[0] for sign in other[:1000])
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:
        return "Japanese"  # which writes Chinese signs too
    languages = {row[0]: row[1] for row in rows("chef.data.doctor", "scripts.tsv")}
    return languages.get(scripts.most_common(1)[0][0], "a language in another script")
