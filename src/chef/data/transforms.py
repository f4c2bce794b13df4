"""From picture bytes to the numbers an image model takes: the published augmentations, without torchvision.

Training: padded to a square by reflection or squeezed into one, turned by up to 10 degrees, cropped at
a random place, mirrored half of the time. Evaluation: padded to a square, cropped in the middle.

In training the workers only decode and draw; turning, cropping and scaling are one sampling of the whole
batch, where the model is: a GPU does in a millisecond what keeps a core busy for half a second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.data.images import decode

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor

_MOST_DEGREES = 10.0


@dataclass(frozen=True, slots=True)
class ImageTransform:
    """How an image model wants its pictures: x = (rgb * scale - mean) / std, `crop` pixels wide.

    The defaults are those of models trained on ImageNet.

    >>> ImageTransform(size=220, crop=192, scale=1 / 128, mean=(1, 1, 1), std=(1, 1, 1)).evaluate(data).shape
    torch.Size([3, 192, 192])
    """

    size: int = 256
    crop: int = 224
    scale: float = 1 / 255
    mean: tuple[float, float, float] = (0.485, 0.456, 0.406)
    std: tuple[float, float, float] = (0.229, 0.224, 0.225)

    def train(self, data: bytes, random: np.random.Generator, zoom: float = 0.0) -> tuple[Tensor, Tensor]:
        """A picture of the prepared data as bytes (3, size, size), and how to change it at random, (2, 3).

        `finish` makes the change. zoom: the share of the crop's side, at most, that is cut off further, the
        rest enlarged; a model that looks at whole pictures, crop equal to size, sees no crops without it.
        """
        import torch

        image = _decode_fast(data, self.size)
        if random.random() < 0.5:
            image = square(image, self.size)
        else:
            image = image.resize((self.size, self.size), _bilinear())
        degrees = random.uniform(-_MOST_DEGREES, _MOST_DEGREES)
        window = round(self.crop * (1 - random.uniform(0.0, zoom))) if zoom else self.crop
        left, top = (int(place) for place in random.integers(0, self.size - window + 1, 2))
        change = self._change(degrees, left, top, window, mirror=random.random() < 0.5)
        return torch.from_numpy(np.ascontiguousarray(np.asarray(image).transpose(2, 0, 1))), change

    def finish(self, pixels: Tensor, changes: Tensor) -> Tensor:
        """Bytes (B, 3, size, size) turned, cropped and mirrored by `changes` (B, 2, 3), in the model's scale.

        The answer is (B, 3, crop, crop), on the device of the bytes; what was outside the picture is black.
        """
        import torch
        from torch.nn import functional as F

        shape = [len(pixels), 3, self.crop, self.crop]
        grid = F.affine_grid(changes, shape, align_corners=False)
        sampled = F.grid_sample(pixels.float(), grid, align_corners=False)
        scale = [self.scale / deviation for deviation in self.std]
        shift = [mean / deviation for mean, deviation in zip(self.mean, self.std, strict=True)]
        # Not new_tensor: it would wait for all work that is under way on the device.
        numbers = torch.tensor([scale, shift], dtype=sampled.dtype).to(pixels.device, non_blocking=True)
        return sampled * numbers[0].view(3, 1, 1) - numbers[1].view(3, 1, 1)

    def _change(self, degrees: float, left: int, top: int, window: int, mirror: bool) -> Tensor:
        """Where each pixel of the result comes from: an affine map between squares from -1 to 1."""
        import torch

        half, part = self.size / 2, window / self.size
        right, down = (left + window / 2 - half) / half, (top + window / 2 - half) / half
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        across = -part if mirror else part
        return torch.tensor(
            [
                [cosine * across, -sine * part, cosine * right - sine * down],
                [sine * across, cosine * part, sine * right + cosine * down],
            ]
        )

    def evaluate(self, data: bytes) -> Tensor:
        """Any picture, always treated alike, as (3, crop, crop)."""
        image = square(decode(data, self.size), self.size)
        edge = (self.size - self.crop) // 2
        return self.tensor(np.asarray(image.crop((edge, edge, edge + self.crop, edge + self.crop))))

    def tensor(self, pixels: np.ndarray[Any, Any]) -> Tensor:
        """(height, width, 3) bytes as a (3, height, width) tensor in the model's scale."""
        import torch

        mean, std = (np.asarray(values, np.float32) for values in (self.mean, self.std))
        scaled = pixels * (np.float32(self.scale) / std) - mean / std
        return torch.from_numpy(np.ascontiguousarray(scaled.transpose(2, 0, 1), np.float32))

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary that `from_json` turns back into an equal value."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ImageTransform:
        """The transform that `to_json` wrote."""
        values: dict[str, Any] = {**data, "mean": tuple(data["mean"]), "std": tuple(data["std"])}
        return cls(**values)


def square(image: Image.Image, size: int) -> Image.Image:
    """The whole picture in a square, its narrow sides filled up by reflection."""
    from PIL import Image

    longest = max(image.size)
    width, height = (max(1, round(side * size / longest)) for side in image.size)
    image = image.resize((width, height), _bilinear())
    if width == height:
        return image
    left, top = (size - width) // 2, (size - height) // 2
    edges = ((top, size - height - top), (left, size - width - left), (0, 0))
    return Image.fromarray(np.pad(np.asarray(image), edges, mode="reflect"))


def _decode_fast(data: bytes, size: int) -> Image.Image:
    """Decode an upright JPEG at a scale near `size`, several times faster where simplejpeg is installed."""
    from PIL import Image

    try:
        import simplejpeg
    except ImportError:
        return decode(data, size)
    try:
        pixels = simplejpeg.decode_jpeg(data, "RGB", fastdct=True, min_height=size, min_width=size)
    except ValueError:  # a JPEG of a kind it does not know: four colours, for one
        return decode(data, size)
    return Image.fromarray(pixels)


def _bilinear() -> Image.Resampling:
    from PIL import Image

    return Image.Resampling.BILINEAR
