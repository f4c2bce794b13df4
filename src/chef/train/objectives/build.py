"""The objective of a model, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.train.loss import InfoNCE, TripletLoss, build_loss
from chef.train.objectives.acme import build_acme
from chef.train.objectives.base import Addition, Objective, Retrieval
from chef.train.objectives.distillation import Distillation
from chef.train.objectives.hierarchical import Hierarchical
from chef.train.objectives.main_ingredient import build_main_ingredient
from chef.train.objectives.pic2rec import build_pic2rec
from chef.train.objectives.recipe_parts import RecipeParts
from chef.train.settings import TrainSettings
from chef.train.teachers import teacher_points

# What a peer's registry entry names, made from the model, its training data and the entry's settings.
_OWN: dict[str, Callable[..., Objective]] = {
    "pic2rec": build_pic2rec,
    "acme": build_acme,
    "hierarchical": lambda model, data, **settings: Hierarchical(model.recipe, **settings),
    "infonce": lambda model, data, **settings: Retrieval(build_loss("infonce", **settings)),
}


def build_objective(
    settings: TrainSettings, model: JointModel, data: Prepared, device: torch.device
) -> Objective:
    """What a run minimises: a peer's own objective, or the loss that the settings choose.

    device: where teachers, if there are any, look at the training pairs.
    """
    own: dict[str, Any] = dict(model.variant.objective)
    if own:
        return _OWN[own.pop("kind")](model, data, **own)
    return Retrieval(_loss(settings), _additions(settings, model, data, device))


def _loss(settings: TrainSettings) -> TripletLoss | InfoNCE:
    if settings.loss == "infonce":
        return build_loss("infonce", temperature=settings.temperature, smoothing=settings.smoothing)
    return build_loss(
        "triplet", margin=settings.margin, miner=settings.miner, intra_modal=settings.intra_modal
    )


def _additions(
    settings: TrainSettings, model: JointModel, data: Prepared, device: torch.device
) -> list[tuple[float, Addition]]:
    """What is minimised beside the loss, each with its weight; what has no weight costs nothing."""
    found: list[tuple[float, Addition]] = []
    if settings.text_weight:
        found.append((settings.text_weight, RecipeParts(model.recipe, build_loss("infonce"))))
    if settings.distill and settings.distill_weight:
        teachers = teacher_points(settings.distill, data, device, settings.workers)
        found.append((settings.distill_weight, Distillation(teachers, settings.distill_temperature)))
    if settings.main_weight:
        found.append((settings.main_weight, build_main_ingredient(model, data)))
    return found
