"""MobileNetV1, ResNet and a small CNN in plain torch.

The first two have the parameter names of transformers, so its weights can be loaded. Importing transformers
costs several times more than importing torch, which embedding one photo on a laptop should not pay.
`tests/model/test_towers.py` checks that both compute the same features.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from chef.data.transforms import ImageTransform
from chef.errors import ChefError
from chef.model.norm import BatchNorm
from chef.model.towers import ImageTower

_SMALL_CHANNELS = (24, 48, 96, 192, 256)
_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1)
# The fields of a transformers config.json that shape the network, with their defaults.
_MOBILENET = {"depth_multiplier": 1.0, "min_depth": 8, "tf_padding": True, "layer_norm_eps": 0.001}
_RESNET = {
    "embedding_size": 64,
    "hidden_sizes": [256, 512, 1024, 2048],
    "depths": [3, 4, 6, 3],
    "downsample_in_first_stage": False,
    "downsample_in_bottleneck": False,
}
_REDUCTION = 4


class SmallCNN(ImageTower):
    """Five strided convolutions and the mean over the image: trained from scratch, quick on a CPU."""

    recordable = True
    width = _SMALL_CHANNELS[-1]
    pretrained = False

    def __init__(self, size: int = 64) -> None:
        super().__init__()
        self.size = size
        self.transform = ImageTransform(
            size=size * 9 // 8, crop=size, scale=1 / 255, mean=(0.5, 0.5, 0.5), std=(0.25, 0.25, 0.25)
        )
        layers: list[nn.Module] = []
        inputs = 3
        for outputs in _SMALL_CHANNELS:
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


class MobileNetV1(ImageTower):
    """config: the network's configuration in transformers, of which the fields that shape it are kept."""

    recordable = True
    prefix = "mobilenet_v1."  # of the parameter names in a classifier's file

    def __init__(self, config: Mapping[str, Any], transform: ImageTransform) -> None:
        super().__init__()
        self.shape: dict[str, Any] = {name: config.get(name, default) for name, default in _MOBILENET.items()}
        self.transform = transform
        widths = [self._channels(32 * 2**halvings) for halvings in (0, 1, 2, 3, 4, 5)]
        inputs = widths[0]
        self.conv_stem = _MobileNetLayer(3, inputs, 3, self.shape, stride=2)
        layers = []
        level = 0
        for index, stride in enumerate(_STRIDES):
            level += stride == 2 or index == 0
            layers.append(_MobileNetLayer(inputs, inputs, 3, self.shape, stride=stride, groups=inputs))
            layers.append(_MobileNetLayer(inputs, widths[level], 1, self.shape))
            inputs = widths[level]
        self.layer = nn.ModuleList(layers)
        self.width = inputs

    def _channels(self, depth: int) -> int:
        return max(int(depth * self.shape["depth_multiplier"]), int(self.shape["min_depth"]))

    @staticmethod
    def fits(config: Mapping[str, Any]) -> bool:
        """Whether this class can replace the network of a transformers configuration."""
        return config.get("model_type") == "mobilenet_v1" and config.get("hidden_act", "relu6") == "relu6"

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "mobilenet-v1", "config": self.shape, "transform": self.transform.to_json()}

    def forward(self, images: Tensor) -> Tensor:
        x: Tensor = self.conv_stem(images)
        for layer in self.layer:
            x = layer(x)
        return x.mean((2, 3))


class _MobileNetLayer(nn.Module):
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


class ResNet(ImageTower):
    """ResNet with bottlenecks, such as ResNet-50, the paper's image encoder.

    config: the network's configuration in transformers, of which the fields that shape it are kept.
    """

    recordable = True
    prefix = "resnet."  # of the parameter names in a classifier's file

    def __init__(self, config: Mapping[str, Any], transform: ImageTransform) -> None:
        super().__init__()
        self.shape: dict[str, Any] = {name: config.get(name, default) for name, default in _RESNET.items()}
        self.transform = transform
        stem = _ResNetLayer(3, self.shape["embedding_size"], 7, stride=2)
        self.embedder = nn.Sequential(OrderedDict(embedder=stem))
        inputs = self.shape["embedding_size"]
        stages: list[nn.Module] = []
        early = self.shape["downsample_in_bottleneck"]
        for outputs, depth in zip(self.shape["hidden_sizes"], self.shape["depths"], strict=True):
            stride = 2 if stages or self.shape["downsample_in_first_stage"] else 1
            blocks = [_Bottleneck(inputs, outputs, stride, early)]
            blocks += [_Bottleneck(outputs, outputs, 1, early) for _ in range(depth - 1)]
            stages.append(nn.Sequential(OrderedDict(layers=nn.Sequential(*blocks))))
            inputs = outputs
        self.encoder = nn.Sequential(OrderedDict(stages=nn.Sequential(*stages)))
        self.width = inputs

    @staticmethod
    def fits(config: Mapping[str, Any]) -> bool:
        """Whether this class can replace the network of a transformers configuration."""
        plain = config.get("hidden_act", "relu") == "relu" and config.get("num_channels", 3) == 3
        return config.get("model_type") == "resnet" and config.get("layer_type") == "bottleneck" and plain

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "resnet", "config": self.shape, "transform": self.transform.to_json()}

    def forward(self, images: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.embedder(images)), 3, stride=2, padding=1)
        pooled: Tensor = self.encoder(x).mean((2, 3))
        return pooled


class _ResNetLayer(nn.Module):
    """Convolution and batch norm."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.normalization = BatchNorm(outputs)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.normalization(self.convolution(x))
        return out


class _Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 and a shortcut. `early` puts the stride into the first, as Caffe did."""

    def __init__(self, inputs: int, outputs: int, stride: int, early: bool) -> None:
        super().__init__()
        inner = outputs // _REDUCTION
        changes = inputs != outputs or stride != 1
        self.shortcut: nn.Module = _ResNetLayer(inputs, outputs, 1, stride) if changes else nn.Identity()
        first = _ResNetLayer(inputs, inner, 1, stride if early else 1)
        second = _ResNetLayer(inner, inner, 3, 1 if early else stride)
        self.layer = nn.ModuleList([first, second, _ResNetLayer(inner, outputs, 1)])

    def forward(self, x: Tensor) -> Tensor:
        first, second, third = self.layer
        return F.relu(third(F.relu(second(F.relu(first(x))))) + self.shortcut(x))
