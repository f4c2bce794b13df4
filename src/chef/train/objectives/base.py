"""The interface of all objectives, and the one that most models use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from chef.data.batches import PairBatch, RecipeBatch
from chef.model.cuda_graphs import beside, join_beside
from chef.model.heads import MemberHeads
from chef.model.joint import JointModel, RecipeEncoding
from chef.model.noise import Noise
from chef.train.distributed import Gallery, gather
from chef.train.loss import InfoNCE, TripletLoss


@dataclass(frozen=True)
class StepInput:
    """This process's share of the batch of one step."""

    batch: PairBatch
    noise: Noise
    pairs: int  # of the whole batch, over all processes
    groups: Tensor | None = None  # equal numbers: the same recipe, never each other's negatives
    texts: RecipeBatch | None = None  # recipes without a photo, for an objective that uses them
    texts_noise: Noise | None = None
    texts_index: Tensor | None = None  # their positions among all training recipes, on the host
    whole: RecipeBatch | None = None  # the recipes with the words that training hides; None: it hides none
    whole_texts: RecipeBatch | None = None
    seeds: tuple[int, ...] = (0,)  # seed, epoch and batch: the same on all processes, new in every step


class Objective(nn.Module, ABC):
    """Turns a batch into the value to minimise. Its parameters are trained with the model's.

    The value is this process's share: the shares of all processes add up to the loss of the full batch.
    """

    wants_texts = False  # whether it uses recipes without a photo

    @abstractmethod
    def forward(self, model: JointModel, step: StepInput) -> Tensor: ...

    def terms(self, model: JointModel, step: StepInput) -> Iterator[Tensor]:
        """Summands of the value whose graphs share nothing: each may have its backward pass before the next
        is computed, so that only one of them takes memory at a time."""
        yield self(model, step)


@dataclass(frozen=True)
class Embeddings:
    """The embeddings of one step's pairs."""

    images: Tensor  # (B, space)
    recipes: Tensor  # (B, space)
    encoding: RecipeEncoding  # the parts of the recipes
    gallery: Gallery  # the embeddings of all processes


class Addition(nn.Module, ABC):
    """A further term besides the loss of the pairs. The value is a share, as that of an objective."""

    wants_texts = False

    @abstractmethod
    def forward(self, model: JointModel, step: StepInput, embeddings: Embeddings) -> Tensor: ...

    def of_texts(self, model: JointModel, step: StepInput) -> Tensor | None:
        """The same of the recipes without a photo; None if there are none or it does not use them."""
        return None


class Retrieval(Objective):
    """A loss that pulls a photo and its recipe together (Eq. 1 or InfoNCE), and weighted additions."""

    def __init__(self, loss: TripletLoss | InfoNCE, additions: Sequence[tuple[float, Addition]] = ()) -> None:
        super().__init__()
        self.loss = loss
        self.weights = [weight for weight, _ in additions]
        self.additions = nn.ModuleList(addition for _, addition in additions)
        self.wants_texts = any(addition.wants_texts for _, addition in additions)

    def forward(self, model: JointModel, step: StepInput) -> Tensor:
        return torch.stack([*self.terms(model, step)]).sum()

    def terms(self, model: JointModel, step: StepInput) -> Iterator[Tensor]:
        yield self._of_pairs(model, step)  # no variable holds it: the caller frees its graph
        terms = (cast(Addition, addition).of_texts(model, step) for addition in self.additions)
        weighted = zip(self.weights, terms, strict=True)
        known = [weight * term for weight, term in weighted if term is not None]
        if known:
            yield torch.stack(known).sum()

    def _of_pairs(self, model: JointModel, step: StepInput) -> Tensor:
        with beside(step.batch.images.device):
            encoding = model.encode_recipes(step.batch.recipes, noise=step.noise)
        images = model.embed_images(step.batch.images, noise=step.noise)
        join_beside(*encoding.all_vectors)
        recipes = model.heads.embed_recipes(encoding.vector, step.noise)
        gallery = gather(images, recipes, step.groups)
        value = self._loss_of(model, images, recipes, gallery)
        for weight, addition in zip(self.weights, self.additions, strict=True):
            value = value + weight * addition(model, step, Embeddings(images, recipes, encoding, gallery))
        return value

    def _loss_of(self, model: JointModel, images: Tensor, recipes: Tensor, gallery: Gallery) -> Tensor:
        """The loss of the pairs; for an ensemble of heads, the mean over its members."""
        value: Tensor
        if not isinstance(model.heads, MemberHeads):
            value = self.loss(images, recipes, gallery)
            return value
        tables = (images, recipes, gallery.images, gallery.recipes)
        split = zip(*(model.heads.shares(points) for points in tables), strict=True)
        values = [
            self.loss(own, its, Gallery(all_images, all_recipes, gallery.offset, gallery.groups))
            for own, its, all_images, all_recipes in split
        ]
        value = torch.stack(values).mean()
        return value
