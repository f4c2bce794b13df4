"""Which words cooks use with a food: `tables/usage.tsv`, counted by `scripts/make_usage.py`."""

from dataclasses import dataclass
from functools import cache

from chef.files import rows
from chef.food.doneness import doneness_of
from chef.food.kinds import kind_of
from chef.text.verbs import lemma
from chef.text.words import Word

_OFTEN, _LESS = 1.8, 2.5  # as frequent as in other steps; times less frequent with the other food
_RARE = 0.3  # of words that the table lacks


@dataclass(frozen=True, slots=True)
class Usage:
    """One row of the table: words of parts, shapes, states and actions that are said of a food."""

    steps: dict[str, float]  # how many times as frequent as in other steps: "crumble" of bacon
    lines: frozenset[str]  # in its ingredient lines; empty where too few were seen


@cache
def _table() -> dict[str, Usage]:
    def rates(cell: str) -> dict[str, float]:
        return {word: float(rate) for word, _, rate in (one.partition(":") for one in cell.split())}

    table = rows("chef.food", "usage.tsv")
    return {name: Usage(rates(steps), frozenset(lines.split())) for name, steps, lines in table}


@cache
def row_of(food: str) -> str | None:
    """The row of a food: its doneness for meat, fish and eggs, otherwise its kind.

    >>> row_of("bacon"), row_of("shrimp"), row_of("leeks")
    ('bacon', 'crustaceans', 'allium')
    """
    kind, done = kind_of(food), doneness_of(food)
    if kind is None:
        return None
    return done.name if done and kind.traits & {"flesh", "egg"} else kind.name


def usage_of(food: str) -> Usage | None:
    """How cooks speak of a food; None where that was not counted."""
    return _table().get(row_of(food) or "")


@cache
def base(word: str) -> str:
    """The form under which words are counted: the verb if it may be one.

    >>> base("crumbled"), base("skin")
    ('crumble', 'skin')
    """
    return lemma(word) or word


def is_odd(word: Word, old: str, new: str) -> bool:
    """Whether a word is one that cooks say of the old food and hardly ever of the new one."""
    had, has = usage_of(old), usage_of(new)
    if had is None or had == has:
        return False

    def rate(usage: Usage | None, least: float) -> float:
        known = (base(word.written.lower()), base(word.key))
        return max([usage.steps.get(one, least) for one in known] if usage else [least])

    return rate(had, 0.0) >= max(_OFTEN, _LESS * rate(has, _RARE))
