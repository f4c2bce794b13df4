"""Recipes at an address of an object store."""

import gzip
import json
from dataclasses import replace

import pytest

from chef.data.shards import Tar
from chef.errors import ChefError
from chef.readers import Skipped, image_bytes, read
from chef.readers.remote import RemoteCopy
from chef.storage import open_store
from tests.readers.helpers import picture, read_all, recipe, write
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
        write(tmp_path / name, data)
    there, here = read_all(address), read_all(tmp_path)
    assert [replace(got, images=()) for got in there[0]] == [replace(got, images=()) for got in here[0]]
    assert there[1].counts == here[1].counts
    assert len(there[0]) == 4


def test_photos_are_named_by_their_address_and_those_inside_files_are_there_while_it_is_read(address):
    recipes = {}
    for got in read(address, Skipped()):
        recipes[got.title] = got
        if got.title == "Plum pie":
            assert image_bytes(got.images[0]) == PHOTO
    assert recipes["Cheese toast"].images == (f"{address}/book/images/pie.jpg",)
    assert image_bytes(f"{address}/book/images/pie.jpg") == PHOTOS["book/images/pie.jpg"]
    assert image_bytes(recipes["Chickpea curry"].images[0]) == PHOTOS["curry/images/original.webp"]


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
    for place in (f"{bucket}/a.jsonl.gz", bucket):
        assert [got.id for got in read_all(place)[0]] == ["x"]


def test_names_that_no_disk_takes_are_skipped(s3):
    bucket = s3.bucket()
    store = open_store(bucket)
    store.write("a.md", FILES["notes/soup.md"])
    store.write("a.md/b.md", FILES["notes/soup.md"])  # a file and a folder of one name
    store.write("x" * 300 + ".md", FILES["notes/soup.md"])
    recipes, skipped = read_all(bucket)
    assert 1 <= len(recipes) <= 2
    assert skipped.counts["cannot be read"] == 2


def test_nothing_there_is_an_error(s3):
    bucket = s3.bucket()
    for missing in ("nothing/here", "nothing.jsonl", ""):
        with pytest.raises(ChefError, match="nothing at"):
            read(f"{bucket}/{missing}")
    with pytest.raises(ChefError, match="cannot be used: NoSuchBucket"):
        read("s3://nobody-made-this/x")
    with pytest.raises(ChefError, match=r"no\.jpg"):
        image_bytes(f"{bucket}/no.jpg")


def test_a_photo_in_a_shard(s3):
    bucket = s3.bucket()
    tar = Tar()
    tar.add("0.jpg", b"zero")
    tar.add("1.jpg", b"one")
    open_store(bucket).write("shards/a.tar", tar.to_bytes())
    assert image_bytes(f"{bucket}/shards/a.tar!1.jpg") == b"one"
    with pytest.raises(ChefError, match=r"2\.jpg"):
        image_bytes(f"{bucket}/shards/a.tar!2.jpg")
