import struct
import zlib
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from chef.data.doctor.photo_checks import look, look_at, looks
from tests.data.sources import encoded


def photo(seed: int = 0, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """Smooth blobs of many colours: to the checks it is a photo."""
    coarse = np.random.default_rng(seed).integers(0, 256, (7, 9, 3), np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def card() -> Image.Image:
    image = Image.new("RGB", (320, 240), "white")
    text = "\n".join(["two cups of flour and one of milk " * 2] * 8)
    ImageDraw.Draw(image).multiline_text((20, 20), text, fill="black", spacing=12)
    return image


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    check = struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + check + b"\0\0\1\0IDAT"


@pytest.mark.parametrize("size", [(320, 240), (360, 120)], ids=["usual", "at the limits"])
def test_a_photo_is_fine(size: tuple[int, int]) -> None:
    seen = look_at(encoded(photo(size=size)))
    assert (seen.fault, seen.problems) == ("", ())
    assert seen.hash is not None


@pytest.mark.parametrize(
    ("image", "problem"),
    [
        (photo(size=(100, 300)), "tiny-image"),
        (photo(size=(900, 200)), "odd-aspect"),
        (Image.new("RGB", (300, 300), "white"), "flat-image"),
        (Image.new("L", (300, 300), 90), "flat-image"),
        (Image.new("RGBA", (300, 300), (200, 20, 20, 0)), "flat-image"),
        (card(), "drawing-or-text-card"),
        (photo().convert("L"), "drawing-or-text-card"),
    ],
)
def test_odd_pictures(image: Image.Image, problem: str) -> None:
    assert look_at(encoded(image, "PNG")).problems == (problem,)


@pytest.mark.parametrize("size", [(10_001, 10_000), (30_000, 30_000)])
def test_huge_pictures_are_not_decoded(size: tuple[int, int]) -> None:
    # Nothing but a header: decoding it would be a fault. Pillow itself refuses the second.
    seen = look_at(png_header(*size))
    assert (seen.fault, seen.problems, seen.hash) == ("", ("huge-image",), None)


def test_a_few_bytes_that_would_be_a_lot_of_memory_are_not_decoded() -> None:
    seen = look_at(b64decode("UklGRh4AAABXRUJQVlA4TBEAAAAvnVvnFgdQjyLXo4CBiOh/AAA="))  # 7070 x 7070
    assert (seen.fault, seen.problems, seen.hash) == ("", ("huge-image",), None)


BROKEN = [b"", b"no picture", encoded(photo())[:2000], encoded(photo(), "PNG")[:3000]]


@pytest.mark.parametrize("data", BROKEN, ids=["empty", "text", "cut jpeg", "cut png"])
def test_broken_and_missing_files_are_faults(data: bytes, tmp_path: Path) -> None:
    seen = look_at(data)
    assert seen.fault
    assert seen.hash is None
    assert "pie.jpg" in look(str(tmp_path / "pie.jpg")).fault


@pytest.mark.parametrize("seed", range(3))
def test_copies_hash_alike_and_others_do_not(seed: int) -> None:
    image, exif = photo(seed), Image.Exif()
    exif[0x0112] = 6  # shown turned by 90 degrees clockwise
    copies = [
        encoded(image, quality=40),
        encoded(image.resize((1600, 1200))),
        encoded(image.resize((160, 120))),
        encoded(image, "PNG"),
        encoded(image.transpose(Image.Transpose.ROTATE_90), exif=exif),
    ]
    first = look_at(encoded(image)).hash
    assert first is not None
    for copy in copies:
        assert (first ^ (look_at(copy).hash or 0)).bit_count() <= 3
    assert (first ^ (look_at(encoded(photo(seed + 100))).hash or 0)).bit_count() > 10


def test_a_pool_sees_what_one_process_sees_in_order(tmp_path: Path) -> None:
    references = [str(tmp_path / f"{number}.png") for number in range(70)]  # enough for a pool
    for number, path in enumerate(references):
        photo(number, (130, 130)).save(path)
    references[5] = str(tmp_path / "missing.png")
    assert list(looks(references)) == [look(reference) for reference in references]
