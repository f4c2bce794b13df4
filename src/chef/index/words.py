"""Filters in the words of a query: "vegan dessert without nuts" is a dessert, vegan, without nuts."""

from __future__ import annotations

import re
from collections.abc import Callable

from chef.food.groups import DIETS
from chef.index.filters import group_named
from chef.index.values import AskedFor

_FREE = re.compile(r"\b([^\W\d_]+(?:\s[^\W\d_]+)?)[-\s]+free\b(?![-\s]range)", re.I)
_WITHOUT = re.compile(
    r"\b(?:but\s+)?(?:without|with\s+no|no|minus|sans|excluding|except|not|hold\s+the)\s+(?:any\s+|the\s+)?",
    re.I,
)
_AND = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+|nor\s+)?|\s(?:and|or|nor|&)\s+)(?:no\s+|without\s+)?", re.I)
_LESS = re.compile(r"\b(egg|meat|dairy|nut|gluten|flour)less\b", re.I)
_DIET = re.compile(
    rf"\b(?:{'|'.join(DIETS)})s?\b|\bveggie\b(?!\s+(?:burger|sausage|broth|stock|mince))", re.I
)
_MOST_WORDS = 3  # in the name of an ingredient
_NOT_IN_NAMES = frozenset("and or nor no not with without but".split())


def understand(text: str, known: Callable[[str], bool]) -> AskedFor:
    """The filters in the words of a query, and the words that remain.

    known: whether the collection has an ingredient of this name.

    >>> understand("curry without coconut", lambda word: word == "coconut")
    AskedFor(text='curry', without=['coconut'], diet=None)
    """
    without: dict[str, None] = {}
    diet: list[str] = []

    def take(name: str) -> None:
        without[group_named(name) or name.lower()] = None

    def is_food(word: str) -> bool:
        return group_named(word) is not None or known(word)

    def take_free(match: re.Match[str]) -> str:
        words = match[1].split()
        for start in range(len(words)):
            name = " ".join(words[start:])
            if is_food(name):
                take(name)
                return " ".join(words[:start]) + " "
        return match[0]

    def take_less(match: re.Match[str]) -> str:
        take("gluten" if match[1].lower() == "flour" else match[1])
        return " "

    def take_diet(match: re.Match[str]) -> str:
        name = match[0].lower().rstrip("s")
        diet.append("vegetarian" if name == "veggie" else name)
        return " "

    rest = _FREE.sub(take_free, text)
    rest = _LESS.sub(take_less, rest)
    start = 0
    while match := _WITHOUT.search(rest, start):
        at = end = match.end()
        while name := _name_at(rest, at, is_food):
            take(name)
            end = at + len(name)
            more = _AND.match(rest, end)
            if more is None:
                break
            at = more.end()
        if end == match.end():  # no food: "no bake cookies"
            start = end
        else:
            rest = f"{rest[: match.start()]} {rest[end:]}"
    rest = _DIET.sub(take_diet, rest)
    strictest = max(diet, key=list(DIETS).index) if diet else None
    return AskedFor(" ".join(rest.split()).strip(" ,;-"), list(without), strictest)


def _name_at(text: str, at: int, is_food: Callable[[str], bool]) -> str:
    """The longest name of a food that begins at a place; empty where there is none."""
    words = list(re.finditer(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text[at:]))[:_MOST_WORDS]
    for last in reversed(words):
        name = text[at : at + last.end()]
        if words[0].start() == 0 and not _NOT_IN_NAMES & set(name.lower().split()) and is_food(name):
            return name
    return ""
