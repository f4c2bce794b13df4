"""pic2rec (Salvador et al. 2017): true pairs together, random mismatches apart, and classes of dishes."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.train.gather import Gallery, gather, total
from chef.train.objectives.base import Objective, StepInput
from chef.train.objectives.title_classes import classes_of, title_bigrams


class Pic2Rec(Objective):
    """The cosine-embedding loss, plus a class of dish told from either side by one shared classifier.

    Each picture meets its recipe, 1 - cos, and `mismatches` recipes of others, max(0, cos - margin): with
    4 of them 80 % of the pairs are mismatches, as published. The classes are frequent bigrams of the
    titles; as published, recipes of no class (0) teach the classifier nothing.

    The published model reads instructions as frozen skip-thought vectors; here an LSTM over the words is
    trained in their place, as in every other model of this harness.
    """

    classes: Tensor  # (training recipes,) class of each

    def __init__(
        self, space: int, classes: Tensor, count: int, margin: float, mismatches: int, class_weight: float
    ) -> None:
        super().__init__()
        self.margin, self.mismatches, self.class_weight = margin, mismatches, class_weight
        self.classifier = nn.Linear(space, count)
        # Made from the data again when a run goes on, so a checkpoint need not hold it.
        self.register_buffer("classes", classes, persistent=False)

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        images = model.embed_images(step.batch.images, noise=step.noise)
        recipes = model.embed_recipes(step.batch.recipes, noise=step.noise)
        gallery = gather(images, recipes, step.groups)
        value = self.pairs(images, gallery, step.place)
        labels = self.classes[step.batch.index]
        return value + self.class_weight * (self.told(images, labels) + self.told(recipes, labels))

    def pairs(self, images: Tensor, gallery: Gallery, place: tuple[int, ...]) -> Tensor:
        """The cosine-embedding loss of these pictures: their share of the mean over all pairs looked at."""
        size = len(gallery.recipes)
        rows = torch.arange(len(images), device=images.device) + gallery.offset
        value = (1 - (images * gallery.recipes[rows]).sum(1)).sum()
        shifts = _shifts(place, size, self.mismatches)
        for shift in shifts:
            others = (rows + shift) % size
            hinge = ((images * gallery.recipes[others]).sum(1) - self.margin).clamp(min=0)
            if gallery.groups is not None:  # the same recipe posted twice is no mismatch
                hinge = hinge * (gallery.groups[rows] != gallery.groups[others])
            value = value + hinge.sum()
        return value / (size * (1 + len(shifts)))

    def told(self, points: Tensor, labels: Tensor) -> Tensor:
        """Cross-entropy of the class, this share of the mean over the recipes that have one."""
        count = total((labels > 0).sum()).clamp(min=1)
        return F.cross_entropy(self.classifier(points), labels, ignore_index=0, reduction="sum") / count


def build_pic2rec(model: JointModel, data: Prepared, **settings: float) -> Pic2Rec:
    """The objective with the classes of the training titles."""
    split = data.split("train")
    titles = [split.tokens(i)["title"] for i in range(len(split))]
    bigrams = title_bigrams(titles, data.vocabulary)
    classes = torch.tensor(classes_of(titles, bigrams))
    return Pic2Rec(model.config.space, classes, 1 + len(bigrams), **settings)  # type: ignore[arg-type]


def _shifts(place: tuple[int, ...], size: int, wanted: int) -> list[int]:
    """How far along the batch the mismatches are taken: different numbers from 1 to size - 1."""
    random = np.random.default_rng(list(place))
    shifts = random.choice(size - 1, size=min(wanted, size - 1), replace=False) + 1
    return [int(shift) for shift in shifts]
