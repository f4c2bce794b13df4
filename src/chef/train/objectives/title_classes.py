"""Classes of dishes from their titles: the frequent pairs of neighbouring words, as in Recipe1M."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from chef.text.vocabulary import PAD, UNK, Vocabulary

MOST = 1047  # classes; Recipe1M has these and "none"
_LEAST_COUNT, _LEAST_SHARE = 10, 0.001

# A pair of these says nothing about a dish: "with a", "and the".
STOP_WORDS = frozenset(
    """a an and are as at be best but by do easy for from good great homemade how i ii in into is it its
    like made mom my no not of on or our own quick recipe so style that the then this to up us very with
    without you your""".split()
)

Bigram = tuple[int, int]


def title_bigrams(titles: Sequence[Sequence[int]], vocabulary: Vocabulary) -> list[Bigram]:
    """The classes 1, 2, ... as pairs of word numbers, the most frequent first, equals by their words.

    titles: word numbers, canonical ingredients as one word each. A pair counts once a title; it must
    stand in at least 10 titles and in 0.1 % of them. Pairs of stop words alone, and pairs with a word
    that is not in the vocabulary, are no classes.
    """
    dull = {PAD, UNK}
    stop = set(vocabulary.ids(word for word in STOP_WORDS if word in vocabulary))
    counts = Counter(pair for title in titles for pair in set(pairwise(title)))
    least = max(_LEAST_COUNT, _LEAST_SHARE * len(titles))
    kept = [
        (-count, vocabulary.text(pair), pair)
        for pair, count in counts.items()
        if count >= least and not dull & set(pair) and not set(pair) <= stop
    ]
    return [pair for _, _, pair in sorted(kept)[:MOST]]


def classes_of(titles: Iterable[Sequence[int]], bigrams: Sequence[Bigram]) -> list[int]:
    """The class of each title: its most frequent bigram's, 0 where it has none.

    >>> classes_of([[5, 6, 7], [7, 6]], [(6, 7), (5, 6)])
    [1, 0]
    """
    numbers = {pair: number for number, pair in enumerate(bigrams, start=1)}
    return [
        min((numbers[pair] for pair in pairwise(title) if pair in numbers), default=0) for title in titles
    ]
