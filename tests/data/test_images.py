from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from chef.data.images import BadImage, decode, small_jpeg
from tests.data.sources import encoded, picture


def size_of(data: bytes) -> tuple[int, int]:
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode) == ("JPEG", "RGB")
    return image.size


@pytest.mark.parametrize(
    ("image", "kind", "side", "size"),
    [
        (picture(300, 200), "JPEG", 64, (96, 64)),
        (picture(90, 120), "PNG", 60, (60, 80)),
        (picture(40, 40).convert("L"), "JPEG", 64, (40, 40)),
        *((picture(40, 30), kind, 64, (40, 30)) for kind in ("WEBP", "GIF", "BMP", "TIFF")),
    ],
)
def test_every_format_becomes_an_rgb_jpeg_whose_short_side_fits(image, kind, side, size):
    assert size_of(small_jpeg(encoded(image, kind), side)) == size


def test_a_jpeg_that_fits_keeps_its_bytes():
    data = encoded(picture(64, 300))
    assert small_jpeg(data, 64) is data
    assert small_jpeg(data, 63) != data


def test_the_exif_orientation_is_applied():
    upright = picture(60, 40)
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to see it upright
    data = encoded(upright.rotate(90, expand=True), exif=exif, quality=95)
    assert size_of(data) == (40, 60)
    stored = small_jpeg(data, 64)
    assert size_of(stored) == (60, 40)
    difference = np.abs(np.asarray(decode(stored), float) - np.asarray(upright, float))
    assert difference.mean() < 5
    assert not Image.open(BytesIO(stored)).getexif().get(0x0112)


def test_transparent_becomes_white():
    image = encoded(Image.new("RGBA", (32, 32), (255, 0, 0, 0)), "PNG")
    assert np.asarray(decode(image)).min() == 255


def test_draft_never_goes_below_the_wanted_side():
    size = decode(encoded(picture(1000, 700)), 64).size
    assert min(size) >= 64
    assert size != (1000, 700)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty image file"),
        (b"<html>404 not found</html>", "not an image"),
        (b"\xff\xd8\xff\xe0 not really a jpeg", "not an image"),
        (encoded(picture(200, 200))[:-300], "damaged image"),
        (encoded(picture(200, 200), "PNG")[:-2000], "damaged image"),
        (encoded(picture(15, 200)), "too small image"),
        (encoded(Image.new("1", (40_000, 20)), "PNG"), "too large image"),
        (encoded(Image.new("1", (30_000, 30_000)), "PNG"), "too large image"),
    ],
    ids=["empty", "html", "header", "cut-jpeg", "cut-png", "tiny", "long", "bomb"],
)
def test_bad_images_are_named(data, reason):
    with pytest.raises(BadImage) as caught:
        small_jpeg(data, 64)
    assert caught.value.reason == reason


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "TIFF"])
def test_every_format_opens_in_a_fresh_process(kind):
    code = "import sys; from chef.data.images import decode; print(decode(sys.stdin.buffer.read()).size)"
    printed = subprocess.check_output([sys.executable, "-c", code], input=encoded(picture(40, 30), kind))
    assert printed == b"(40, 30)\n"
