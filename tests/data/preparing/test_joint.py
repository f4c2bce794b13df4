"""Several runs prepare one place together, in a folder or on an S3 server."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest

from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from chef.data.preparing.stages import Context
from chef.errors import ChefError
from chef.progress import Progress
from chef.readers.base import image_bytes
from chef.storage import open_store
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


def together(runs: int, source, out, map_file, **options) -> None:
    """Run the same command several times at once."""
    errors: list[BaseException] = []

    def one() -> None:
        try:
            prepare(source, out, QUICK, canonical=map_file, workers=1, **options)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=one) for _ in range(runs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_runs_at_once_share_the_work_and_do_nothing_twice(source, map_file, prepared, out, made):
    together(3, source, out, map_file, join=True)
    assert content(out) == content(prepared.folder)
    assert len(made) == 8 + 2 + len([name for name in prepared.manifest.files if name.endswith(".tar")])
    assert set(made.values()) == {1}


def test_data_at_an_address_read_like_those_in_a_folder(source, map_file, prepared, s3):
    address = f"{s3.bucket()}/deep/er"
    manifest = prepare(source, address, QUICK, canonical=map_file, workers=2)
    there = Prepared(address)
    there.verify()
    assert there.manifest == manifest == prepared.manifest
    assert there.vocabulary.words == prepared.vocabulary.words
    assert (there.vectors == prepared.vectors).all()
    assert (there.text_folder / "canonical.tsv").read_bytes() == (
        prepared.folder / "canonical.tsv"
    ).read_bytes()
    mine, theirs = prepared.split("train"), there.split("train")
    assert theirs.ids == mine.ids
    for i in (*range(len(mine)), 0, len(mine) - 1):  # in order, and back and forth
        assert theirs.tokens(i) == mine.tokens(i)
        assert theirs.image_bytes(i) == mine.image_bytes(i)
    assert image_bytes(theirs.recipe(3).images[0]) == mine.image_bytes(3)


class Stop(Progress):
    """Stops a run in the middle of its parts."""

    def __init__(self, after: int = 3) -> None:
        self.after = after

    def advance(self, steps=1, detail=""):
        self.after -= 1
        if not self.after:
            raise KeyboardInterrupt


def test_what_a_stopped_run_had_in_hand_falls_to_the_next(source, map_file, prepared, out, made):
    with pytest.raises(KeyboardInterrupt):
        prepare(source, out, QUICK, canonical=map_file, workers=2, progress=Stop(), join=True)
    assert made.total() >= 3
    prepare(source, out, QUICK, canonical=map_file, workers=2, join=True)
    assert content(out) == content(prepared.folder)
    assert set(made.values()) == {1}


@pytest.fixture
def unfinished(source, map_file, out) -> str:
    with pytest.raises(KeyboardInterrupt):
        prepare(source, out, QUICK, canonical=map_file, workers=2, progress=Stop(), join=True)
    return out


def test_all_must_have_the_same_settings(source, map_file, unfinished):
    before = content(unfinished)
    with pytest.raises(ChefError, match=r"other settings \(image size\)"):
        prepare(source, unfinished, replace(QUICK, image_size=24), canonical=map_file, join=True)
    assert content(unfinished) == before


def test_all_must_have_the_same_source(map_file, source, tmp_path, out):
    class Stopped(Progress):
        def stage(self, name, total=None, done=0):
            if "shards" in name:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare(source, out, QUICK, canonical=map_file, workers=2, progress=Stopped(), join=True)
    other = write_source(tmp_path / "other")
    write_lines(other, [{**recipe(n), "title": f"Renamed {n}"} for n in range(30)])
    with pytest.raises(ChefError, match="other recipes"):
        prepare(other, out, QUICK, canonical=map_file, workers=2, join=True)


def test_a_run_alone_leaves_shared_work_alone(source, map_file, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        prepare(source, out, QUICK, canonical=map_file, workers=2, progress=Stop(), join=True)
    before = content(out)
    with pytest.raises(ChefError, match="--join"):
        prepare(source, out, QUICK, canonical=map_file)
    assert content(out) == before


def test_a_run_alone_and_one_that_shares_keep_apart(source, map_file, tmp_path):
    class Second(Progress):
        def stage(self, name, total=None, done=0):
            with pytest.raises(ChefError, match="another run"):
                prepare(source, tmp_path / "out", QUICK, canonical=map_file, join=True)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare(source, tmp_path / "out", QUICK, canonical=map_file, progress=Second())


def test_bad_places_are_told_and_nothing_is_left(source, map_file, s3, tmp_path):
    bucket = s3.bucket()
    with pytest.raises(ChefError, match="no such file"):
        prepare(tmp_path / "nowhere", bucket, QUICK, canonical=map_file)
    assert content(bucket) == {}
    with pytest.raises(ChefError, match=r"no such bucket|cannot be used: NoSuchBucket"):
        prepare(source, "s3://nobody-made-this/x", QUICK, canonical=map_file)
    open_store(bucket).write("letters.txt", b"dear aunt")
    with pytest.raises(ChefError, match="not empty"):
        prepare(source, bucket, QUICK, canonical=map_file)
    with pytest.raises(ChefError, match="no prepared data"):
        Prepared(bucket)


def upload(folder, address) -> str:
    """Copy a folder to an address."""
    store = open_store(address)
    for path in folder.rglob("*"):
        if path.is_file():
            store.write(path.relative_to(folder).as_posix(), path.read_bytes())
    return address


def test_a_source_at_an_address_gives_the_same_data(source, map_file, prepared, s3, tmp_path):
    address = upload(source, f"{s3.bucket()}/kitchen")
    prepare(address, tmp_path / "out", QUICK, canonical=map_file, workers=2)
    assert content(tmp_path / "out") == content(prepared.folder)
    with pytest.raises(ChefError, match="inside the source"):
        prepare(address, f"{address}/out", QUICK, canonical=map_file)
