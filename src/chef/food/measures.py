"""Household measures of the food that an ingredient name means: our own table first, then the USDA's.

`tables/foods.tsv` is written by hand for the common names; `tables/measures.tsv` has the USDA's household
measures. A name that neither knows is looked up by its last words ("Aunt Mary's salsa" -> "salsa").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache

from chef.files import rows, word_lists
from chef.food import FORMS
from chef.text.tokens import normalise, without_accents

_LISTS = word_lists("chef.food", "words.tsv")
_UNCHANGED = frozenset(_LISTS["no plural"])
_SOFT = frozenset(_LISTS["no weight"])
_STATES = frozenset(_LISTS["usda state"])
_KINDS = frozenset(_LISTS["usda kind"])


def singular(word: str) -> str:
    """A rough singular, enough to give the plural and the singular of a food one key; needs no dictionary.

    >>> singular("tomatoes"), singular("leaves"), singular("couscous")
    ('tomato', 'leaf', 'couscous')
    """
    if word in _UNCHANGED or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + ("y" if len(word) > 5 else "ie")
    if word.endswith(("leaves", "loaves", "halves", "knives")):
        return {"leav": "leaf", "loav": "loaf", "halv": "half", "kniv": "knife"}[word[:-2][-4:]]
    if word.endswith(("oes", "shes", "ches", "xes", "sses")):
        return word[:-2]
    return word[:-1]


@cache
def _spellings() -> dict[str, str]:
    return {row[0]: row[1] for row in rows("chef.food", "measure_spellings.tsv")}


@lru_cache(maxsize=65536)
def key_of(name: str) -> str:
    """The key under which names are compared: plain singular words.

    >>> key_of("All-Purpose Flours")
    'all purpose flour'
    """
    words = re.findall(
        r"[a-z0-9&%]+",
        without_accents(normalise(name)).replace("'s ", " ").replace("s' ", " ").replace("'", ""),
    )
    same = _spellings()
    return " ".join(same.get(short, short) for short in map(singular, words))


@dataclass(frozen=True)
class Food:
    """What is known of one food: grams per millilitre, of one piece, of a slice ... (keys: see foods.tsv)."""

    ndb: str | None  # the USDA's number of the food that the measures are of, None for house figures alone
    title: str | None  # the USDA's name for it
    measures: dict[str, float] = field(hash=False)
    house: frozenset[str] = frozenset()  # the measures that are house figures


@cache
def _usda() -> dict[str, Food]:
    return {
        number: Food(number, title, _measures(text))
        for number, title, text in rows("chef.food", "measures.tsv")
    }


def _measures(text: str) -> dict[str, float]:
    return {key: float(value) for key, value in (pair.split("=") for pair in text.split())}


@cache
def _table() -> tuple[dict[str, Food], frozenset[str]]:
    """Our own rows by name, and the names that are the very USDA food of their row."""
    foods: dict[str, Food] = {}
    same: set[str] = set()
    for names, number, text, _ in rows("chef.food", "foods.tsv"):
        house = _measures(text)
        base = _usda().get(number)
        measures = {**base.measures, **house} if base else house
        food = Food(base.ndb if base else None, base.title if base else None, measures, frozenset(house))
        for name in names.split("|"):
            foods[name.rstrip("=")] = food
            if name.endswith("="):
                same.add(name.rstrip("="))
    return foods, frozenset(same)


@cache
def _words_of_foods() -> tuple[dict[str, list[list[str]]], dict[str, frozenset[str]]]:
    """The words of each USDA food, by the segments of its name, and the foods of each word."""
    segments = {
        number: [key_of(part).split() for part in (food.title or "").split(",")]
        for number, food in _usda().items()
    }
    index: dict[str, set[str]] = {}
    for number, parts in segments.items():
        for part in parts:
            for word in part:
                index.setdefault(word, set()).add(number)
    return segments, {word: frozenset(numbers) for word, numbers in index.items()}


def _by_words(key: str) -> Food | None:
    """The USDA food with all the words of the name, its last word in a leading place, and few words more."""
    segments, index = _words_of_foods()
    words = key.split()
    if not words:
        return None
    numbers = frozenset.intersection(*(index.get(word, frozenset()) for word in words))
    scores = {number: _score(words, segments[number]) for number in sorted(numbers)}
    best = max(scores, key=lambda number: scores[number], default="")
    return _usda()[best] if scores.get(best, 0.0) > 0 else None


def _score(words: list[str], parts: list[list[str]]) -> float:
    head, everything = words[-1], [word for part in parts for word in part]
    kind = parts[0][0] in _KINDS and len(parts) > 1
    leading = parts[0] + parts[1] if kind else parts[0]
    # One word alone must be the food's whole name: "rhubarb" is "Rhubarb, raw", "white" is no "Beans, white".
    if head not in leading or (len(words) == 1 and words != parts[0] and not (kind and words == parts[1])):
        return 0.0
    score = 4.0 - 0.3 * (len(everything) - len(words)) + (1.0 if "raw" in everything else 0.0)
    return score - len((_STATES & set(everything)) - set(words))


@dataclass(frozen=True)
class Match:
    """The food for a name, and what matched: the whole "name", the USDA's "words" or the name's "end"."""

    food: Food
    by: str


# The forms a food is cut or sold in: "sun-dried tomato halves". Meat and mince are foods of the table.
_FORMS = FORMS - {"meat", "mince"}


@lru_cache(maxsize=65536)
def match(name: str) -> Match | None:
    """The food for a name: our table, then the USDA's words, then the last words of the name.

    >>> match("lacinato kale").food.title
    'Kale, raw'
    """
    key = key_of(name)
    foods, _ = _table()
    if key in foods:
        return Match(foods[key], "name")
    words = key.split()
    plain = " ".join(word for word in words if word not in _SOFT)
    if plain and plain in foods and plain != key:
        return Match(foods[plain], "end")
    stop = len(words)
    while stop > 1 and words[stop - 1] in _FORMS:
        stop -= 1
    if (shorter := " ".join(words[:stop])) in foods:
        return Match(foods[shorter], "end")
    if len(words) > 1 and (food := _by_words(key)) is not None:
        return Match(food, "words")
    for start in range(1, len(words)):
        if (end := " ".join(words[start:])) in foods:
            return Match(foods[end], "end")
    if food := _by_words(key):
        return Match(food, "words")
    for stop in range(len(words) - 1, 0, -1):
        if (front := " ".join(words[:stop])) in foods:
            return Match(foods[front], "end")
    return None


def usda_name(name: str) -> str | None:
    """The USDA's name of the food that a name means; None where it is not certain.

    >>> usda_name("scallions") == usda_name("spring onion")
    True
    """
    matched = match(name)
    if matched is None or matched.by == "end":
        return None
    if matched.by == "words" or key_of(name) in _table()[1]:
        return matched.food.title
    other = _by_words(key_of(name))
    return other.title if other else None
