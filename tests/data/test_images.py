import subprocess
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from chef.data.images import BadImage, ImageTransform, _decode_fast, decode, small_jpeg, square
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


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA", "LA", "CMYK", "1"])
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
def test_a_large_photo_is_made_smaller_and_looks_the_same(kind, mode, monkeypatch):
    exif = Image.Exif()
    exif[0x0112] = 6
    try:
        data = encoded(picture(90, 150).convert(mode), kind, exif=exif)
    except (OSError, ValueError):
        pytest.skip(f"no {mode} in {kind}")
    wanted = decode(data).resize((50, 30), Image.Resampling.BOX)
    monkeypatch.setattr("chef.data.images._LARGE_BYTES", 1)
    got = decode(data, 30)
    assert got.mode == "RGB"
    assert got.size == (50, 30)
    assert np.abs(np.asarray(got, float) - np.asarray(wanted, float)).mean() < 12


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF", "TIFF", "AVIF"])
def test_the_memory_of_decoding_follows_from_the_header(kind, mode, monkeypatch):
    """Nothing is decoded that takes more than the bound; a page of a few bytes can."""
    try:
        data = encoded(Image.new(mode, (400, 300)), kind)
    except (OSError, ValueError, KeyError):
        pytest.skip(f"no {mode} in {kind}")
    plain = 4 * 400 * 300
    monkeypatch.setattr("chef.data.images._MOST_BYTES", 16 * 400 * 300)
    decode(data, 64)
    monkeypatch.setattr("chef.data.images._MOST_BYTES", plain - 1)
    monkeypatch.setattr(Image.Image, "load", None)
    with pytest.raises(BadImage, match="too large image"):
        decode(data, 64)


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
        (b64decode("UklGRh4AAABXRUJQVlA4TBEAAAAvnVvnFgdQjyLXo4CBiOh/AAA="), "too large image"),
        (encoded(Image.new("1", (40_000, 20)), "PNG"), "too large image"),
        (encoded(Image.new("1", (30_000, 30_000)), "PNG"), "too large image"),
    ],
    ids=["empty", "html", "header", "cut-jpeg", "cut-png", "tiny", "webp", "long", "bomb"],
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


SMALL = ImageTransform(size=32, crop=24)


class Scripted:
    """A generator that says what it is told: pad or squeeze, degrees, place of the crop, mirror or not."""

    def __init__(self, pad: bool, degrees: float, left: int, top: int, mirror: bool) -> None:
        self._chances = [0.0 if pad else 0.9, 0.0 if mirror else 0.9]
        self._degrees, self._place = degrees, (left, top)

    def random(self) -> float:
        return self._chances.pop(0)

    def uniform(self, low: float, high: float) -> float:
        assert low <= self._degrees <= high
        return self._degrees

    def integers(self, low: int, high: int, size: int) -> np.ndarray:
        assert size == 2
        assert all(low <= place < high for place in self._place)
        return np.array(self._place)


@pytest.fixture
def without_simplejpeg(monkeypatch):
    monkeypatch.setitem(sys.modules, "simplejpeg", None)


def reflected(place: int, size: int) -> int:
    """Which pixel of a row of `size` shows at `place` when the row is continued by reflection."""
    while not 0 <= place < size:
        place = -place if place < 0 else 2 * (size - 1) - place
    return place


@pytest.mark.parametrize(("width", "height"), [(40, 20), (20, 40), (64, 5), (30, 30), (33, 32)])
def test_square_reflects_the_narrow_sides(width, height):
    image = picture(width, height)
    wide, high = (max(1, round(side * 32 / max(width, height))) for side in (width, height))
    inner = np.asarray(image.resize((wide, high), Image.Resampling.BILINEAR))
    left, top = (32 - wide) // 2, (32 - high) // 2
    expected = [
        [inner[reflected(y - top, high), reflected(x - left, wide)] for x in range(32)] for y in range(32)
    ]
    assert np.array_equal(np.asarray(square(image, 32)), np.array(expected))


