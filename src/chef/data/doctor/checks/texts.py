"""Recipes with almost the same text.

Two recipes repeat each other when they have the same title and 80 % of their ingredients' words, or
when they share 60 % of the runs of six words in their instructions (60 % of the shorter one's and 30 %
of the longer one's: polenta told within a stew is not the polenta recipe).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chef.data.doctor.duplicates import Groups, Repeats
from chef.data.doctor.overlap import Members, overlapping
from chef.food.units import unit_of
from chef.recipe import Ingredient
from chef.text.keys import spelled
from chef.text.tokens import tokenise

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
        relations = ((runs, _FEW_RUNS, _alike_runs), (self._named, _FEW_WORDS, _alike_words))
        for sets, few, pairs in relations:
            # Equal texts are one set: a text copied a thousand times is compared once.
            recipes = np.array([n for n, members in enumerate(sets) if len(members) >= few], np.int64)
            groups = Groups(np.array([_digest(sets[n]) for n in recipes], np.uint64), recipes)
            firsts = [sets[groups.of(group)[0]] for group in range(len(groups.keys))]
            repeats.update(groups, pairs(firsts), splits)
        return repeats


def _alike_runs(sets: Sequence[Members]) -> Iterator[tuple[int, int]]:
    for i, j, shared in overlapping(sets, SHARED_RUNS, _FEW_RUNS):
        if shared >= _OF_THE_LONGER * max(len(sets[i]), len(sets[j])):
            yield i, j


def _alike_words(sets: Sequence[Members]) -> Iterator[tuple[int, int]]:
    # Of the longer list: salt and water in a list of twenty are not most of it.
    for i, j, shared in overlapping(sets, SHARED_WORDS, _FEW_WORDS):
        if shared >= SHARED_WORDS * max(len(sets[i]), len(sets[j])):
            yield i, j


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

    A title that is blank names nothing; its set is empty.
    """
    key = " ".join(spelled(word) for word in tokenise(title))
    if not key:
        return np.empty(0, np.uint64)
    names = {word for item in ingredients for word in _name_words(item.line)}
    return np.unique(np.array([_hash(f"{key}\n{word}") for word in names], np.uint64))


def _name_words(line: str) -> list[str]:
    """The words before the first comma, without brackets, numbers and units: quick, and good enough here."""
    name = _BRACKETS.sub(" ", line).split(",", 1)[0]
    return [spelled(word) for word in tokenise(name) if not word[0].isdigit() and unit_of(word) is None]


@lru_cache(maxsize=1 << 17)
def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _digest(members: Members) -> int:
    return int.from_bytes(hashlib.blake2b(members.tobytes(), digest_size=8).digest(), "little")
