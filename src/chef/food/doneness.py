"""When a food is done, and the words that belong to it alone: `tables/doneness.tsv`, with the sources."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from chef.files import rows
from chef.food.kinds import endings, kind_of
from chef.text.words import keys


@dataclass(frozen=True, slots=True)
class Doneness:
    """One row of the table."""

    name: str
    celsius: int | None  # the least temperature inside
    done: str  # what the food is or does then; "@" is the food, "a/b" the verb for one or several
    cues: frozenset[str]  # what cooks look for with this food
    words: frozenset[str]  # its parts, and what is done to it alone
    bought: str  # as what it goes into a recipe, where it needs more than the recipe's cooking
    source: str

    @property
    def is_needed(self) -> bool:
        """Whether the food makes people ill if it is not done."""
        return self.source != "taste"

    def clause(self, subject: str, plural: bool) -> str:
        """What to wait for.

        >>> doneness_of("chicken").clause("it", plural=False)
        'it reaches 74 °C (165 °F) inside'
        """
        words = self.done.replace("@", subject).split(" ")
        return " ".join(
            word.split("/")[plural] if word[0].isalpha() and "/" in word else word for word in words
        )


@cache
def _table() -> dict[tuple[str, ...] | str, Doneness]:
    table: dict[tuple[str, ...] | str, Doneness] = {}
    for name, foods, celsius, done, cues, words, bought, source in rows("chef.food", "doneness.tsv"):
        degrees = int(celsius) if celsius else None
        row = Doneness(name, degrees, done, _words(cues), _words(words), bought, source)
        for food in foods.split("|"):
            table[food[1:] if food.startswith("@") else keys(food)] = row
    return table


def lost_words(old: Doneness | None, new: Doneness | None) -> frozenset[str]:
    """The parts and actions of the old food that the new one lacks."""
    return (old.words if old else frozenset()) - (new.words if new else frozenset())


def says(words: Collection[str], text: str) -> list[str]:
    """Those of the words that a text has, as it writes them.

    >>> says({"shell", "bone"}, "Keep the shells.")
    ['shells']
    """
    if not words:
        return []
    any_of = "|".join(sorted(words, key=len, reverse=True))
    return list(dict.fromkeys(re.findall(rf"\b(?:{any_of})(?:s|es|d|ed)?\b", text.lower())))


def _words(cell: str) -> frozenset[str]:
    return frozenset(filter(None, cell.split("|")))


@cache
def doneness_of(name: str) -> Doneness | None:
    """The row of a food's name; None for foods that need no cooking.

    >>> doneness_of("chicken thighs").celsius, doneness_of("ground beef").celsius, doneness_of("sugar")
    (74, 71, None)
    """
    kind = kind_of(name)
    known = (_table()[words] for words in endings(name) if words in _table())
    return next(known, _table().get(kind.name) if kind is not None else None)
