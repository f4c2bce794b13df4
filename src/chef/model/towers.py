"""Image towers: networks that turn photos into pooled features.

MobileNetV1 and ResNet have the parameter names of transformers, so its weights can be loaded. They are in
plain torch because importing transformers costs several times more than importing torch, which embedding one
photo on a laptop should not pay; tests check that both compute the same features.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from chef.data.images import ImageTransform
from chef.errors import ChefError
from chef.model.batch_norm import BatchNorm, several_processes
from chef.model.cuda_graphs import run_graphed

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
# Photos that a CPU trains on at a time. Their layers are computed again for the backward pass: those of a
# whole batch would fill its memory.
_AT_ONCE = 32


def build_tower(description: Mapping[str, Any]) -> ImageTower:
    """The network of a description (`ImageTower.description`), with fresh weights.

    >>> build_tower({"kind": "small-cnn", "size": 64}).width
    256
    """
    kind = description.get("kind")
    if kind == "small-cnn":
        return SmallCNN(**{name: value for name, value in description.items() if name != "kind"})
    if kind == "dish-names":
        return DishNames(build_tower(description["network"]), description["names"], description["vector"])
    transform = ImageTransform.from_json(description["transform"])
    if kind in LEAN:
        return LEAN[kind](description["config"], transform)
    if kind == "transformers":
        from chef.model.pretrained_towers import HubTower

        return HubTower.from_config(description["config"], transform)
    raise ChefError(f"no image tower of kind {kind!r}", "is this model from a newer version of chef?")


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

    def use_size(self, size: int, crop: int, *, whole: bool = False) -> None:
        """Take photos of another size than it was trained with, and the central `crop` pixels of them."""
        self.transform = replace(self.transform, size=size, crop=crop, whole=whole)

    def views(self, pictures: Tensor, count: int) -> list[Tensor]:
        """What it looks at in pictures as `transform` evaluates them: `count` views (B, 3, crop, crop).

        The first is the middle of a picture, the second its mirror image; where the transform gives more than
        the middle, the second is the mirror image of the whole.
        """
        crop = self.transform.crop
        edge = (pictures.shape[2] - crop) // 2
        if edge <= 0:
            return [pictures, pictures.flip(3)][:count]
        views = [pictures[:, :, edge : edge + crop, edge : edge + crop]]
        if count > 1:
            views.append(F.interpolate(pictures, (crop, crop), mode="bilinear").flip(3))
        return views

    def features(self, images: Tensor) -> Tensor:
        """The features (B, width); a frozen tower computes them without a gradient."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            # Batch norm over several processes communicates, which a CUDA graph cannot record.
            if images.device.type == "cuda" and self.recordable and not several_processes():
                return run_graphed(self, _run, images)
            if images.device.type == "cpu" and torch.is_grad_enabled() and not self._mixes_photos:
                parts = torch.split(images, _AT_ONCE)
                return torch.cat([checkpoint(_run, self, part, use_reentrant=False) for part in parts])
            return _run(self, images)

    @property
    def _mixes_photos(self) -> bool:
        """Whether features depend on the other photos of a batch, as batch norm makes them in training."""
        norms = (module for module in self.modules() if isinstance(module, nn.modules.batchnorm._BatchNorm))
        return any(norm.training for norm in norms)

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
        for module in self.modules():
            if isinstance(module, BatchNorm) and module.folded:
                module.eval()
        return self


def _run(tower: nn.Module, images: Tensor) -> Tensor:
    out: Tensor = tower(images)
    return out


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
        for inputs, outputs in pairwise((3, *_SMALL_CHANNELS)):
            convolution = nn.Conv2d(inputs, outputs, 3, stride=2, padding=1, bias=False)
            layers += [convolution, BatchNorm(outputs), nn.ReLU(inplace=True)]
        self.layers = nn.Sequential(*layers)

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "small-cnn", "size": self.size}

    def use_size(self, size: int, crop: int, *, whole: bool = False) -> None:
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
        factor, least = self.shape["depth_multiplier"], int(self.shape["min_depth"])
        widths = [max(int(32 * 2**halvings * factor), least) for halvings in range(6)]
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
        convolution = self.convolution
        padding = convolution.padding[0]
        if self.same:  # TensorFlow's padding: the odd pixel goes to the right and the bottom
            edges: list[int] = []
            for axis in (3, 2):  # F.pad counts from the last axis
                kernel, stride = convolution.kernel_size[axis - 2], convolution.stride[axis - 2]
                total = max(kernel - (x.shape[axis] % stride or stride), 0)
                edges += [total // 2, total - total // 2]
            if len(set(edges)) == 1:
                padding = edges[0]  # without a copy
            else:
                x = F.pad(x, edges)
        x = F.conv2d(x, convolution.weight, None, convolution.stride, padding, groups=convolution.groups)
        return self.normalization.relu6(x)


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
        x = F.max_pool2d(self.embedder(images), 3, stride=2, padding=1)
        pooled: Tensor = self.encoder(x).mean((2, 3))
        return pooled


class _ResNetLayer(nn.Module):
    """Convolution, batch norm, ReLU."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.normalization = BatchNorm(outputs)

    def forward(self, x: Tensor, residual: Tensor | None = None, relu: bool = True) -> Tensor:
        """With a residual added, then ReLU."""
        out: Tensor = self.normalization.relu(self.convolution(x), residual, rectified=relu)
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
        same = isinstance(self.shortcut, nn.Identity)
        out: Tensor = third(second(first(x)), x if same else self.shortcut(x, relu=False))
        return out


class DishNames(ImageTower):
    """Pooled features of a network, concatenated with the expected vector of the dish's name.

    A network trained to name dishes knows more than its pooled features show. The expected vector is the mean
    over all names, weighted by their probabilities, in the space of the text.

    network: gives the pooled features; names: the number of its classes; vector: the dimension of a name.
    """

    names: Tensor  # (names, vector)

    def __init__(self, network: ImageTower, names: int, vector: int) -> None:
        super().__init__()
        self.network = network
        self.transform = network.transform
        self.width = network.width + vector
        self.recordable = network.recordable
        self.classifier = nn.Linear(network.width, names)
        self.register_buffer("names", torch.zeros(names, vector))

    @property
    def description(self) -> dict[str, Any]:
        names, vector = self.names.shape
        network = self.network.description
        return {"kind": "dish-names", "network": network, "names": names, "vector": vector}

    def use_size(self, size: int, crop: int, *, whole: bool = False) -> None:
        self.network.use_size(size, crop, whole=whole)
        self.transform = self.network.transform

    def set_names(self, vectors: Tensor) -> None:
        """Set the vectors of the names (names, vector), in the order of the classifier's outputs.

        They are scaled to one length at which an entry is about as large as a pooled feature: a head would
        hardly notice the entries of a unit vector. The zero vector of a name without words stays zero.
        """
        self.names.copy_(F.normalize(vectors.float(), dim=1) * math.sqrt(vectors.shape[1]))

    def forward(self, images: Tensor) -> Tensor:
        pooled: Tensor = self.network(images)
        seen = self.classifier(pooled).softmax(1)
        return torch.cat([pooled, seen @ self.names.to(seen.dtype)], 1)


# Used instead of transformers' own networks if they match its configuration.
LEAN: dict[str, type[MobileNetV1] | type[ResNet]] = {"mobilenet-v1": MobileNetV1, "resnet": ResNet}
