from __future__ import annotations

import base64
import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

from chef.readers import image_bytes, limits
from tests.readers.helpers import lines_of, picture, read_all, texts_of, write

PHOTO, SECOND = picture(), picture(colour="green")
PIE: dict[str, Any] = {
    "uid": "A-1",
    "name": "Plum pie",
    "ingredients": "500 g plums\nCrust:\n200 g flour\n",
    "directions": "Stone the plums.\n\nBake 40 minutes.",
    "categories": ["Dessert"],
    "source": "A friend",
    "source_url": "https://example.org/pie",
    "image_url": "https://example.org/pie.jpg",
    "photo_data": base64.b64encode(PHOTO).decode(),
    "photos": [{"name": "1", "data": base64.b64encode(SECOND).decode()}, {"name": "2"}],
}


def packed(value: Any) -> bytes:
    return gzip.compress(json.dumps(value).encode())


def test_an_export(tmp_path: Path) -> None:
    source = tmp_path / "box.paprikarecipes"
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("Plum pie #1!.paprikarecipe", packed(PIE))
        archive.writestr(
            "Bare.paprikarecipe", packed({"name": "Bare", "ingredients": "1 egg", "directions": None})
        )
        archive.writestr("Cut.paprikarecipe", packed(PIE)[:-20])
        archive.writestr("List.paprikarecipe", packed([1]))
    (bare, pie), skipped = read_all(tmp_path)
    assert (pie.id, pie.title, pie.source, pie.url) == (
        "A-1",
        "Plum pie",
        "A friend",
        "https://example.org/pie",
    )
    assert lines_of(pie) == ["500 g plums", "200 g flour"]
    assert texts_of(pie) == ["Stone the plums.", "Bake 40 minutes."]
    assert pie.tags == ("Dessert",)
    assert pie.images[0] == f"{source}!Plum pie #1!.paprikarecipe#/photo_data"
    assert [image_bytes(image) for image in pie.images] == [PHOTO, SECOND]
    assert bare.images == ()
    assert skipped.counts == {"broken archive": 1, "not an object": 1}


def test_a_single_recipe(tmp_path: Path) -> None:
    (got,), _ = read_all(write(tmp_path / "pie.paprikarecipe", packed(PIE)))
    assert [image_bytes(image) for image in got.images] == [PHOTO, SECOND]


def test_without_photo_the_address_is_left(tmp_path: Path) -> None:
    bare = {key: value for key, value in PIE.items() if not key.startswith("photo")}
    (got,), _ = read_all(write(tmp_path / "pie.paprikarecipe", packed(bare)))
    assert got.images == ("https://example.org/pie.jpg",)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "DOCUMENT", 1000)
    recipes, skipped = read_all(write(tmp_path / "a.paprikarecipe", gzip.compress(b" " * 100_000)))
    assert (recipes, skipped.counts) == ([], {"too large": 1})


def test_what_is_no_paprika_file(tmp_path: Path) -> None:
    write(tmp_path / "a.paprikarecipe", b"no gzip")
    write(tmp_path / "b.paprikarecipes", b"no zip")
    recipes, skipped = read_all(tmp_path)
    assert (recipes, skipped.counts) == ([], {"broken archive": 2})
