"""ResNet in plain torch, with the parameter names of transformers (see `mobilenet` for why)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.transforms import ImageTransform
from chef.model.norm import BatchNorm
from chef.model.towers.base import ImageTower

# The part of a transformers config.json that shapes the network, with its defaults.
_SHAPE = {
    "embedding_size": 64,
    "hidden_sizes": [256, 512, 1024, 2048],
    "depths": [3, 4, 6, 3],
    "downsample_in_first_stage": False,
    "downsample_in_bottleneck": False,
}
_REDUCTION = 4


class ResNet(ImageTower):
    """ResNet with bottlenecks, such as ResNet-50, the paper's image encoder.

    config: transformers' own configuration of the network (the fields that shape it are kept).
    """

    recordable = True

    prefix = "resnet."  # of the parameter names in a classifier's file

    def __init__(self, config: Mapping[str, Any], transform: ImageTransform) -> None:
        super().__init__()
        self.shape: dict[str, Any] = {name: config.get(name, default) for name, default in _SHAPE.items()}
        self.transform = transform
        stem = _Layer(3, self.shape["embedding_size"], 7, stride=2)
        self.embedder = nn.Sequential(OrderedDict(embedder=stem))
        inputs = self.shape["embedding_size"]
        stages = []
        for index, (outputs, depth) in enumerate(
            zip(self.shape["hidden_sizes"], self.shape["depths"], strict=True)
        ):
            stride = 2 if index or self.shape["downsample_in_first_stage"] else 1
            early = self.shape["downsample_in_bottleneck"]
            blocks = [_Bottleneck(inputs, outputs, stride, early)]
            blocks += [_Bottleneck(outputs, outputs, 1, early) for _ in range(depth - 1)]
            stages.append(nn.Sequential(OrderedDict(layers=nn.Sequential(*blocks))))
            inputs = outputs
        self.encoder = nn.Sequential(OrderedDict(stages=nn.Sequential(*stages)))
        self.width = inputs

    @staticmethod
    def fits(config: Mapping[str, Any]) -> bool:
        """Whether this class can stand in for the network of a transformers configuration."""
        plain = config.get("hidden_act", "relu") == "relu" and config.get("num_channels", 3) == 3
        return config.get("model_type") == "resnet" and config.get("layer_type") == "bottleneck" and plain

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "resnet", "config": self.shape, "transform": self.transform.to_json()}

    def forward(self, images: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.embedder(images)), 3, stride=2, padding=1)
        pooled: Tensor = self.encoder(x).mean((2, 3))
        return pooled


class _Layer(nn.Module):
    """Convolution and batch norm."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.normalization = BatchNorm(outputs)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.normalization(self.convolution(x))
        return out


class _Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 and a way around them. `early` puts the stride into the first, as caffe did."""

    def __init__(self, inputs: int, outputs: int, stride: int, early: bool) -> None:
        super().__init__()
        inner = outputs // _REDUCTION
        changes = inputs != outputs or stride != 1
        self.shortcut: nn.Module = _Layer(inputs, outputs, 1, stride) if changes else nn.Identity()
        self.layer = nn.ModuleList(
            [
                _Layer(inputs, inner, 1, stride if early else 1),
                _Layer(inner, inner, 3, 1 if early else stride),
                _Layer(inner, outputs, 1),
            ]
        )

    def forward(self, x: Tensor) -> Tensor:
        first, second, third = self.layer
        return F.relu(third(F.relu(second(F.relu(first(x))))) + self.shortcut(x))
