"""Words of state: which of them fit a food, and a text without those that do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from chef.food.kinds import kind_of, rows

_WORDS = re.compile(r"[a-z]+")
# Every food may be these, unless its kind says otherwise.
_UNKNOWN = frozenset(("solid",))
_LIVE = ("produce", "leaf", "flesh")  # what can be fresh or young


@cache
def _table() -> dict[str, str]:
    return {word: trait for trait, words in rows("states.tsv") for word in words.split("|")}


@cache
def _longest() -> int:
    return max(len(phrase.split()) for phrase in _table())


def fits(phrase: str, food: str) -> bool:
    """Whether a food can be what a phrase says of it; words that say nothing of state always fit.

    >>> fits("skinless", "turkey"), fits("softened", "olive oil"), fits("for serving", "olive oil")
    (True, False, True)
    """
    return all(_has(food, _table()[found]) for found in states(phrase))


def states(phrase: str) -> list[str]:
    """The words of state in a phrase, the longest first where two begin together.

    >>> states("boneless, at room temperature")
    ['boneless', 'room temperature']
    """
    words, table, found, at = _WORDS.findall(phrase.lower()), _table(), [], 0
    while at < len(words):
        for length in range(min(_longest(), len(words) - at), 0, -1):
            if (some := " ".join(words[at : at + length])) in table:
                found.append(some)
                at += length
                break
        else:
            at += 1
    return found


def is_state(word: str) -> bool:
    """Whether a word alone is one of state."""
    return word.lower() in _table()


def _has(food: str, trait: str) -> bool:
    kind = kind_of(food)
    traits = kind.traits if kind is not None else _UNKNOWN
    return any(one in traits for one in _LIVE) if trait == "fresh" else trait in traits


def fitting(phrase: str, food: str) -> str:
    """The parts of a remark between commas and "and" that fit the food.

    >>> fitting("peeled, cored and sliced", "tofu"), fitting("melted and cooled", "olive oil")
    ('sliced', 'cooled')
    """
    if fits(phrase, food):
        return phrase.strip()
    return _joined(
        [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", phrase.strip()) if fits(part, food)]
    )


def _joined(parts: Sequence[str]) -> str:
    parts = [part.strip() for part in parts if part.strip()]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
