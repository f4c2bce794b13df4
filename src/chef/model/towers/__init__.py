"""Image towers: networks that turn photos into pooled features."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from chef.data.transforms import ImageTransform
from chef.model.cuda_graphs import run_graphed
from chef.model.norm import several_processes


class ImageTower(nn.Module, ABC):
    """Turns photos (B, 3, H, W) into pooled features (B, width)."""

    width: int  # of the features
    pretrained: bool = True  # False: it starts from random weights, so freezing it makes no sense
    transform: ImageTransform  # its preprocessing; travels with the model
    recordable = False  # whether its forward pass may be a CUDA graph: no host-side choices, no randomness

    def __init__(self) -> None:
        super().__init__()
        self.frozen = False

    @property
    @abstractmethod
    def description(self) -> dict[str, Any]:
        """A JSON object from which `build_tower` makes the same network with fresh weights."""

    @abstractmethod
    def forward(self, images: Tensor) -> Tensor: ...

    def use_size(self, size: int, crop: int) -> None:
        """Take photos of another size than it was trained with, and the central `crop` pixels of them."""
        self.transform = replace(self.transform, size=size, crop=crop)

    def features(self, images: Tensor) -> Tensor:
        """The features (B, width); a frozen tower computes them without a gradient."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            # Batch norm over several processes communicates, which a CUDA graph cannot record.
            if images.device.type == "cuda" and self.recordable and not several_processes():
                return run_graphed(self, _run, images)
            return _run(self, images)

    def freeze(self, frozen: bool = True) -> None:
        """Freeze or unfreeze weights and batch-norm statistics.

        A frozen tower stays in evaluation mode whatever `train()` says: a learning rate of 0 alone
        would let the statistics drift and pay for a backward pass nobody uses.
        """
        self.frozen = frozen
        self.requires_grad_(not frozen)
        self.train(self.training)

    def train(self, mode: bool = True) -> ImageTower:
        super().train(mode and not self.frozen)
        return self


def _run(tower: nn.Module, images: Tensor) -> Tensor:
    out: Tensor = tower(images)
    return out
