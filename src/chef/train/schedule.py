"""The learning rate, as a function of the update alone: nothing to save, nothing to restore."""

from __future__ import annotations

import math

from chef.train.settings import TrainSettings


def rate_at(update: int, updates_an_epoch: int, settings: TrainSettings) -> float:
    """The share of the learning rate that update number `update` (from 0) uses."""
    rise = min(1.0, (update + 1) / settings.warmup) if settings.warmup else 1.0
    if settings.schedule == "step":
        return rise * (0.1 if update >= settings.step_epoch * updates_an_epoch else 1.0)
    if settings.schedule == "cosine":
        last = max(1, settings.epochs * updates_an_epoch - settings.warmup)
        done = min(1.0, max(0, update - settings.warmup) / last)
        return rise * 0.5 * (1 + math.cos(math.pi * done))
    return rise
