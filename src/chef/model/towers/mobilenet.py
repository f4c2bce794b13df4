"""MobileNetV1 in plain torch, with the parameter names of transformers.

Importing transformers costs several times more than importing torch; a cook who embeds one photo on
a laptop should not pay that. `tests/model/towers` checks that both give the same features.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.transforms import ImageTransform
from chef.model.norm import BatchNorm
from chef.model.towers.base import ImageTower

_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1)
# The part of a transformers config.json that shapes the network, with its defaults.
_SHAPE = {"depth_multiplier": 1.0, "min_depth": 8, "tf_padding": True, "layer_norm_eps": 0.001}


class MobileNetV1(ImageTower):
    """config: transformers' own configuration of the network (the fields that shape it are kept)."""

    recordable = True

    prefix = "mobilenet_v1."  # of the parameter names in a classifier's file

    def __init__(self, config: Mapping[str, Any], transform: ImageTransform) -> None:
        super().__init__()
        self.shape: dict[str, Any] = {name: config.get(name, default) for name, default in _SHAPE.items()}
        self.transform = transform
        widths = [self._channels(32 * 2**halvings) for halvings in (0, 1, 2, 3, 4, 5)]
        inputs = widths[0]
        self.conv_stem = _Layer(3, inputs, 3, self.shape, stride=2)
        layers = []
        level = 0
        for index, stride in enumerate(_STRIDES):
            level += stride == 2 or index == 0
            layers.append(_Layer(inputs, inputs, 3, self.shape, stride=stride, groups=inputs))
            layers.append(_Layer(inputs, widths[level], 1, self.shape))
            inputs = widths[level]
        self.layer = nn.ModuleList(layers)
        self.width = inputs

    def _channels(self, depth: int) -> int:
        return max(int(depth * self.shape["depth_multiplier"]), int(self.shape["min_depth"]))

    @staticmethod
    def fits(config: Mapping[str, Any]) -> bool:
        """Whether this class can stand in for the network of a transformers configuration."""
        return config.get("model_type") == "mobilenet_v1" and config.get("hidden_act", "relu6") == "relu6"

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "mobilenet-v1", "config": self.shape, "transform": self.transform.to_json()}

    def forward(self, images: Tensor) -> Tensor:
        x: Tensor = self.conv_stem(images)
        for layer in self.layer:
            x = layer(x)
        return x.mean((2, 3))


class _Layer(nn.Module):
    """Convolution, batch norm, ReLU capped at 6."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        kernel: int,
        shape: Mapping[str, Any],
        stride: int = 1,
        groups: int = 1,
    ) -> None:
        super().__init__()
        self.same = bool(shape["tf_padding"])
        padding = 0 if self.same else kernel // 2
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False)
        self.normalization = BatchNorm(outputs, eps=shape["layer_norm_eps"])

    def forward(self, x: Tensor) -> Tensor:
        x = self.convolution(_pad_same(x, self.convolution) if self.same else x)
        return F.relu6(self.normalization(x))


def _pad_same(x: Tensor, convolution: nn.Conv2d) -> Tensor:
    """TensorFlow's "same" padding: the odd pixel goes to the right and the bottom."""
    edges: list[int] = []
    for axis in (3, 2):  # F.pad counts from the last axis
        kernel, stride = convolution.kernel_size[axis - 2], convolution.stride[axis - 2]
        total = max(kernel - (x.shape[axis] % stride or stride), 0)
        edges += [total // 2, total - total // 2]
    return F.pad(x, edges) if any(edges) else x
