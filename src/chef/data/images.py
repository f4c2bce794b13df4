"""Pictures: decoded safely, turned upright, made small, and as the numbers an image model takes.

The published augmentations, without torchvision. Training: padded to a square by reflection or squeezed into
one, rotated by up to 10 degrees, cropped at random, mirrored half of the time. Evaluation: padded to a
square, cropped in the middle. In training the workers only decode and draw random numbers; rotating,
cropping and scaling are one sampling of the whole batch on the model's device: a millisecond of a GPU, half
a second of a core.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from io import BytesIO
from threading import Condition
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL import Image
    from torch import Tensor

# Formats that photos come in. Pillow knows many more, some of which start other programs.
FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "HEIF")
_HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")  # brands after "ftyp"
_ORIENTATION = 0x0112  # the EXIF tag
_MOST_PIXELS = 100_000_000
_LONGEST_SIDE = 40_000
_SHORTEST_SIDE = 16
_MOST_DEGREES = 10.0
# Few bytes of a file can become many pixels: what decoding takes is known from the header, and bounded.
_MOST_BYTES = 200_000_000
_LARGE_BYTES = 20_000_000  # from here on made smaller before anything else
_ALL_BYTES = 250_000_000  # of all photos that are decoded at the same time
_decoding, _room = list[int](), Condition()
# Bytes for each pixel, measured; all but plain modes are copied twice when they are laid on white.
_PLAIN_BYTES, _OTHER_BYTES, _PROGRESSIVE_BYTES = 4, 12, 7
_FORMAT_BYTES = {"WEBP": 16, "AVIF": 16, "TIFF": 12, "HEIF": 8}
_PLAIN_MODES = ("L", "RGB", "CMYK", "YCbCr")


class BadImage(Exception):
    """A picture that cannot be used; `reason` is a short stable phrase."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def decode(data: bytes, short_side: int | None = None) -> Image.Image:
    """The picture as upright RGB; with `short_side`, a large one may be decoded at a smaller scale.

    The short side never falls below `short_side` by this. Raises BadImage.
    """
    from PIL import Image, ImageOps

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's warnings on size and odd EXIF; we judge size ourselves
        image, size = check(data, short_side)
        try:
            with _taking(size):
                image.load()
                if short_side is not None and size > _LARGE_BYTES:
                    image = _reduced(image, max(1, min(image.size) // short_side))
                image = ImageOps.exif_transpose(image)
                if "A" in image.getbands() or "transparency" in image.info:
                    # What shows through is a white page, not the black that a plain conversion makes of it.
                    white = Image.new("RGBA", image.size, "white")
                    image = Image.alpha_composite(white, image.convert("RGBA"))
                image = image.convert("RGB")
            image.info.clear()  # comments and places where photos were taken must not go into thumbnails
            return image
        # Decoders fail in many ways (OSError, ValueError, SyntaxError, zlib.error ...): all say the same.
        except Exception as error:
            raise BadImage("damaged image") from error


@contextmanager
def _taking(size: int) -> Iterator[None]:
    """Wait until there is room for so many bytes beside those of other threads."""
    with _room:
        _room.wait_for(lambda: sum(_decoding) + size <= _ALL_BYTES)
        _decoding.append(size)
    try:
        yield
    finally:
        with _room:
            _decoding.remove(size)
            _room.notify_all()


def small_jpeg(data: bytes, size: int, quality: int = 90) -> bytes:
    """JPEG bytes of the picture with a short side of at most `size`; raises BadImage.

    A JPEG that already fits and stands upright keeps its own bytes.
    """
    from PIL import Image

    image = decode(data, size)
    short = min(image.size)
    if short <= size:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given, _ = check(data)
            upright = given.getexif().get(_ORIENTATION, 1) in (0, 1)
        if (given.format, given.mode, given.size, upright) == ("JPEG", "RGB", image.size, True):
            return data
    if short > size:
        width, height = (round(side * size / short) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def check(data: bytes, short_side: int | None = None) -> tuple[Image.Image, int]:
    """The picture, not yet decoded, and the bytes that decoding takes; raises BadImage by its header."""
    from PIL import Image, UnidentifiedImageError

    if not data:
        raise BadImage("empty image file")

    def opened() -> Image.Image:
        return Image.open(BytesIO(data), formats=[name for name in FORMATS if name in Image.OPEN])

    try:
        try:
            Image.preinit()  # JPEG, PNG, GIF, BMP: loading all others takes longer than a photo does
            image = opened()
        except UnidentifiedImageError:
            Image.init()
            if data[4:8] == b"ftyp" and data[8:12] in _HEIC and "HEIF" not in Image.OPEN:
                from pi_heif import register_heif_opener

                register_heif_opener()
            image = opened()
    except Image.DecompressionBombError as error:
        raise BadImage("too large image") from error
    except Exception as error:
        raise BadImage("not an image") from error
    width, height = image.size
    if width * height > _MOST_PIXELS or max(width, height) >= _LONGEST_SIDE:
        raise BadImage("too large image")
    if min(width, height) < _SHORTEST_SIDE:
        raise BadImage("too small image")
    progressive = width * height * _PROGRESSIVE_BYTES if "progressive" in image.info else 0
    if short_side is not None and (short := min(image.size)) > short_side:
        # The JPEG decoder halves the picture while it stays at least as large as wanted.
        width, height = (-(-side * short_side // short) for side in image.size)
        image.draft("RGB", (width, height))
    usual = _PLAIN_BYTES if image.mode in _PLAIN_MODES else _OTHER_BYTES
    size = image.width * image.height * _FORMAT_BYTES.get(image.format or "", usual)
    if max(size, progressive) > _MOST_BYTES:
        raise BadImage("too large image")
    return image, max(size, progressive)


def _reduced(image: Image.Image, factor: int) -> Image.Image:
    """A decoded picture made smaller by a whole factor, where possible without a copy of its full size."""
    if image.mode not in (*_PLAIN_MODES, "LA", "RGBA"):  # a palette cannot be averaged
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    orientation = image.getexif().get(_ORIENTATION, 1)
    image = image.reduce(factor)
    image.getexif()[_ORIENTATION] = orientation
    return image


@dataclass(frozen=True, slots=True)
class ImageTransform:
    """How an image model wants its pictures: x = (rgb * scale - mean) / std, `crop` pixels wide.

    whole: evaluation gives all `size` pixels, and the tower looks at the middle and at the whole
    (`ImageTower.views`). The defaults are those of models trained on ImageNet.

    >>> ImageTransform(size=220, crop=192, scale=1 / 128, mean=(1, 1, 1), std=(1, 1, 1)).evaluate(data).shape
    torch.Size([3, 192, 192])
    """

    size: int = 256
    crop: int = 224
    scale: float = 1 / 255
    mean: tuple[float, float, float] = (0.485, 0.456, 0.406)
    std: tuple[float, float, float] = (0.229, 0.224, 0.225)
    whole: bool = False

    @property
    def side(self) -> int:
        """The width of an evaluated picture."""
        return self.size if self.whole else self.crop

    def train(self, data: bytes, random: np.random.Generator, zoom: float = 0.0) -> tuple[Tensor, Tensor]:
        """A picture of the prepared data as bytes (3, size, size), and how to change it at random, (2, 3).

        `finish` makes the change. zoom: at most this share of the crop's side is cut off as well and
        the rest enlarged; without it a model of whole pictures (crop equal to size) sees no crops. If the
        tower looks at whole pictures beside their middle, a crop may be as large as the picture.
        """
        import torch
        from PIL import Image

        image = _decode_fast(data, self.size)
        if random.random() < 0.5:
            image = square(image, self.size)
        else:
            image = image.resize((self.size, self.size), Image.Resampling.BILINEAR)
        degrees = random.uniform(-_MOST_DEGREES, _MOST_DEGREES)
        window = round(random.uniform(self.crop * (1 - zoom), self.side)) if zoom else self.crop
        left, top = (int(place) for place in random.integers(0, self.size - window + 1, 2))
        change = self._change(degrees, left, top, window, mirror=random.random() < 0.5)
        return torch.from_numpy(np.ascontiguousarray(np.asarray(image).transpose(2, 0, 1))), change

    def finish(self, pixels: Tensor, changes: Tensor) -> Tensor:
        """Bytes (B, 3, size, size) rotated, cropped and mirrored by `changes` (B, 2, 3).

        Returns (B, 3, crop, crop) in the model's scale, on the same device; what lies outside is black.
        """
        import torch
        from torch.nn import functional as F

        shape = [len(pixels), 3, self.crop, self.crop]
        grid = F.affine_grid(changes, shape, align_corners=False)
        sampled = F.grid_sample(pixels.float(), grid, align_corners=False)
        scale = [self.scale / deviation for deviation in self.std]
        shift = [mean / deviation for mean, deviation in zip(self.mean, self.std, strict=True)]
        # Not new_tensor, which would synchronise with the device.
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
        """Any picture, without randomness, as (3, side, side)."""
        import torch

        return torch.from_numpy(self.pixels(data))

    def pixels(self, data: bytes) -> np.ndarray[Any, Any]:
        """The same without torch."""
        image = square(decode(data, self.size), self.size)
        edge = (self.size - self.side) // 2
        return self.scaled(np.asarray(image.crop((edge, edge, edge + self.side, edge + self.side))))

    def scaled(self, pixels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """(height, width, 3) bytes as float32 (3, height, width) in the model's scale."""
        mean, std = (np.asarray(values, np.float32)[:, None, None] for values in (self.mean, self.std))
        planes = pixels.transpose(2, 0, 1).astype(np.float32, order="C")
        planes *= np.float32(self.scale) / std
        planes -= mean / std
        return planes

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary that `from_json` turns back into an equal value."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ImageTransform:
        """The transform that `to_json` wrote."""
        values: dict[str, Any] = {**data, "mean": tuple(data["mean"]), "std": tuple(data["std"])}
        return cls(**values)


def square(image: Image.Image, size: int) -> Image.Image:
    """The whole picture in a square, its narrow sides padded by reflection."""
    from PIL import Image

    longest = max(image.size)
    width, height = (max(1, round(side * size / longest)) for side in image.size)
    image = image.resize((width, height), Image.Resampling.BILINEAR)
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

        pixels = simplejpeg.decode_jpeg(data, "RGB", fastdct=True, min_height=size, min_width=size)
    except (ImportError, ValueError):  # ValueError: a kind of JPEG that it does not know, such as CMYK
        return decode(data, size)
    return Image.fromarray(pixels)
