"""What stands under the encoders: words as vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from torch import Tensor, nn


class Words(nn.Module, ABC):
    """Turns word numbers (N, L) into vectors (N, L, width)."""

    width: int
    contextual: bool  # whether a word's vector depends on the others of its row

    @property
    @abstractmethod
    def description(self) -> dict[str, Any]:
        """A JSON object from which `build_words` makes the same module again, with fresh weights."""

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor: ...
