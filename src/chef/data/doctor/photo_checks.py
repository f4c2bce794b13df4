"""Checks of photos: can it be opened, what size is it, does it show anything, what is its hash?"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PIL import Image

from chef.data.images import BadImage, check, decode
from chef.data.pool import Pool
from chef.errors import ChefError
from chef.readers.base import image_bytes

TINY = 120  # pixels of the short side
ODD_ASPECT = 3.0
_KINDS = {"too large image": "huge-image", "too small image": "tiny-image"}
_ENOUGH = 512  # pixels of the long side: all that is measured here is coarser
_COLOURS = 128  # pixels of the long side at which colours are counted
_BATCH = 32  # photos per task
_FEW = 64  # for so few, starting a pool takes longer than the work
# Tuned by eye on 6,165 real photos; docs/doctor.md says what they find.
_FLAT = 8.0  # standard deviation of the grey values
_GREY = 6.0  # mean distance of the largest from the smallest of red, green and blue
_FEW_COLOURS = 0.85  # part of the picture that its eight commonest colours cover


@dataclass(frozen=True, slots=True)
class Look:
    """What one photo is like. Where `fault` is set the rest says nothing."""

    fault: str = ""
    problems: tuple[str, ...] = ()
    hash: int | None = None  # None: not decoded, or too flat for a hash to mean anything


def look(reference: str) -> Look:
    """Open the photo that a recipe refers to and look at it; whatever is wrong with it is in the answer."""
    try:
        return look_at(image_bytes(reference))
    except ChefError as error:
        return Look(fault=str(error))


def look_at(data: bytes) -> Look:
    """A look at the bytes of an image file."""
    try:
        # A JPEG decodes at a half, a quarter or an eighth of its size: many times faster than in full.
        upright = decode(data, _COLOURS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            short, long = sorted(check(data, _COLOURS)[0].size)
    except BadImage as error:
        kind = _KINDS.get(error.reason)
        return Look(problems=(kind,)) if kind else Look(fault=error.reason)
    problems = ["tiny-image"] * (short < TINY) + ["odd-aspect"] * (long > ODD_ASPECT * short)
    upright.thumbnail((_ENOUGH, _ENOUGH), Image.Resampling.BOX)
    photo_hash = difference_hash(upright)
    upright.thumbnail((_COLOURS, _COLOURS), Image.Resampling.BOX)
    if np.asarray(upright.convert("L"), np.float32).std() < _FLAT:
        return Look(problems=(*problems, "flat-image"))
    pixels = np.asarray(upright, np.float32)
    greyness = float((pixels.max(axis=2) - pixels.min(axis=2)).mean())
    shades = pixels.astype(np.int64) >> 4  # 16 per channel
    counts = np.bincount((shades[..., 0] << 8 | shades[..., 1] << 4 | shades[..., 2]).ravel(), minlength=4096)
    commonest = float(np.sort(counts)[-8:].sum() / counts.sum())  # part of the eight commonest colours
    if greyness < _GREY or commonest > _FEW_COLOURS:
        problems.append("drawing-or-text-card")
    return Look(problems=tuple(problems), hash=photo_hash)


def difference_hash(image: Image.Image) -> int:
    """64 bits, row by row: is a place brighter than its right neighbour, in 8 rows of 9 places?

    Size, brightness and compression of a copy change few of the bits. Of 600 real photos all came within
    three bits of their own copy at half and at three times the size, 93 % of their brightened copy.
    """
    # Whole grey values would be too coarse, and a place must be clearly brighter: white stays 0.
    places = np.asarray(image.convert("L").convert("F").resize((9, 8), Image.Resampling.LANCZOS))
    bits = places[:, :-1] > places[:, 1:] + 1
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def looks(references: Sequence[str]) -> Iterator[Look]:
    """One look per reference, in order, with all processor cores.

    >>> next(looks(["dinner.jpg"])).fault
    'no image at dinner.jpg (check that the source is still where it was read from)'
    """
    batches = (references[start : start + _BATCH] for start in range(0, len(references), _BATCH))
    with Pool(1 if len(references) <= _FEW else None, warm=__name__) as pool:
        for done in pool.run((partial(_look_at_all, batch) for batch in batches), in_order=True):
            yield from done


def _look_at_all(references: Sequence[str]) -> list[Look]:
    return [look(reference) for reference in references]
