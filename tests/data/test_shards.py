import os
import pickle
import tarfile

import pytest

from chef.data import shards as shards_module
from chef.data.shards import ShardFiles, ShardIndex, Tar, members
from chef.errors import ChefError
from chef.storage import open_store

FILES = [("00000000.json", b"{}"), ("00000000.0.jpg", b"x" * 512), ("00000001.json", b"y" * 700)]


def write(path):
    tar = Tar()
    spans = [tar.add(name, data) for name, data in FILES]
    path.write_bytes(tar.to_bytes())
    return spans


def test_tarfile_and_spans_read_what_was_written(tmp_path):
    spans = write(tmp_path / "a.tar")
    with tarfile.open(tmp_path / "a.tar") as tar:
        assert [(info.name, tar.extractfile(info).read()) for info in tar] == FILES
        assert {(info.mtime, info.uid, info.gid, info.uname) for info in tar} == {(0, 0, 0, "")}
    whole = (tmp_path / "a.tar").read_bytes()
    assert [whole[offset : offset + size] for offset, size in spans] == [data for _, data in FILES]
    assert list(members(open_store(tmp_path), "a.tar")) == FILES
    (tmp_path / "a.tar").write_bytes(b"\x01" * 2048)
    with pytest.raises(ChefError, match=r"a\.tar"):
        list(members(open_store(tmp_path), "a.tar"))


def test_index_comes_back(tmp_path):
    index = ShardIndex(["a", "b"], [(512, 2), (2048, 3)], [[(1024, 9)], []])
    (tmp_path / "a.index.json").write_bytes(index.to_json())
    loaded = ShardIndex.load(open_store(tmp_path), "a.index.json")
    assert loaded.ids == index.ids
    assert [tuple(span) for span in loaded.texts] == index.texts
    (tmp_path / "a.index.json").write_bytes(index.to_json()[:-10])
    with pytest.raises(ChefError, match=r"a\.index"):
        ShardIndex.load(open_store(tmp_path), "a.index.json")


@pytest.fixture
def shards(tmp_path):
    names = [f"{number}.tar" for number in range(5)]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(bytes([number]) * 10)
    return open_store(tmp_path), names


def test_spans_of_many_files_with_few_open(shards, monkeypatch):
    monkeypatch.setattr(shards_module, "_MOST_OPEN", 2)
    opened = ShardFiles(*shards)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        assert [opened.read(number, 4, 3) for number in range(5)] == [bytes([n]) * 3 for n in range(5)]
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def test_it_can_be_pickled_and_a_short_or_missing_file_is_an_error(shards):
    opened = ShardFiles(*shards)
    opened.read(0, 0, 1)
    assert pickle.loads(pickle.dumps(opened)).read(3, 0, 2) == b"\x03\x03"
    with pytest.raises(ChefError, match="damaged"):
        opened.read(0, 8, 3)
    shards[0].remove("1.tar")
    with pytest.raises(ChefError, match="missing"):
        opened.read(1, 0, 1)
