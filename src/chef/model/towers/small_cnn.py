"""A small convolutional network trained from scratch: for the generated kitchen, tests and the demo."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from chef.data.transforms import ImageTransform
from chef.errors import ChefError
from chef.model.norm import BatchNorm
from chef.model.towers.base import ImageTower

_CHANNELS = (24, 48, 96, 192, 256)


class SmallCNN(ImageTower):
    """Five strided convolutions and the mean over the picture; quick on a CPU at 64 to 128 pixels."""

    recordable = True

    width = _CHANNELS[-1]
    pretrained = False

    def __init__(self, size: int = 64) -> None:
        super().__init__()
        self.size = size
        self.transform = ImageTransform(
            size=size * 9 // 8, crop=size, scale=1 / 255, mean=(0.5, 0.5, 0.5), std=(0.25, 0.25, 0.25)
        )
        layers: list[nn.Module] = []
        inputs = 3
        for outputs in _CHANNELS:
            layers += [
                nn.Conv2d(inputs, outputs, 3, stride=2, padding=1, bias=False),
                BatchNorm(outputs),
                nn.ReLU(inplace=True),
            ]
            inputs = outputs
        self.layers = nn.Sequential(*layers)

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "small-cnn", "size": self.size}

    def use_size(self, size: int, crop: int) -> None:
        raise ChefError("small-cnn takes photos of one size only", "leave out image_size")

    def forward(self, images: Tensor) -> Tensor:
        pooled: Tensor = self.layers(images).mean((2, 3))
        return pooled
