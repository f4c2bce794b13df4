"""Photos as image towers see them, each photo once a tower: models that share a tower share the work."""

from __future__ import annotations

import hashlib

import torch
from torch import Tensor

from chef.evaluate.population import Population
from chef.model.encoder import Encoder, in_batches
from chef.model.towers import ImageTower

_BATCH = 64  # pictures are large


class Pictures:
    """The features of photos, by the tower's weights and the recipe's id.

    >>> features = Pictures().features(model.encoder, population)  # (n, width)
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, bool], dict[str, Tensor]] = {}

    def features(self, encoder: Encoder, population: Population, *, mirrored: bool = False) -> Tensor:
        """(n, width) features of the first photo of each recipe, or of its mirror image, on the CPU."""
        tower = encoder.model.tower
        known = self._known.setdefault((_digest(tower), population.name, mirrored), {})
        missing = [row for row, name in enumerate(population.ids) if name not in known]
        for rows in in_batches(missing, _BATCH):
            images = torch.stack([tower.transform.evaluate(population.photos(row)) for row in rows])
            features = encoder.image_features(images.flip(3) if mirrored else images)
            known.update(zip((population.ids[row] for row in rows), features, strict=True))
        return torch.stack([known[name] for name in population.ids])


def _digest(tower: ImageTower) -> str:
    """Equal for towers that give equal features: same description, transform and weights."""
    digest = hashlib.sha256(repr((tower.description, tower.transform)).encode())
    for name, value in tower.state_dict().items():
        digest.update(name.encode())
        digest.update(value.detach().cpu().float().contiguous().numpy().tobytes())
    return digest.hexdigest()
