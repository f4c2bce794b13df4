"""Prepared data, and their source, on an S3 server."""

import pytest

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.readers.base import image_bytes
from chef.storage import open_store
from tests.data.preparing.conftest import Stop
from tests.data.sources import content


def test_data_at_an_address_read_like_those_in_a_folder(source, prepare_quick, prepared, s3):
    address, canonical = f"{s3.bucket()}/deep/er", "canonical.tsv"
    manifest = prepare_quick(source, address)
    there = Prepared(address)
    there.verify()
    assert there.manifest == manifest == prepared.manifest
    assert there.vocabulary.words == prepared.vocabulary.words
    assert (there.vectors == prepared.vectors).all()
    assert (there.text_folder / canonical).read_bytes() == (prepared.folder / canonical).read_bytes()
    mine, theirs = prepared.split("train"), there.split("train")
    assert theirs.ids == mine.ids
    for i in (*range(len(mine)), 0, len(mine) - 1):  # in order, and back and forth
        assert theirs.tokens(i) == mine.tokens(i)
        assert theirs.image_bytes(i) == mine.image_bytes(i)
    assert image_bytes(theirs.recipe(3).images[0]) == mine.image_bytes(3)


@pytest.mark.parametrize("stop", [Stop(10), Stop(after=1000, before="shards")])
def test_a_stopped_run_goes_on_there(source, prepare_quick, interrupted, prepared, s3, stop):
    out = f"{s3.bucket()}/prepared"
    interrupted(source, out, stop)
    parts = {name for name in content(out) if name.startswith("work/parts/")}
    assert parts
    prepare_quick(source, out)
    assert content(out) == content(prepared.folder)


def test_bad_places_are_named_and_nothing_is_left(source, prepare_quick, s3, tmp_path):
    bucket = s3.bucket()
    with pytest.raises(ChefError, match="no such file"):
        prepare_quick(tmp_path / "nowhere", bucket)
    assert content(bucket) == {}
    with pytest.raises(ChefError, match=r"no such bucket|cannot be used: NoSuchBucket"):
        prepare_quick(source, "s3://nobody-made-this/x")
    open_store(bucket).write("letters.txt", b"dear aunt")
    with pytest.raises(ChefError, match="not empty"):
        prepare_quick(source, bucket)
    with pytest.raises(ChefError, match="no prepared data"):
        Prepared(bucket)


def upload(folder, address) -> str:
    """Copy a folder to an address."""
    store = open_store(address)
    for path in folder.rglob("*"):
        if path.is_file():
            store.write(path.relative_to(folder).as_posix(), path.read_bytes())
    return address


def test_a_source_at_an_address_gives_the_same_data(source, prepare_quick, prepared, s3, tmp_path):
    address = upload(source, f"{s3.bucket()}/kitchen")
    prepare_quick(address, tmp_path / "out")
    assert content(tmp_path / "out") == content(prepared.folder)
    with pytest.raises(ChefError, match="inside the source"):
        prepare_quick(address, f"{address}/out")
