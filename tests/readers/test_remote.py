"""Recipes at an address of an object store."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.readers import Skipped, image_bytes, read
from chef.readers.remote import RemoteCopy
from chef.storage import open_store
from tests.readers.helpers import picture, read_all, recipe
from tests.readers.test_archives import CURRY, PHOTO, PIE, packed

PHOTOS = {"book/images/pie.jpg": picture(), "curry/images/original.webp": picture("WEBP")}
FILES = {
    "book/recipes.jsonl": json.dumps(recipe(id="a", image="images/pie.jpg")).encode(),
    "book/splits.json": b'{"test": ["a"]}',
    "curry/curry.json": json.dumps(CURRY).encode(),
    "pie.paprikarecipe": packed(PIE),
    "notes/soup.md": b"# Soup\n## Ingredients\n- 1 leek\n",
    ".hidden/b.md": b"# Hidden\n## Ingredients\n- 1 leek\n",
    **PHOTOS,
}


@pytest.fixture
def address(s3) -> str:
    place = f"{s3.bucket()}/my/recipes"
    for name, data in FILES.items():
        open_store(place).write(name, data)
    return place


def test_it_reads_as_a_folder_does(address, tmp_path):
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    there, here = read_all(address), read_all(tmp_path)
    assert [{**got.to_json(), "images": []} for got in there[0]] == [
        {**got.to_json(), "images": []} for got in here[0]
    ]
    assert there[1].counts == here[1].counts
    assert len(there[0]) == 4


def test_photos_are_named_by_their_address(address):
    recipes = {got.title: got for got in read_all(address)[0]}
    assert recipes["Cheese toast"].images == (f"{address}/book/images/pie.jpg",)
    assert image_bytes(f"{address}/book/images/pie.jpg") == PHOTOS["book/images/pie.jpg"]
    assert image_bytes(recipes["Chickpea curry"].images[0]) == PHOTOS["curry/images/original.webp"]


def test_photos_inside_files_are_there_while_it_is_read(address):
    for got in read(address, Skipped()):
        if got.title == "Plum pie":
            assert image_bytes(got.images[0]) == PHOTO


def test_the_copy_holds_no_photo_and_goes(address):
    copy = RemoteCopy(address)
    stand_in = copy.path / "book/images/pie.jpg"
    assert stand_in.stat().st_size == len(PHOTOS["book/images/pie.jpg"])
    assert set(stand_in.read_bytes()) == {0}
    assert copy.size(f"{address}/book/images/pie.jpg") == len(PHOTOS["book/images/pie.jpg"])
    assert copy.size(f"{address}/book/images/no.jpg") is None
    assert copy.size("s3://elsewhere/pie.jpg") is None
    folder = copy.path
    assert not (folder / ".hidden").exists()
    del copy
    assert not folder.exists()


def test_a_single_file(s3):
    bucket = s3.bucket()
    open_store(bucket).write("a.jsonl.gz", gzip.compress(json.dumps(recipe(id="x")).encode()))
    assert [got.id for got in read_all(f"{bucket}/a.jsonl.gz")[0]] == ["x"]
    assert [got.id for got in read_all(bucket)[0]] == ["x"]


def test_names_that_no_disk_takes_are_skipped(s3):
    bucket = s3.bucket()
    store = open_store(bucket)
    store.write("a.md", FILES["notes/soup.md"])
    store.write("a.md/b.md", FILES["notes/soup.md"])  # a file and a folder of one name
    store.write("x" * 300 + ".md", FILES["notes/soup.md"])
    recipes, skipped = read_all(bucket)
    assert 1 <= len(recipes) <= 2
    assert skipped.counts["cannot be read"] == 2


@pytest.mark.parametrize("missing", ["nothing/here", "nothing.jsonl", ""])
def test_nothing_there_is_an_error(s3, missing):
    with pytest.raises(ChefError, match="nothing at"):
        read(f"{s3.bucket()}/{missing}")
    with pytest.raises(ChefError, match="cannot be used: NoSuchBucket"):
        read("s3://nobody-made-this/x")


def test_a_missing_photo_is_told(s3):
    with pytest.raises(ChefError, match=r"no\.jpg"):
        image_bytes(f"{s3.bucket()}/no.jpg")


def test_a_photo_in_a_shard(s3, tmp_path: Path):
    import tarfile

    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for name in ("0.jpg", "1.jpg"):
            (tmp_path / name).write_bytes(name.encode())
            tar.add(tmp_path / name, name)
    bucket = s3.bucket()
    open_store(bucket).write("shards/a.tar", (tmp_path / "a.tar").read_bytes())
    assert image_bytes(f"{bucket}/shards/a.tar!1.jpg") == b"1.jpg"
    with pytest.raises(ChefError, match=r"2\.jpg"):
        image_bytes(f"{bucket}/shards/a.tar!2.jpg")
