"""An uploaded photo: its size is judged by its head, before anything is decoded."""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image
from starlette.datastructures import UploadFile

from chef.serve.failures import Refusal
from chef.serve.settings import ServeSettings

# As in chef.data.images: Pillow knows many more, some of which start other programs.
_FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")


async def photo_bytes(file: UploadFile, settings: ServeSettings) -> bytes:
    """The bytes of a photo that is worth decoding; a refusal otherwise."""
    data = await file.read(settings.max_photo + 1)
    if len(data) > settings.max_photo:
        raise Refusal(413, f"the photo is larger than {settings.max_photo >> 20} MB; make it smaller")
    check(data, settings)
    return data


def check(data: bytes, settings: ServeSettings) -> None:
    """Refuse what is no photo, or has too many pixels."""
    if not data:
        raise Refusal(404, "no photo: the file is empty")
    most = settings.max_pixels
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's own, higher bound
            Image.init()
            known = [name for name in _FORMATS if name in Image.OPEN]
            width, height = Image.open(BytesIO(data), formats=known).size
    except Image.DecompressionBombError:
        width, height = most, 2
    # Pillow's readers of heads fail in many ways (OSError, ValueError, SyntaxError ...): all say the same.
    except Exception as error:
        raise Refusal(
            404, "no photo: the file is not an image that we can read; give JPEG, PNG or WebP"
        ) from error
    if width * height > most:
        raise Refusal(413, f"the photo has more than {most // 1_000_000} megapixels; make it smaller")
