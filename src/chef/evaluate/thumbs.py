"""Thumbnails for the report: small enough to lie inside the page."""

from __future__ import annotations

import base64
from io import BytesIO

from chef.data.images import decode

SIZE = 160  # pixels of the longer side, at most
_QUALITY = 75


def thumbnail(photo: bytes, size: int = SIZE) -> str:
    """The photo as a `data:` address of a JPEG file of at most `size` pixels.

    >>> thumbnail(population.photos(0))[:23]
    'data:image/jpeg;base64,'
    """
    image = decode(photo, size)
    image.thumbnail((size, size))
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()
