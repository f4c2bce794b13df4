from __future__ import annotations

import base64
from io import BytesIO

from PIL import Image

from chef.evaluate.thumbs import thumbnail


def test_a_small_jpeg_in_a_data_address():
    out = BytesIO()
    Image.new("RGB", (900, 600), "orange").save(out, "PNG")
    kind, _, data = thumbnail(out.getvalue()).partition(",")
    assert kind == "data:image/jpeg;base64"
    image = Image.open(BytesIO(base64.b64decode(data)))
    assert (image.format, image.size) == ("JPEG", (160, 107))


def test_a_small_photo_is_not_enlarged():
    out = BytesIO()
    Image.new("RGB", (50, 40), "orange").save(out, "JPEG")
    data = thumbnail(out.getvalue()).partition(",")[2]
    assert Image.open(BytesIO(base64.b64decode(data))).size == (50, 40)
