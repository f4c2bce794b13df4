"""Pictures: decoded safely, turned upright, made small."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

# Formats that photos come in. Pillow knows many more, some of which start other programs.
_FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
_ORIENTATION = 0x0112  # the EXIF tag
_MOST_PIXELS = 100_000_000
_LONGEST_SIDE = 40_000
_SHORTEST_SIDE = 16


class BadImage(Exception):
    """A picture that cannot be used; `reason` is a short stable phrase."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def decode(data: bytes, short_side: int | None = None) -> Image.Image:
    """The picture as upright RGB; with `short_side`, a large JPEG may be decoded at a smaller scale.

    The short side never falls below `short_side` by this. Raises BadImage.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's warnings on size and odd EXIF; we judge size ourselves
        image = _open(data)
        try:
            if short_side is not None:
                _draft(image, short_side)
            return _upright_rgb(image)
        # Decoders fail in many ways (OSError, ValueError, SyntaxError, zlib.error ...): all say the same.
        except Exception as error:
            raise BadImage("damaged image") from error


def small_jpeg(data: bytes, size: int, quality: int = 90) -> bytes:
    """JPEG bytes of the picture with a short side of at most `size`; raises BadImage.

    A JPEG that already fits and stands upright keeps its own bytes.
    """
    from PIL import Image

    image = decode(data, size)
    short = min(image.size)
    if short <= size and _is_upright_jpeg(data, image.size):
        return data
    if short > size:
        width, height = (round(side * size / short) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def _open(data: bytes) -> Image.Image:
    from PIL import Image, UnidentifiedImageError

    if not data:
        raise BadImage("empty image file")
    try:
        try:
            Image.preinit()  # JPEG, PNG, GIF, BMP: loading all others takes longer than a photo does
            image = _recognise(data)
        except UnidentifiedImageError:
            Image.init()
            image = _recognise(data)
    except Image.DecompressionBombError as error:
        raise BadImage("too large image") from error
    except Exception as error:
        raise BadImage("not an image") from error
    width, height = image.size
    if width * height > _MOST_PIXELS or max(width, height) >= _LONGEST_SIDE:
        raise BadImage("too large image")
    if min(width, height) < _SHORTEST_SIDE:
        raise BadImage("too small image")
    return image


def _recognise(data: bytes) -> Image.Image:
    from PIL import Image

    return Image.open(BytesIO(data), formats=[name for name in _FORMATS if name in Image.OPEN])


def _draft(image: Image.Image, short_side: int) -> None:
    """Let the JPEG decoder halve the picture while it stays at least as large as wanted."""
    short = min(image.size)
    if short > short_side:
        width, height = (-(-side * short_side // short) for side in image.size)
        image.draft("RGB", (width, height))


def _upright_rgb(image: Image.Image) -> Image.Image:
    from PIL import Image, ImageOps

    image.load()
    image = ImageOps.exif_transpose(image)
    if "A" in image.getbands() or "transparency" in image.info:
        # What shows through is a white page, not the black that a plain conversion makes of it.
        image = image.convert("RGBA")
        page = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(page, image)
    return image.convert("RGB")


def _is_upright_jpeg(data: bytes, size: tuple[int, int]) -> bool:
    """Whether the bytes are an RGB JPEG file that shows the picture of this size without turning it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image = _open(data)
        upright = image.getexif().get(_ORIENTATION, 1) in (0, 1)
    return image.format == "JPEG" and image.mode == "RGB" and image.size == size and upright
