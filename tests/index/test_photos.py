from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import chef
from chef.data.images import BadImage
from chef.errors import ChefError
from chef.index.photos import photo_bytes, query_photo, thumbnail, usable
from chef.readers import Skipped
from tests.index.small import photo, recipe


def test_a_photo_is_the_same_point_by_path_bytes_and_picture(model, tmp_path):
    loaded = chef.load(model)
    data = photo("green", kind="PNG")
    (tmp_path / "dish.png").write_bytes(data)
    wanted = loaded.embed_images([tmp_path / "dish.png"])[0]
    for given in (tmp_path / "dish.png", str(tmp_path / "dish.png"), data, Image.open(BytesIO(data))):
        np.testing.assert_allclose(query_photo(loaded, given), wanted, atol=1e-6)
    np.testing.assert_allclose(loaded.encoder.embed_photos([data] * 11), np.stack([wanted] * 11), atol=1e-6)
    assert loaded.encoder.embed_photos([]).shape == (0, 24)


@pytest.mark.parametrize("data", [b"", b"plain text", photo("red")[:200], photo("red", (4000, 8), "PNG")])
def test_what_is_no_photo_is_an_error_in_one_line(model, data):
    with pytest.raises(ChefError, match="the photo: "):
        query_photo(chef.load(model), data)


def test_a_thumbnail_is_small_upright_and_a_jpeg():
    picture = Image.new("RGB", (900, 400), "blue")
    exif = picture.getexif()
    exif[0x0112] = 6  # lies on its side
    buffer = BytesIO()
    picture.save(buffer, "JPEG", exif=exif)
    made = Image.open(BytesIO(thumbnail(buffer.getvalue())))
    assert made.format == "JPEG"
    assert made.height == 320 > made.width
    with pytest.raises(BadImage):
        thumbnail(b"no")


def test_the_first_usable_photo_counts_and_the_others_are_noted(tmp_path):
    (tmp_path / "broken.jpg").write_bytes(b"no photo")
    (tmp_path / "dish.jpg").write_bytes(photo("red"))
    names = [str(tmp_path / name) for name in ("gone.jpg", "broken.jpg", "dish.jpg")]
    one = recipe("x", "X", ["1 egg"], images=("https://example.org/pie.jpg", *names))
    skipped = Skipped()
    found = photo_bytes(one, skipped, web=False)
    assert len(found) == 2
    chosen = usable(found, one, skipped)
    assert chosen is not None
    assert chosen[0] == photo("red")
    assert skipped.notes.counts == {
        "web address, not fetched": 1,
        "unreadable image file": 1,
        "not an image": 1,
    }
    assert usable([], one, skipped) is None
