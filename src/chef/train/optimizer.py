"""The optimizer, its learning-rate schedule, freezing, and the moving average of the weights."""

from __future__ import annotations

import copy
import math

import torch
from torch import nn

from chef.model.joint import JointModel
from chef.model.registry import variant
from chef.train.settings import TrainSettings

QUERY = ".lstm.query"  # the vector of a tree encoder that scores merges


def make_optimizer(both: nn.ModuleDict, settings: TrainSettings) -> torch.optim.Optimizer:
    """AdamW over everything; frozen parameters have no gradient and are skipped."""
    words = "context" if variant(settings.model).context else "words"
    shares = {"": 1.0, "model.tower.": settings.tower_rate, f"model.recipe.{words}.": settings.words_rate}
    if settings.query_rate != 1:
        shares[QUERY] = settings.query_rate
    parts: dict[str, list[nn.Parameter]] = {prefix: [] for prefix in shares}
    for name, item in both.named_parameters():
        is_query = QUERY in shares and name.endswith(QUERY)
        parts[QUERY if is_query else max(filter(name.startswith, shares), key=len)].append(item)
    groups = [{"params": items, "share": shares[prefix]} for prefix, items in parts.items() if items]
    fused = next(both.parameters()).device.type == "cuda"
    rate, decay = settings.learning_rate, settings.weight_decay
    return torch.optim.AdamW(groups, lr=rate, weight_decay=decay, fused=fused)


def rate_at(update: int, updates_an_epoch: int, settings: TrainSettings) -> float:
    """The factor on the learning rate at update number `update` (from 0); it needs no saved state."""
    rise = min(1.0, (update + 1) / settings.warmup) if settings.warmup else 1.0
    if settings.schedule == "step":
        return rise * (0.1 if update >= settings.step_epoch * updates_an_epoch else 1.0)
    if settings.schedule == "cosine":
        last = max(1, settings.epochs * updates_an_epoch - settings.warmup)
        done = min(1.0, max(0, update - settings.warmup) / last)
        return rise * 0.5 * (1 + math.cos(math.pi * done))
    return rise


def freeze(model: JointModel, *, tower: bool, words: bool) -> None:
    """Freeze a pre-trained tower and the words; a tower without pre-trained weights must learn."""
    model.tower.freeze(tower and model.tower.pretrained)
    for read in (model.recipe.words, model.recipe.context):
        if read is not None:
            read.requires_grad_(not words)


class Average:
    """A copy of a model that holds the moving average of its weights; the one to validate and keep.

    Batch-norm statistics are averaged too, because they belong to the weights they were seen with.

    >>> average = Average(model, decay=0.999)
    >>> average.follow(model, update=0)  # after each update of the optimizer
    >>> average.model.embed_images(images)
    """

    def __init__(self, model: JointModel, decay: float) -> None:
        self.decay = decay
        self.model = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def follow(self, model: JointModel, update: int) -> None:
        """Move towards the model after its update number `update` (from 0).

        The first updates count more, or a short run would keep much of its random initialisation.
        """
        decay = min(self.decay, (1 + update) / (10 + update))
        mine, its = self.model.state_dict(), model.state_dict()
        numbers = [name for name, value in mine.items() if value.is_floating_point()]
        torch._foreach_lerp_([mine[name] for name in numbers], [its[name] for name in numbers], 1 - decay)
        for name in mine.keys() - set(numbers):
            mine[name].copy_(its[name])
