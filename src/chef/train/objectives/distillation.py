"""Distillation: the student learns the similarities of its teachers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import find, load
from chef.model.joint import JointModel
from chef.train.distributed import gather_rows
from chef.train.evaluate import embed_split
from chef.train.loss import cosines
from chef.train.objectives.base import Addition, Embeddings, StepInput
from chef.train.start import same_vocabulary


class Distillation(Addition):
    """The divergence of the student's view of the batch from that of its teachers, in both directions.

    Each photo sees the recipes of the batch with probabilities softmax(cosine / temperature), and each
    recipe the photos. The teachers' cosines are averaged first; the value is the Kullback-Leibler
    divergence from their probabilities to the student's, the mean over anchors and directions.

    teachers: the images (n, D) and recipes (n, D) of all training pairs, for each teacher.
    """

    images: Tensor  # (n, all D)
    recipes: Tensor

    def __init__(self, teachers: Sequence[tuple[Tensor, Tensor]], temperature: float) -> None:
        super().__init__()
        self.temperature = temperature
        # Concatenated, the product of two rows is the sum of the teachers' cosines; the root: the mean.
        for name, tables in zip(("images", "recipes"), zip(*teachers, strict=True), strict=True):
            table = torch.cat(tables, dim=1) / math.sqrt(len(teachers))
            # Not in the checkpoint: a resumed run makes it from the teachers again.
            self.register_buffer(name, table, persistent=False)

    def forward(self, model: JointModel, step: StepInput, embeddings: Embeddings) -> Tensor:
        own, everyone = step.batch.index, gather_rows(step.batch.index)
        gallery = embeddings.gallery
        value = self._divergence(
            cosines(embeddings.images, gallery.recipes), cosines(self.images[own], self.recipes[everyone])
        ) + self._divergence(
            cosines(embeddings.recipes, gallery.images), cosines(self.recipes[own], self.images[everyone])
        )
        return value / (2 * len(everyone))

    def _divergence(self, student: Tensor, teachers: Tensor) -> Tensor:
        """The sum over anchors, from (anchors, items) cosines of both."""
        actual, wanted = ((rows / self.temperature).log_softmax(1) for rows in (student, teachers))
        return (wanted.exp() * (wanted - actual)).sum()


def teacher_embeddings(
    names: str, data: Prepared, device: torch.device, workers: int = 0
) -> list[tuple[Tensor, Tensor]]:
    """Images and recipes of the training pairs, (n, space) each, as embedded by each teacher.

    names: models or runs, separated by commas, trained on these data, so that they have the same vocabulary.
    """
    split, teachers = data.split("train"), []
    for name in (part.strip() for part in names.split(",")):
        folder = find(Path(name))
        if not same_vocabulary(folder, data):
            raise ChefError(
                f"the teacher {name!r} has another vocabulary than these data",
                "give one that was trained on the same prepared data",
            )
        model = load(folder).model.to(device)
        pairs = PairDataset(split, model.tower.transform, training=False)
        images, recipes = embed_split(model, pairs, workers)
        teachers.append((torch.from_numpy(images), torch.from_numpy(recipes)))
    return teachers
