"""The names in use: which ingredient names a collection of recipes has, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chef.recipe import Recipe
from chef.text.keys import key_of, plain_name

_LONGEST = 5  # words; longer "names" are half a sentence
# A line that begins like this is an instruction ("melt butter"), or offers two things at once.
_INSTRUCTIONS = frozenset(
    "add beat chop cook crush cut dice fry grate heat melt mince mix peel shred slice".split()
)
_JOINS = frozenset("or".split())


@dataclass(frozen=True, slots=True)
class Group:
    """Names with one key: step 1 of the paper has merged them. `name` is the most frequent."""

    key: str
    name: str
    count: int
    names: tuple[str, ...]


def names_in(recipes: Iterable[Recipe]) -> Counter[str]:
    """Every ingredient name of the recipes and how many lines have it.

    Lines that carry no name yet are parsed; what cannot be a name is left out.
    """
    from chef.text.lines import parse_line

    counts: Counter[str] = Counter()
    for recipe in recipes:
        for item in recipe.ingredients:
            name = item.name or parse_line(item.line).name
            if name and is_name(plain := plain_name(name)):
                counts[plain] += 1
    return counts


def is_name(name: str) -> bool:
    """Whether a plain name can name one food: short, without numbers, alternatives and instructions.

    >>> is_name("green beans"), is_name("butter or oil"), is_name("melt butter")
    (True, False, False)
    """
    words = name.split()
    if not 1 <= len(words) <= _LONGEST or len(name) < 3:
        return False
    if any(word in _JOINS or word[0].isdigit() for word in words):
        return False
    return len(words) == 1 or words[0] not in _INSTRUCTIONS


def groups(counts: Mapping[str, int]) -> list[Group]:
    """Step 1: names equal after stemming and singular/plural, the most frequent group first.

    >>> groups({"egg": 2, "eggs": 5})[0].name
    'eggs'
    """
    by_key: dict[str, list[str]] = {}
    for name in counts:
        by_key.setdefault(key_of(name.split()), []).append(name)
    made = []
    for key, names in by_key.items():
        names.sort(key=lambda name: (-counts[name], name))
        made.append(Group(key, names[0], sum(counts[name] for name in names), tuple(names)))
    return sorted(made, key=lambda group: (-group.count, group.key))


def focus(found: Iterable[Group], share: float, minimum: int = 2) -> list[Group]:
    """The most frequent groups that together have this share of all occurrences, none rarer than `minimum`.

    The paper keeps the names behind 95 % of the occurrences.
    """
    found = list(found)
    wanted = share * sum(group.count for group in found)
    kept: list[Group] = []
    seen = 0
    for group in found:
        if seen >= wanted or group.count < minimum:
            break
        kept.append(group)
        seen += group.count
    return kept
