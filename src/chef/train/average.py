"""The exponential average of a model's weights: steadier than the weights of any one update."""

from __future__ import annotations

import copy

import torch

from chef.model.joint import JointModel


class Average:
    """A second model whose weights follow those of the first; it is the one to validate and to keep.

    Numbers that batch norm has counted up are averaged too: they belong to the weights they were seen with.

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

        The first updates count for more: else a short run would end with much of its random start.
        """
        decay = min(self.decay, (1 + update) / (10 + update))
        mine, its = self.model.state_dict(), model.state_dict()
        numbers = [name for name, value in mine.items() if value.is_floating_point()]
        torch._foreach_lerp_([mine[name] for name in numbers], [its[name] for name in numbers], 1 - decay)
        for name in mine.keys() - set(numbers):
            mine[name].copy_(its[name])