def scaled(pixels: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(SMALL.scaled(pixels))


def test_each_colour_is_scaled():
    transform = ImageTransform(scale=1 / 50, mean=(1.0, 2.0, 3.0), std=(0.5, 2.0, 4.0))
    pixels = np.random.default_rng(0).integers(0, 256, (3, 4, 3), np.uint8)
    tensor = transform.scaled(pixels)
    assert tensor.dtype == np.float32
    for y, x, c in np.ndindex(3, 4, 3):
        expected = (int(pixels[y, x, c]) / 50 - transform.mean[c]) / transform.std[c]
        assert tensor[c, y, x].item() == pytest.approx(expected, abs=1e-4)


def test_evaluation_is_the_middle_of_the_square():
    data = encoded(picture(50, 40), "PNG")
    expected = np.asarray(square(picture(50, 40), 32))[4:28, 4:28]
    assert torch.equal(SMALL.evaluate(data), scaled(expected))


@pytest.mark.usefixtures("without_simplejpeg")
@pytest.mark.parametrize(
    ("degrees", "pad", "mirror"),
    [(0.0, False, False), (0.0, True, True), (7.0, True, False), (-10.0, False, True), (-10.0, True, True)],
)
def test_training_follows_its_draws(degrees, pad, mirror):
    image = picture(50, 40)
    pixels, change = SMALL.train(encoded(image, "PNG"), Scripted(pad, degrees, 3, 8, mirror))
    shape = square(image, 32) if pad else image.resize((32, 32), Image.Resampling.BILINEAR)
    assert np.array_equal(pixels.permute(1, 2, 0).numpy(), np.asarray(shape))
    # Pillow turns the picture by itself, with black behind it; it rounds to whole bytes.
    turned = np.asarray(shape.rotate(degrees, Image.Resampling.BILINEAR))[8:32, 3:27]
    expected = scaled(turned[:, ::-1] if mirror else turned)
    finished = SMALL.finish(pixels[None], change[None])[0]
    assert finished.shape == (3, 24, 24)
    shown = SMALL.finish(torch.full_like(pixels, 255)[None], change[None])[0]
    # At the black edge the two differ by a pixel.
    inside = ((shown - scaled(np.full((1, 1, 3), 255, np.uint8))).abs() < 1e-3).all(0)
    assert inside.float().mean() > 0.8
    assert (finished - expected).abs()[:, inside].max() < (0.03 if degrees else 1e-4)


@pytest.mark.usefixtures("without_simplejpeg")
def test_zoom_shows_less_of_the_picture_larger():
    class Zoomed(Scripted):
        def uniform(self, low, high):
            return 0.0 if low < 0 else 12.0  # no turn, and half of the side is cut off

    image = picture(32, 32)
    pixels, change = SMALL.train(encoded(image, "PNG"), Zoomed(True, 0.0, 20, 5, False), zoom=0.6)
    found = SMALL.finish(pixels[None], change[None])[0]
    window = pixels[None, :, 5:17, 20:32].float()
    larger = torch.nn.functional.interpolate(window, size=(24, 24), mode="bilinear", align_corners=False)
    expected = larger[0] * (SMALL.scale / torch.tensor(SMALL.std))[:, None, None]
    expected -= (torch.tensor(SMALL.mean) / torch.tensor(SMALL.std))[:, None, None]
    torch.testing.assert_close(found[:, 1:-1, 1:-1], expected[:, 1:-1, 1:-1], rtol=1e-4, atol=1e-4)


def test_what_is_outside_is_black():
    white = torch.full((1, 3, 32, 32), 255, dtype=torch.uint8)
    _, change = SMALL.train(encoded(picture(32, 32)), Scripted(True, 10.0, 0, 0, False))
    corner = SMALL.finish(white, change[None])[0, :, 0, 0]
    assert torch.allclose(corner, scaled(np.zeros((1, 1, 3), np.uint8))[:, 0, 0])


@pytest.mark.parametrize("size", [(50, 40), (900, 700)])
def test_the_fast_decoder_agrees_with_pillow(size, monkeypatch):
    pytest.importorskip("simplejpeg")
    data = encoded(picture(*size), quality=92)
    fast = np.asarray(_decode_fast(data, 64).resize((32, 32)), float)
    monkeypatch.setitem(sys.modules, "simplejpeg", None)
    slow = np.asarray(_decode_fast(data, 64).resize((32, 32)), float)
    assert np.abs(fast - slow).mean() < 2


def test_a_four_colour_jpeg_is_decoded_too():
    assert _decode_fast(encoded(picture(40, 40).convert("CMYK")), 32).mode == "RGB"


def test_photos_of_phones_are_read_and_bounded(monkeypatch):
    data = (Path(__file__).parent / "dish.heic").read_bytes()
    image = decode(data)
    assert (image.mode, image.size) == ("RGB", (64, 48))
    assert np.asarray(image).std() > 10  # a plate, not one colour
    with pytest.raises(BadImage):
        decode(data[: len(data) // 2])
    monkeypatch.setattr("chef.data.images._MOST_BYTES", 64 * 48 * 8 - 1)
    with pytest.raises(BadImage, match="too large"):
        decode(data)
