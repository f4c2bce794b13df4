"""Action words (Table 6): is the shallowest leaf of a sentence's tree a verb?

One word per sentence; of equally shallow leaves, the first. There are two tests of a verb: WordNet lists the
word as one (the paper's test, which "butter" and "salt" pass), and, stricter, tagger and WordNet agree that
it is used as one here. Recipe sentences mostly begin with their verb, so the control to beat is the first
word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np

from chef.evaluate.results import ActionWords, CannotDo, Tests
from chef.measure.bootstrap import PairedTest, percent_scores, resampled_percent
from chef.measure.ranks import Doubles, Scores
from chef.model.tree import Tree
from chef.text.verbs import is_verb, verbs

METRICS = ("percent", "strict_percent")


def action_words(trees: Sequence[Sequence[Tree]], seed: int) -> ActionWords:
    """The "actions" part of a result. trees[i]: the trees over the words of recipe i's sentences.

    Intervals resample recipes, because sentences of one recipe are alike.

    >>> action_words(model.sentence_trees, seed=0).controls["first-word"]["percent"]
    """
    model = Hits(trees)
    if not model.sentences:
        raise CannotDo("no recipe has a sentence of instructions")
    controls = {name: Hits(trees, choice) for name, choice in CONTROLS.items()}
    verbs, strict_verbs = (round(total) for total in model.hits.sum(axis=0).tolist())
    return ActionWords(
        sentences=model.sentences,
        verbs=verbs,
        strict_verbs=strict_verbs,
        model=model.scores(seed),
        controls={name: control.scores(seed) for name, control in controls.items()},
        against={name: model.against(control, seed) for name, control in controls.items()},
    )


# For each word of a tree, (words,), the chance that it is chosen.
Choice = Callable[[Tree], Doubles]


def _only(tree: Tree, place: int) -> Doubles:
    return np.asarray(np.eye(len(tree.tokens))[place])


@cache
def _shallowest_of_random(words: int) -> Doubles:
    """(depth, word) the chance that the first shallowest leaf of a random tree has this depth and position.

    Exact, not sampled: the last of the random merges splits the words at any place with equal chance, and
    both halves are random trees again.
    """
    deepest = words.bit_length()  # no tree can have all its leaves deeper
    chance = np.zeros((deepest, words))
    if words == 1:
        chance[0, 0] = 1.0
        return chance
    for middle in range(1, words):
        halves = (_shallowest_of_random(n)[: deepest - 1] for n in (middle, words - middle))
        left, right = (np.pad(half, ((0, deepest - 1 - len(half)), (0, 0))) for half in halves)
        upto = left.sum(axis=1).cumsum()  # the chance that the left half has a leaf at most this deep
        before = right.sum(axis=1).cumsum() - right.sum(axis=1)
        chance[1:, :middle] += left * (1 - before)[:, None]
        chance[1:, middle:] += right * (1 - upto)[:, None]
    return chance / (words - 1)


CONTROLS: dict[str, Choice] = {
    "first-word": lambda tree: _only(tree, 0),
    "random-word": lambda tree: np.full(len(tree.tokens), 1 / len(tree.tokens)),
    # The first shallowest leaf of a tree with random merges.
    "random-tree": lambda tree: np.asarray(_shallowest_of_random(len(tree.tokens)).sum(axis=0)),
}


class Hits:
    """For each recipe, how many of the chosen words are verbs, by both tests.

    >>> Hits(model.sentence_trees).against(Hits(other.sentence_trees), seed=0)["percent"].p
    """

    def __init__(
        self,
        trees: Sequence[Sequence[Tree]],
        choice: Choice = lambda tree: _only(tree, tree.shallowest[0]),  # of equals the first
    ) -> None:
        filled = [sentences for sentences in trees if sentences]
        self.counts = np.array([len(sentences) for sentences in filled])
        self.hits = np.zeros((len(filled), len(METRICS)))
        for row, sentences in enumerate(filled):
            for tree in sentences:
                self.hits[row] += _are_verbs(tree.tokens) @ choice(tree)

    @property
    def sentences(self) -> int:
        """How many there are."""
        return int(self.counts.sum())

    def scores(self, seed: int) -> Scores:
        """The share of verbs by both tests, in percent, with intervals."""
        return percent_scores(self.hits, self.counts, METRICS, seed)

    def against(self, other: Hits, seed: int) -> Tests:
        """The paired test over the same sentences, this minus the other."""
        gaps = self.hits - other.hits
        percent = 100 * gaps.sum(axis=0) / self.sentences
        resampled = resampled_percent(gaps, self.counts, seed)
        return {
            name: PairedTest.of(percent[column], resampled[:, column]) for column, name in enumerate(METRICS)
        }


@lru_cache(maxsize=1 << 18)
def _are_verbs(words: tuple[str, ...]) -> Doubles:
    """(metrics, words) 1 where a word is a verb. Cached: models and controls see the same sentences."""
    known = np.array([is_verb(word) for word in words], float)
    used = np.zeros(len(words))
    used[verbs(words)] = 1.0
    return np.stack([known, used])
