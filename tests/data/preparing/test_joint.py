"""Several runs prepare one place together, in a folder or on an S3 server."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from chef.data.prepared import Prepared
from chef.data.preparing.stages import Context
from chef.errors import ChefError
from chef.readers.base import image_bytes
from chef.storage import is_s3, open_store
from tests.data.preparing.conftest import Stop
from tests.data.sources import QUICK, content, recipe, write_lines, write_source


@pytest.fixture
def made(monkeypatch) -> Counter[str]:
    """How often each part, shard and vector file is made, by whichever run of this process."""
    counts: Counter[str] = Counter()
    do = Context.do

    def counting(self, tasks, held):
        for outcome in do(self, tasks, held):
            counts[outcome.work] += bool(outcome.recipes or outcome.files)
            yield outcome

    monkeypatch.setattr(Context, "do", counting)
    return counts


def test_runs_at_once_share_the_work_and_do_nothing_twice(source, prepare_quick, prepared, out, made):
    with ThreadPoolExecutor(3) as threads:
        for run in [threads.submit(prepare_quick, source, out, workers=1, join=True) for _ in range(3)]:
            run.result()
    assert content(out) == content(prepared.folder)
    assert len(made) == 8 + 2 + len([name for name in prepared.manifest.files if name.endswith(".tar")])
    assert set(made.values()) == {1}


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


def test_what_a_stopped_run_had_in_hand_falls_to_the_next(
    source, prepare_quick, interrupted, prepared, out, made
):
    interrupted(source, out, Stop(10), join=True)
    assert made.total() >= 3
    prepare_quick(source, out, join=True)
    assert content(out) == content(prepared.folder)
    assert set(made.values()) == {1}


def test_all_must_have_the_same_settings(source, prepare_quick, interrupted, out):
    interrupted(source, out, join=True)
    before = content(out)
    with pytest.raises(ChefError, match=r"other settings \(image size\)"):
        prepare_quick(source, out, settings=replace(QUICK, image_size=24), join=True)
    if not is_s3(out):  # on an object store every run shares
        with pytest.raises(ChefError, match="--join"):
            prepare_quick(source, out)
    assert content(out) == before


def test_all_must_have_the_same_source(source, prepare_quick, interrupted, tmp_path, out):
    interrupted(source, out, Stop(after=1000, before="shards"), join=True)
    other = write_source(tmp_path / "other")
    write_lines(other, [{**recipe(n), "title": f"Renamed {n}"} for n in range(30)])
    with pytest.raises(ChefError, match="other recipes"):
        prepare_quick(other, out, join=True)


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
