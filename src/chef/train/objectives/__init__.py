"""Objectives: what a run minimises. `build_objective` chooses the model's own or that of the settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.train.labels import Teacher, TreeLabels, label
from chef.train.loss import InfoNCE, TripletLoss
from chef.train.objectives.acme import build_acme
from chef.train.objectives.base import Addition, Objective, Retrieval, StepInput
from chef.train.objectives.pic2rec import build_pic2rec
from chef.train.objectives.recipe_parts import Hierarchical, RecipeParts
from chef.train.objectives.taught_trees import TaughtTrees
from chef.train.settings import TrainSettings

__all__ = ["Objective", "StepInput", "build_objective"]

# The objectives of peers by the name in their registry entry, made from model, data and its settings.
_PEERS: dict[str, Callable[..., Objective]] = {
    "pic2rec": build_pic2rec,
    "acme": build_acme,
    "hierarchical": lambda model, data, **settings: Hierarchical(model.recipe, **settings),
    "infonce": lambda model, data, **settings: Retrieval(InfoNCE(**settings)),
}


def build_objective(settings: TrainSettings, model: JointModel, data: Prepared) -> Objective:
    """The objective of a run: a peer's own, or the loss that the settings choose."""
    own: dict[str, Any] = dict(model.variant.objective)
    if own:
        return _PEERS[own.pop("kind")](model, data, **own)
    loss: TripletLoss | InfoNCE = TripletLoss(settings.margin, settings.miner, settings.intra_modal)
    if settings.loss == "infonce":
        loss = InfoNCE(settings.temperature)
    additions: list[tuple[float, Addition]] = []  # further terms; one without a weight is not built
    if settings.text_weight:
        additions.append((settings.text_weight, RecipeParts(model.recipe, InfoNCE())))
    if settings.main_weight or settings.action_weight:
        labels = _labels(settings, data)
        taught = TaughtTrees(model, data, labels, settings.main_weight, settings.action_weight)
        additions.append((1.0, taught))
    return Retrieval(loss, additions)


def _labels(settings: TrainSettings, data: Prepared) -> TreeLabels:
    """The file of the settings, or what the bundled teacher says."""
    if settings.labels:
        return TreeLabels.load(Path(settings.labels))
    split = data.split("train", with_image=not settings.text_weight)
    return label(data, split, [Teacher.bundled()])[0]
