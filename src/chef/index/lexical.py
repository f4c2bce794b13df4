"""The part of a search by words that looks at words: titles, and the ingredients that are named.

A word counts the more, the fewer recipes have it. An ingredient counts nearly as much in the list as in the
title, and so does any word as a tag; titles with fewer other words come first, and a title with just these
words comes before all others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from chef.index.catalogue import Catalogue
from chef.index.meaning import Meanings
from chef.index.nearest import Scores
from chef.index.reading import title_words

# Chosen on the validation split of the open recipes; docs/search.md has the figures.
_LISTED = 0.9  # of an ingredient in the list, where one in the title counts 1
_BREVITY = 0.1  # share of the score that titles with few other words get
_EQUAL = 0.15  # share that a title with just these words gets


def lexical(
    catalogue: Catalogue, meanings: Meanings, text: str, read: Sequence[str], tokens: Collection[str]
) -> Scores:
    """(rows,) 0..1: how far titles and ingredients have what was asked for; an equal title has 1.

    read: the text as the model reads it, where a named ingredient is one canonical token; tokens: which of
    those are ingredients.
    """
    words, sizes = title_words(text), np.maximum(catalogue.words.sizes, 1)
    title = _titles(catalogue, words)
    equal = (catalogue.words.count(words) == len(words)) & (sizes == len(words))
    anywhere = np.maximum(title, _anywhere(catalogue, meanings, read, tokens))
    brief = title * np.minimum(1, len(words) / sizes)
    score = (1 - _BREVITY) * anywhere + _BREVITY * brief
    return np.asarray((1 - _EQUAL) * score + _EQUAL * equal, np.float32)


def _titles(catalogue: Catalogue, words: Sequence[str]) -> Scores:
    """(rows,) the share of the words that the title has."""
    found, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for word in words:
        rows = catalogue.words.rows_of(word)
        weight = _weight(len(catalogue), len(rows))
        found[rows] += weight
        total += weight
    return np.asarray(found / total)


def _anywhere(
    catalogue: Catalogue, meanings: Meanings, read: Sequence[str], tokens: Collection[str]
) -> Scores:
    """(rows,) the same of words and ingredients, an ingredient counting in the list, a word as a tag too."""
    found, total = np.zeros(len(catalogue), np.float32), np.float32(1e-9)
    for name in dict.fromkeys(read):
        words = title_words(name.replace("_", " "))
        titled = catalogue.words.count(words) == len(words)
        listed = catalogue.tags.mask([name, *words])  # a soup need not be called one
        if name in tokens:
            listed |= catalogue.tokens.mask(meanings.of(name.replace("_", " ")))
        listed &= ~titled
        weight = _weight(len(catalogue), int(titled.sum() + listed.sum()))
        found += weight * (titled + np.float32(_LISTED) * listed)
        total += weight
    return np.asarray(found / total)


def _weight(recipes: int, having: int) -> np.float32:
    """How much a shared word says: much if few recipes have it."""
    return np.float32(np.log(1 + (recipes + 1) / (having + 1)))
