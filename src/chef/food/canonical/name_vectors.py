"""The paper's first word2vec: every ingredient name as one word (appendix, "Words.")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from chef.food.canonical.census import Group
from chef.food.canonical.map import CanonicalMap, Entry, token_of
from chef.food.canonical.replace import Replacer
from chef.recipe import Recipe
from chef.text.tokens import sentences, tokenise
from chef.text.vocabulary import Vocabulary
from chef.text.word2vec import train_word2vec


def name_vectors(
    recipes: Iterable[Recipe], found: Sequence[Group], *, dimension: int = 300, epochs: int = 5, seed: int = 0
) -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """A vector for each group's name, trained on ingredient lists, titles and instructions."""
    each = CanonicalMap(
        Entry(token_of(group.name), name, group.count, "form") for group in found for name in group.names
    )
    replace = Replacer(each)
    words = [sentence for recipe in recipes for sentence in _sentences(recipe, each, replace)]
    vocabulary = Vocabulary.build(Counter(word for sentence in words for word in sentence), minimum=2)
    vectors = train_word2vec(words, vocabulary, dimension=dimension, epochs=epochs, seed=seed)
    rows = {word: row for row, word in enumerate(vocabulary.words)}
    return {
        group.name: vectors[rows[token_of(group.name)]] for group in found if token_of(group.name) in rows
    }


def _sentences(recipe: Recipe, each: CanonicalMap, replace: Replacer) -> Iterable[list[str]]:
    from chef.text.lines import parse_line

    names = (item.name or parse_line(item.line).name for item in recipe.ingredients)
    yield [token for name in names if name and (token := each.token(name))]
    yield replace(tokenise(recipe.title))
    for step in recipe.steps:
        yield from (replace(tokenise(sentence)) for sentence in sentences(step.text))
