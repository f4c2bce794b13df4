"""The objective of a model, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chef.data.prepared import Prepared
from chef.model.joint import JointModel
from chef.train.loss import build_loss
from chef.train.objectives.acme import build_acme
from chef.train.objectives.base import Objective, Retrieval
from chef.train.objectives.hierarchical import Hierarchical
from chef.train.objectives.pic2rec import build_pic2rec
from chef.train.settings import TrainSettings

# What a peer's registry entry names, made from the model, its training data and the entry's settings.
_OWN: dict[str, Callable[..., Objective]] = {
    "pic2rec": build_pic2rec,
    "acme": build_acme,
    "hierarchical": lambda model, data, **settings: Hierarchical(model.recipe, **settings),
    "infonce": lambda model, data, **settings: Retrieval(build_loss("infonce", **settings)),
}


def build_objective(settings: TrainSettings, model: JointModel, data: Prepared) -> Objective:
    """What a run minimises: a peer's own objective, or the loss that the settings choose."""
    own: dict[str, Any] = dict(model.variant.objective)
    if own:
        return _OWN[own.pop("kind")](model, data, **own)
    if settings.loss == "infonce":
        return Retrieval(build_loss("infonce"))
    triplet = build_loss(
        "triplet", margin=settings.margin, miner=settings.miner, intra_modal=settings.intra_modal
    )
    return Retrieval(triplet)
