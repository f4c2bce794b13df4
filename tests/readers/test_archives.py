"""Exports of Mealie and Paprika."""

import base64
import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from chef.readers import base, image_bytes
from chef.recipe import Step
from tests.readers.helpers import lines_of, picture, read_all, texts_of, write

# Of two versions of Mealie.
CURRY, NEWER = json.loads(Path(__file__).with_name("samples").joinpath("mealie.json").read_text("utf-8"))


def pack(path: Path, members: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(content) if isinstance(content, dict) else content)
    return path


def test_a_mealie_export(tmp_path: Path) -> None:
    photo = picture("WEBP")
    members = {
        "recipes/curry/curry.json": CURRY,
        "recipes/curry/images/original.webp": photo,
        "recipes/curry/images/min-original.webp": b"small",
        "recipes/rice/rice.json": NEWER,
        "settings/settings.json": {"language": "en"},
        "__MACOSX/recipes/._curry.json": b"\0",
    }
    source = pack(tmp_path / "mealie.zip", members)
    (curry, rice), skipped = read_all(source)
    assert (curry.id, curry.title, curry.url) == ("6a1f", "Chickpea curry", "https://example.org/curry")
    assert lines_of(curry) == ["2 tbsp oil", "1 tin chickpeas", "1 cup rice, rinsed"]
    assert curry.steps == (Step("Heat the oil.", "Base"), Step("Add the rest.", "Base"))
    assert curry.tags == ("vegan", "Main")
    assert curry.images == (f"{source}!recipes/curry/images/original.webp",)
    assert image_bytes(curry.images[0]) == photo
    assert (rice.id, lines_of(rice), rice.images) == ("mealie/rice", ["1 cup rice"], ())
    assert skipped.total == skipped.notes.total == 0


def test_a_single_download_and_an_unpacked_export(tmp_path: Path) -> None:
    photo = picture("WEBP")
    (got,), _ = read_all(pack(tmp_path / "curry.zip", {"curry.json": CURRY, "original.webp": photo}))
    assert image_bytes(got.images[0]) == photo
    write(tmp_path / "recipes" / "curry" / "curry.json", CURRY)
    file = write(tmp_path / "recipes" / "curry" / "images" / "original.webp", photo)
    (got,), skipped = read_all(tmp_path / "recipes")
    assert got.images == (str(file),)
    assert skipped.total == skipped.notes.total == 0


def test_a_damaged_member_does_not_hide_the_others_and_a_cut_archive_is_counted(tmp_path: Path) -> None:
    source = pack(tmp_path / "a.zip", {"a.json": CURRY, "b.json": NEWER})
    data = source.read_bytes()
    recipes, skipped = read_all(write(source, data[:60] + b"\0" * 10 + data[70:]))
    assert ([got.title for got in recipes], skipped.counts) == (["Fried rice"], {"broken archive": 1})
    recipes, skipped = read_all(write(source, data[:-30]))
    assert (recipes, skipped.counts) == ([], {"broken archive": 1})


def test_names_that_leave_the_archive_and_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "DOCUMENT", 5000)
    bad = {"../curry.json": CURRY, "/etc/curry.json": CURRY, "bomb.json": b" " * 100_000, "bad.json": b"{"}
    recipes, skipped = read_all(pack(tmp_path / "a.zip", {**bad, "rice.json": NEWER}))
    assert [got.title for got in recipes] == ["Fried rice"]
    assert skipped.counts == {"unsafe name in the archive": 2, "too large": 1, "not JSON": 1}
    recipes, skipped = read_all(pack(tmp_path / "b.zip", {"database.json": {"recipes": []}}))
    assert (recipes, skipped.counts) == ([], {"no recipe in the file": 1})


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


def test_a_paprika_export(tmp_path: Path) -> None:
    members = {
        "Plum pie #1!.paprikarecipe": packed(PIE),
        "Bare.paprikarecipe": packed({"name": "Bare", "ingredients": "1 egg", "directions": None}),
        "Cut.paprikarecipe": packed(PIE)[:-20],
        "List.paprikarecipe": packed([1]),
    }
    source = pack(tmp_path / "box.paprikarecipes", members)
    (bare, pie), skipped = read_all(tmp_path)
    assert (pie.id, pie.title, pie.source) == ("A-1", "Plum pie", "A friend")
    assert (pie.url, pie.tags) == ("https://example.org/pie", ("Dessert",))
    assert lines_of(pie) == ["500 g plums", "200 g flour"]
    assert texts_of(pie) == ["Stone the plums.", "Bake 40 minutes."]
    assert pie.images[0] == f"{source}!Plum pie #1!.paprikarecipe#/photo_data"
    assert [image_bytes(image) for image in pie.images] == [PHOTO, SECOND]
    assert bare.images == ()
    assert skipped.counts == {"broken archive": 1, "not an object": 1}


def test_a_single_recipe_with_photos_or_an_address(tmp_path: Path) -> None:
    (got,), _ = read_all(write(tmp_path / "pie.paprikarecipe", packed(PIE)))
    assert [image_bytes(image) for image in got.images] == [PHOTO, SECOND]
    bare = {key: value for key, value in PIE.items() if not key.startswith("photo")}
    (got,), _ = read_all(write(tmp_path / "pie.paprikarecipe", packed(bare)))
    assert got.images == ("https://example.org/pie.jpg",)


def test_a_bomb_is_not_unpacked_and_what_is_no_paprika_file(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(base, "DOCUMENT", 1000)
    write(tmp_path / "bomb.paprikarecipe", gzip.compress(b" " * 100_000))
    write(tmp_path / "a.paprikarecipe", b"no gzip")
    write(tmp_path / "b.paprikarecipes", b"no zip")
    recipes, skipped = read_all(tmp_path)
    assert (recipes, skipped.counts) == ([], {"too large": 1, "broken archive": 2})
