"""The ingredient names of a collection of recipes: how often each is used, and a vector for each.

Both read the `name` of each ingredient: parse the lines first (`chef.text.lines.with_names`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chef.food.canonical.map import CanonicalMap, Entry, Replacer, token_of
from chef.recipe import Recipe
from chef.text.keys import key_of, plain_name
from chef.text.tokens import sentences, tokenise
from chef.text.vocabulary import Vocabulary
from chef.text.word2vec import train_word2vec

_LONGEST = 5  # words; longer "names" are half a sentence
# A line that begins like this is an instruction ("melt butter").
_INSTRUCTIONS = frozenset(
    "add beat chop cook crush cut dice fry grate heat melt mince mix peel shred slice".split()
)


@dataclass(frozen=True, slots=True)
class NameGroup:
    """Names with one key: step 1 of the paper has merged them. `name` is the most frequent."""

    key: str
    name: str
    count: int
    names: tuple[str, ...]


def count_names(recipes: Iterable[Recipe]) -> Counter[str]:
    """Every ingredient name of the recipes and how many lines have it; what cannot be a name is left out."""
    names = (plain_name(item.name) for recipe in recipes for item in recipe.ingredients if item.name)
    return Counter(name for name in names if is_name(name))


def is_name(name: str) -> bool:
    """Whether a plain name can name one food: short, without numbers, alternatives and instructions.

    >>> is_name("green beans"), is_name("butter or oil"), is_name("melt butter")
    (True, False, False)
    """
    words = name.split()
    if not 1 <= len(words) <= _LONGEST or len(name) < 3:
        return False
    if any(word == "or" or word[0].isdigit() for word in words):
        return False
    return len(words) == 1 or words[0] not in _INSTRUCTIONS


def group_names(counts: Mapping[str, int]) -> list[NameGroup]:
    """Step 1: names equal after stemming and singular/plural, the most frequent group first.

    >>> group_names({"egg": 2, "eggs": 5})[0].name
    'eggs'
    """
    by_key: dict[str, list[str]] = {}
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        by_key.setdefault(key_of(name.split()), []).append(name)
    groups = [
        NameGroup(key, names[0], sum(counts[name] for name in names), tuple(names))
        for key, names in by_key.items()
    ]
    return sorted(groups, key=lambda group: (-group.count, group.key))


def most_frequent(groups: Sequence[NameGroup], share: float, minimum: int = 2) -> list[NameGroup]:
    """The most frequent groups that together have this share of all occurrences, none rarer than `minimum`.

    The paper keeps the names behind 95 % of the occurrences.
    """
    wanted = share * sum(group.count for group in groups)
    kept: list[NameGroup] = []
    covered = 0
    for group in groups:
        if covered >= wanted or group.count < minimum:
            break
        kept.append(group)
        covered += group.count
    return kept


def name_vectors(
    recipes: Iterable[Recipe],
    groups: Sequence[NameGroup],
    *,
    dimension: int = 300,
    epochs: int = 5,
    seed: int = 0,
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """A vector for each group's name, trained on ingredient lists, titles and instructions.

    The paper's first word2vec model: every ingredient name is one word (appendix, "Words.").
    """
    each = CanonicalMap(
        Entry(token_of(group.name), name, group.count, "form") for group in groups for name in group.names
    )
    replace = Replacer(each)
    texts = [sentence for recipe in recipes for sentence in _sentences(recipe, each, replace)]
    vocabulary = Vocabulary.build(Counter(word for sentence in texts for word in sentence), minimum=2)
    vectors = train_word2vec(texts, vocabulary, dimension=dimension, epochs=epochs, seed=seed)
    rows = {word: row for row, word in enumerate(vocabulary.words)}
    return {group.name: vectors[rows[token]] for group in groups if (token := token_of(group.name)) in rows}


def _sentences(recipe: Recipe, each: CanonicalMap, replace: Replacer) -> Iterator[list[str]]:
    names = (item.name for item in recipe.ingredients if item.name)
    yield [token for name in names if (token := each.token(name))]
    yield replace(tokenise(recipe.title))
    for step in recipe.steps:
        yield from (replace(tokenise(sentence)) for sentence in sentences(step.text))
