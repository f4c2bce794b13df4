"""The words of a query as a collection knows them: other languages and typos are read, unknown words told.

A word is known if a recipe's title, the names of foods, or the model's vocabulary has it. Names of foods and
dishes in other languages are in other_languages.tsv; a German compound is taken apart. Of the words that are
spelled nearly the same, the nearest is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from chef.files import rows, word_lists
from chef.text.keys import spelled
from chef.text.tokens import tokenise

_ELIDED = re.compile(r"\b[dl]['\u2019](?=\w)", re.IGNORECASE)  # l'oignon, d'agneau
_JOINTS = ("", "n", "s", "en", "es")  # between the parts of a German compound
_LONGEST = 5  # words of a name
_SHORTEST_PART, _SHORTEST = 3, 4  # letters of a part of a compound, and of a word that may be misspelled
_MOST_ERRORS = ((10, 3), (6, 2), (0, 1))  # from so many letters on


@dataclass(frozen=True)
class Spelling:
    """A query in known words."""

    text: str
    corrected: dict[str, str]  # words, or several together, and what they were taken for
    unknown: list[str]


def spell(text: str, titles: Mapping[str, int], knows: Callable[[str], bool]) -> Spelling:
    """Replace the words of a query that are not known by those that were meant.

    titles: the words of the collection's titles and how many have them; knows: whether a word, in the
    singular, is one of another kind that is known.

    >>> spell("spagetti mit tomaten", {"spaghetti": 3, "tomato": 5}, lambda word: False)
    Spelling(text='spaghetti tomato', corrected={'spagetti': 'spaghetti', 'tomaten': 'tomato'}, unknown=[])
    """

    def is_known(word: str) -> bool:
        return spelled(word) in titles or knows(spelled(word)) or any(sign.isdigit() for sign in word)

    words = tokenise(_ELIDED.sub(" ", text))
    said: list[tuple[str, str | None]] = []  # each word or name, and what it means; None: nobody knows
    at = 0
    while at < len(words):
        size, meant = _foreign(words[at : at + _LONGEST], titles)
        given = " ".join(words[at : at + size])
        if meant is None and (given in _stop_words("english") or is_known(given)):
            meant = given
        elif meant is None:
            begun = _completed(given, titles) if at + size == len(words) else None
            meant = begun or _compound(given, titles) or _apart(given, titles) or _nearest(given, titles)
        said.append((given, meant))
        at += size
    corrected = {given: meant for given, meant in said if meant not in (None, given)}
    if any(given in _names() or _compound(given, titles) for given in corrected):
        said = [(given, meant) for given, meant in said if given not in _stop_words("other")]
    unknown = [given for given, meant in said if meant is None]
    if not (corrected or unknown):
        return Spelling(text, {}, [])
    kept = [meant for _, meant in said if meant is not None]
    if all(word in _stop_words("english") for word in kept):
        kept = []
    return Spelling(" ".join(kept), corrected, unknown)


def counting(words: Iterable[str]) -> list[str]:
    """The words of a query that say what is wanted, not "the" or "please"; all if there are no others."""
    words = list(words)
    return [word for word in words if word not in _stop_words("english")] or words


def _foreign(words: list[str], titles: Mapping[str, int]) -> tuple[int, str | None]:
    """The size of the longest name in another language at the beginning, and its English; or 1 and None."""
    for size in range(len(words), 0, -1):
        name = " ".join(words[:size])
        if name in _names() and not all(spelled(word) in titles for word in words[:size]):
            return size, _names()[name]
    return 1, None


def _compound(word: str, titles: Mapping[str, int]) -> str | None:
    """The English of a German compound: its first part before its last, which English may share (lasagne)."""
    for end in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        for joint in _JOINTS:
            first, rest = _names().get(word[:end]), word[end + len(joint) :]
            last = _names().get(rest) or (rest if spelled(rest) in titles else None)
            if first and last and word[end:].startswith(joint):
                return f"{first} {last}"
    return None


def _apart(word: str, titles: Mapping[str, int]) -> str | None:
    """Two words of titles that were written as one."""
    for end in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        if spelled(word[:end]) in titles and spelled(word[end:]) in titles:
            return f"{word[:end]} {word[end:]}"
    return None


def _completed(word: str, titles: Mapping[str, int]) -> str | None:
    """The word that most titles have of those that begin like this: the query may not be typed to its end."""
    begun = [(count, other) for other, count in titles.items() if other.startswith(word)]
    return max(begun)[1] if begun and len(word) >= _SHORTEST_PART else None


def _nearest(word: str, titles: Mapping[str, int]) -> str | None:
    """The word that was meant: the one with the fewest typos, then the one that most titles have."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) < _SHORTEST:
        return None
    most = next(errors for letters, errors in _MOST_ERRORS if len(word) >= letters)
    near = []
    for form in dict.fromkeys((word, spelled(word))):
        choices = {**dict.fromkeys(_food_words(), 0), **titles}
        for other, errors, _ in process.extract(form, choices.keys(), scorer=OSA.distance, score_cutoff=most):
            # Nobody mistypes the first letter and another one.
            if len(other) >= _SHORTEST and (errors == 1 or other[0] == form[0]):
                near.append((errors, other[0] != form[0], -choices[other], other))
    return min(near)[-1] if near else None


@cache
def _names() -> dict[str, str]:
    """Names in other languages, as `tokenise` reads them, and the English."""
    return {
        " ".join(tokenise(_ELIDED.sub(" ", name))): english
        for english, names in rows("chef.food", "other_languages.tsv")
        for name in names.split(",")
    }


@cache
def _food_words() -> frozenset[str]:
    """The words of the names of foods."""
    return frozenset(
        spelled(word) for names, *_ in rows("chef.food", "foods.tsv") for word in tokenise(names)
    )


def _stop_words(language: str) -> frozenset[str]:
    """Words that say nothing about a dish."""
    return frozenset(word_lists("chef.text", "words.tsv")[f"{language} stop"])
