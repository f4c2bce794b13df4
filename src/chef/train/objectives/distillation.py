"""Distillation: a student whose similarities are those of its teachers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from chef.model.joint import JointModel
from chef.train.gather import gather_rows
from chef.train.loss import cosines
from chef.train.objectives.base import Addition, Points, StepInput


class Distillation(Addition):
    """How far the student's view of the batch is from that of its teachers, in both directions.

    Each photo sees the recipes of the batch with probabilities softmax(cosine / temperature), and so does
    each recipe the photos. The teachers' cosines are averaged first; the value is the Kullback-Leibler
    divergence from their probabilities to the student's, the mean over anchors and directions.

    teachers: of each the images (n, D) and recipes (n, D) of all training pairs.
    """

    images: Tensor  # (n, all D)
    recipes: Tensor

    def __init__(self, teachers: Sequence[tuple[Tensor, Tensor]], temperature: float) -> None:
        super().__init__()
        self.temperature = temperature
        # Side by side, a product of two rows is the sum of the teachers' cosines; the root makes it the mean.
        for name, tables in zip(("images", "recipes"), zip(*teachers, strict=True), strict=True):
            table = torch.cat(tables, dim=1) / math.sqrt(len(teachers))
            # Made from the teachers again when a run goes on, so a checkpoint need not hold it.
            self.register_buffer(name, table, persistent=False)

    def forward(self, model: JointModel, step: StepInput, points: Points) -> Tensor:
        own, everyone = step.batch.index, gather_rows(step.batch.index)
        whole = points.gallery
        value = self._apart(
            cosines(points.images, whole.recipes), cosines(self.images[own], self.recipes[everyone])
        ) + self._apart(
            cosines(points.recipes, whole.images), cosines(self.recipes[own], self.images[everyone])
        )
        return value / (2 * len(everyone))

    def _apart(self, student: Tensor, teachers: Tensor) -> Tensor:
        """The divergence of each anchor, summed; (anchors, items) cosines of both."""
        found, wanted = ((rows / self.temperature).log_softmax(1) for rows in (student, teachers))
        return (wanted.exp() * (wanted - found)).sum()
