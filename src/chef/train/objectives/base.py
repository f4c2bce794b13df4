"""What every objective is, and the one that most models use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from torch import Tensor, nn

from chef.data.batches import PairBatch, RecipeBatch
from chef.model.joint import JointModel
from chef.model.noise import Noise
from chef.train.gather import gather
from chef.train.loss import InfoNCE, TripletLoss


@dataclass(frozen=True)
class StepInput:
    """One step's share of the batch on this process."""

    batch: PairBatch
    noise: Noise
    groups: Tensor | None = None  # equal numbers: the same recipe, never each other's negative
    texts: RecipeBatch | None = None  # recipes without a photo, for an objective that wants them
    place: tuple[int, ...] = (0,)  # seed, epoch and batch: the same on all processes, another every step


class Objective(nn.Module, ABC):
    """Turns a batch into the number to minimise. Its own parameters are trained with the model's.

    The value is this process's share: the shares of all processes add up to the full batch's loss.
    """

    wants_texts = False  # whether recipes without a photo are of use

    @abstractmethod
    def forward(self, model: JointModel, step: StepInput) -> Tensor: ...


class Retrieval(Objective):
    """A photo and its recipe near each other, all others apart: Eq. 1, or InfoNCE."""

    def __init__(self, loss: TripletLoss | InfoNCE) -> None:
        super().__init__()
        self.loss = loss

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        images = model.embed_images(step.batch.images, noise=step.noise)
        recipes = model.embed_recipes(step.batch.recipes, noise=step.noise)
        value: Tensor = self.loss(images, recipes, gather(images, recipes, step.groups))
        return value
