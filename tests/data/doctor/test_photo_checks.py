from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from chef.data.doctor.photo_checks import difference_hash, look, look_at, looks


def _photo(seed: int = 0, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """Smooth blobs of many colours: to the checks it is a photo."""
    coarse = np.random.default_rng(seed).integers(0, 256, (7, 9, 3), np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def _file(image: Image.Image, form: str = "JPEG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def _png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + head
        + struct.pack(">I", zlib.crc32(head))
        + b"\0\0\1\0IDAT"
    )


def _card() -> Image.Image:
    card = Image.new("RGB", (320, 240), "white")
    draw = ImageDraw.Draw(card)
    for line in range(8):
        draw.text((20, 20 + 25 * line), "two cups of flour and one of milk " * 2, fill="black")
    return card


def test_a_photo_is_fine() -> None:
    seen = look_at(_file(_photo()))
    assert (seen.fault, seen.problems) == ("", ())
    assert seen.hash is not None


@pytest.mark.parametrize(
    ("image", "problem"),
    [
        (_photo(size=(100, 300)), "tiny-image"),
        (_photo(size=(900, 200)), "odd-aspect"),
        (Image.new("RGB", (300, 300), "white"), "flat-image"),
        (Image.new("L", (300, 300), 90), "flat-image"),
        (Image.new("RGBA", (300, 300), (200, 20, 20, 0)), "flat-image"),
        (_card(), "drawing-or-text-card"),
        (_photo().convert("L"), "drawing-or-text-card"),
    ],
)
def test_odd_pictures(image: Image.Image, problem: str) -> None:
    assert look_at(_file(image, "PNG")).problems == (problem,)


def test_exactly_at_the_limits_is_fine() -> None:
    assert look_at(_file(_photo(size=(360, 120)))).problems == ()


@pytest.mark.parametrize("size", [(10_001, 10_000), (30_000, 30_000)])
def test_huge_pictures_are_not_decoded(size: tuple[int, int]) -> None:
    # Nothing but a header: decoding it would be a fault. Pillow itself refuses the second.
    seen = look_at(_png_header(*size))
    assert (seen.fault, seen.problems, seen.hash) == ("", ("huge-image",), None)


@pytest.mark.parametrize("data", [b"", b"no picture", _file(_photo())[:2000], _file(_photo(), "PNG")[:3000]])
def test_broken_files_are_faults(data: bytes) -> None:
    seen = look_at(data)
    assert seen.fault
    assert seen.hash is None


def test_a_missing_file_is_a_fault(tmp_path: Path) -> None:
    assert "pie.jpg" in look(str(tmp_path / "pie.jpg")).fault


def test_the_hash_is_the_difference_of_neighbours() -> None:
    # Each place of the 8 x 9 grid is one pixel, so the picture is its own thumbnail.
    grey = np.random.default_rng(3).integers(0, 256, (8, 9)).astype(np.uint8)
    bits = "".join("1" if int(row[n]) > int(row[n + 1]) + 1 else "0" for row in grey for n in range(8))
    assert difference_hash(Image.fromarray(grey)) == int(bits, 2)


@pytest.mark.parametrize("seed", range(5))
def test_copies_hash_alike_and_others_do_not(seed: int) -> None:
    photo = _photo(seed)
    copies = [
        _file(photo, quality=40),
        _file(photo.resize((1600, 1200))),
        _file(photo.resize((160, 120))),
        _file(photo, "PNG"),
    ]
    first = look_at(_file(photo)).hash
    assert first is not None
    for copy in copies:
        assert (first ^ (look_at(copy).hash or 0)).bit_count() <= 3
    assert (first ^ (look_at(_file(_photo(seed + 100))).hash or 0)).bit_count() > 10


def test_a_turned_copy_that_says_so_hashes_alike() -> None:
    photo = _photo(1)
    exif = Image.Exif()
    exif[0x0112] = 6  # shown turned by 90 degrees clockwise
    turned = _file(photo.transpose(Image.Transpose.ROTATE_90), exif=exif)
    assert ((look_at(_file(photo)).hash or 0) ^ (look_at(turned).hash or 0)).bit_count() <= 3


def test_a_pool_sees_what_one_process_sees_in_order(tmp_path: Path) -> None:
    references = []
    for number in range(70):  # enough for a pool
        path = tmp_path / f"{number}.png"
        coarse = np.random.default_rng(number).integers(0, 256, (7, 9, 3), np.uint8)
        Image.fromarray(coarse).resize((130, 130), Image.Resampling.BICUBIC).save(path)
        references.append(str(path))
    references[5] = str(tmp_path / "missing.png")
    assert list(looks(references)) == [look(reference) for reference in references]
