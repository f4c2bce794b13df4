"""The lexical score of a search by words: titles, tags, and the ingredients that are named.

The fewer recipes have a word, the more it counts. An ingredient counts nearly as much in the list as in the
title, and so does any word as a tag; titles with fewer other words come first, and a title with exactly these
words comes before all others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.filters import IngredientResolver
from chef.index.nearest import Scores
from chef.index.rows import title_words
from chef.text.tokens import readable

# Chosen on the validation split of the open recipes; docs/search.md has the figures.
_LISTED = 0.9  # of an ingredient in the list, where one in the title counts 1
_BREVITY = 0.1  # share of the score that titles with few other words get
_EQUAL = 0.15  # share that a title with exactly these words gets


def lexical_scores(
    catalogue: Catalogue,
    resolver: IngredientResolver,
    text: str,
    read: Sequence[str],
    tokens: Collection[str],
) -> Scores:
    """(rows,) 0..1: how much of what was asked for titles and ingredients have; an equal title has 1.

    read: the text as the model reads it, where a named ingredient is one canonical token; tokens: which of
    those are ingredients.
    """
    words, sizes = title_words(text), np.maximum(catalogue.words.sizes, 1)
    title = _title_scores(catalogue, words)
    equal = (catalogue.words.count(words) == len(words)) & (sizes == len(words))
    anywhere = np.maximum(title, _scores_anywhere(catalogue, resolver, read, tokens))
    brief = title * np.minimum(1, len(words) / sizes)
    score = (1 - _BREVITY) * anywhere + _BREVITY * brief
    return np.asarray((1 - _EQUAL) * score + _EQUAL * equal, np.float32)


def _title_scores(catalogue: Catalogue, words: Sequence[str]) -> Scores:
    """(rows,) the weighted share of the words that the title has."""
    scores, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for word in words:
        rows = catalogue.words.rows_of(word)
        weight = _weight(len(catalogue), len(rows))
        scores[rows] += weight
        total += weight
    return np.asarray(scores / total)


def _scores_anywhere(
    catalogue: Catalogue, resolver: IngredientResolver, read: Sequence[str], tokens: Collection[str]
) -> Scores:
    """(rows,) the same, where an ingredient also counts in the list and a word as a tag."""
    scores, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for name in dict.fromkeys(read):
        words = title_words(readable(name))
        titled = catalogue.words.count(words) == len(words)
        listed = catalogue.tags.mask([name, *words])  # a soup need not be called one
        if name in tokens:
            listed |= catalogue.tokens.mask(resolver.resolve(readable(name)))
        listed &= ~titled
        weight = _weight(len(catalogue), int(titled.sum() + listed.sum()))
        scores += weight * (titled + np.float32(_LISTED) * listed)
        total += weight
    return np.asarray(scores / total)


def _weight(recipes: int, having: int) -> np.float32:
    """The inverse document frequency of a word."""
    return np.float32(np.log(1 + (recipes + 1) / (having + 1)))
