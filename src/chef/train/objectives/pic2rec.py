"""pic2rec (Salvador et al. 2017): true pairs together, random mismatches apart, and classes of dishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.text.vocabulary import PAD, UNK, Vocabulary
from chef.train.distributed import Gallery, gather, total
from chef.train.objectives.base import Objective, StepInput

MOST = 1047  # classes; Recipe1M has this many and "none"
_LEAST_COUNT, _LEAST_SHARE = 10, 0.001

# A pair of these, such as "with a", says nothing about a dish.
STOP_WORDS = frozenset(
    """a an and are as at be best but by do easy for from good great homemade how i ii in into is it its
    like made mom my no not of on or our own quick recipe so style that the then this to up us very with
    without you your""".split()
)

Bigram = tuple[int, int]


class Pic2Rec(Objective):
    """The cosine-embedding loss, plus a classifier of dishes shared by both modalities.

    Each photo is paired with its recipe, 1 - cos, and with `mismatches` others, max(0, cos - margin): with
    4 of them 80 % of the pairs are mismatches, as published. The classes are frequent bigrams of titles;
    as published, recipes without a class (0) do not train the classifier.

    The published model reads instructions as frozen skip-thought vectors; here an LSTM over the words is
    trained instead, as in all other models.
    """

    classes: Tensor  # (training recipes,) class of each

    def __init__(
        self, space: int, classes: Tensor, count: int, margin: float, mismatches: int, class_weight: float
    ) -> None:
        super().__init__()
        self.margin, self.mismatches, self.class_weight = margin, mismatches, class_weight
        self.classifier = nn.Linear(space, count)
        # Not in the checkpoint: a resumed run makes it from the data again.
        self.register_buffer("classes", classes, persistent=False)

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        images = model.embed_images(step.batch.images, noise=step.noise)
        recipes = model.embed_recipes(step.batch.recipes, noise=step.noise)
        gallery = gather(images, recipes, step.groups)
        value = self.pairs(images, gallery, step.seeds)
        labels = self.classes[step.batch.index.to(self.classes.device, non_blocking=True)]
        classes = self.classification(images, labels) + self.classification(recipes, labels)
        return value + self.class_weight * classes

    def pairs(self, images: Tensor, gallery: Gallery, seeds: tuple[int, ...]) -> Tensor:
        """The cosine-embedding loss of these photos: their share of the mean over all pairs."""
        size = len(gallery.recipes)
        rows = torch.arange(len(images), device=images.device) + gallery.offset
        value = (1 - (images * gallery.recipes[rows]).sum(1)).sum()
        shifts = _shifts(seeds, size, self.mismatches)
        for shift in shifts:
            others = (rows + shift) % size
            hinge = ((images * gallery.recipes[others]).sum(1) - self.margin).clamp(min=0)
            if gallery.groups is not None:  # the same recipe posted twice is no mismatch
                hinge = hinge * (gallery.groups[rows] != gallery.groups[others])
            value = value + hinge.sum()
        return value / (size * (1 + len(shifts)))

    def classification(self, points: Tensor, labels: Tensor) -> Tensor:
        """Cross-entropy of the class: this share of the mean over the recipes that have one."""
        count = total((labels > 0).sum()).clamp(min=1)
        return F.cross_entropy(self.classifier(points), labels, ignore_index=0, reduction="sum") / count


def build_pic2rec(model: JointModel, data: Prepared, **settings: float) -> Pic2Rec:
    """The objective with the classes of the training titles."""
    split = data.split("train")
    titles = [split.tokens(i)["title"] for i in range(len(split))]
    bigrams = title_bigrams(titles, data.vocabulary)
    classes = torch.tensor(classes_of(titles, bigrams))
    return Pic2Rec(model.config.space, classes, 1 + len(bigrams), **settings)  # type: ignore[arg-type]


def _shifts(seeds: tuple[int, ...], size: int, wanted: int) -> list[int]:
    """Distinct offsets, 1 to size - 1, along the batch at which the mismatches are taken."""
    random = np.random.default_rng(list(seeds))
    shifts = random.choice(size - 1, size=min(wanted, size - 1), replace=False) + 1
    return [int(shift) for shift in shifts]


def title_bigrams(titles: Sequence[Sequence[int]], vocabulary: Vocabulary) -> list[Bigram]:
    """The classes 1, 2, ... as pairs of word numbers, most frequent first, ties by their words.

    titles: word numbers, canonical ingredients as one word each. A pair counts once per title; it must
    occur in at least 10 titles and in 0.1 % of them. Pairs of two stop words, and pairs with a word
    outside the vocabulary, are no classes.
    """
    unknown = {PAD, UNK}
    stop = set(vocabulary.ids(word for word in STOP_WORDS if word in vocabulary))
    counts = Counter(pair for title in titles for pair in set(pairwise(title)))
    least = max(_LEAST_COUNT, _LEAST_SHARE * len(titles))
    kept = [
        (-count, vocabulary.text(pair), pair)
        for pair, count in counts.items()
        if count >= least and not unknown & set(pair) and not set(pair) <= stop
    ]
    return [pair for _, _, pair in sorted(kept)[:MOST]]


def classes_of(titles: Iterable[Sequence[int]], bigrams: Sequence[Bigram]) -> list[int]:
    """The class of each title: that of its most frequent bigram, 0 if it has none.

    >>> classes_of([[5, 6, 7], [7, 6]], [(6, 7), (5, 6)])
    [1, 0]
    """
    numbers = {pair: number for number, pair in enumerate(bigrams, start=1)}
    return [
        min((numbers[pair] for pair in pairwise(title) if pair in numbers), default=0) for title in titles
    ]
