"""ModelConfig: all that is needed to build a joint model again, but its weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from chef.errors import ChefError


@dataclass(frozen=True)
class ModelConfig:
    """The paper's sizes by default.

    tower: the image tower's description, as `ImageTower.description` gives it: its `kind` and sizes.
    words: the words' description, as `Words.description` gives it; word: how wide their vectors are.
    context: the description of the MiniLM that reads along; {} where none does.
    """

    variant: str
    vocabulary: int
    tower: Mapping[str, Any] = field(default_factory=lambda: {"kind": "small-cnn"})
    words: Mapping[str, Any] = field(default_factory=lambda: {"kind": "vectors"})
    context: Mapping[str, Any] = field(default_factory=dict)
    word: int = 300
    hidden: int = 600
    space: int = 1024
    dropout: float = 0.2  # on the inputs of Tree-LSTMs
    image_views: int = 1  # 2: a photo's point is the mean of its own and of its mirror image's

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary that `from_json` turns back into an equal value."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ModelConfig:
        """The configuration that `to_json` wrote."""
        known = {item.name for item in fields(cls)}
        if unknown := set(data) - known:
            raise ChefError(f"unknown model setting {min(unknown)!r}", f"known: {', '.join(sorted(known))}")
        if missing := {"variant", "vocabulary"} - set(data):
            raise ChefError(f"the model's configuration lacks {min(missing)!r}", "is this a chef model?")
        return cls(**data)
