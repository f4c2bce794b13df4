from __future__ import annotations

import tarfile

import pytest

from chef.data.shards import ShardIndex, TarWriter, members
from chef.errors import ChefError
from chef.storage import Folder

FILES = [("00000000.json", b"{}"), ("00000000.0.jpg", b"x" * 512), ("00000001.json", b"y" * 700)]


def write(path):
    with path.open("wb") as file:
        tar = TarWriter(file)
        spans = [tar.add(name, data) for name, data in FILES]
        tar.close()
    return spans


def test_tarfile_reads_what_was_written(tmp_path):
    write(tmp_path / "a.tar")
    with tarfile.open(tmp_path / "a.tar") as tar:
        assert [(info.name, tar.extractfile(info).read()) for info in tar] == FILES
        assert {(info.mtime, info.uid, info.gid, info.uname) for info in tar} == {(0, 0, 0, "")}
    assert list(members(Folder(tmp_path), "a.tar")) == FILES


def test_spans_point_at_the_bytes(tmp_path):
    spans = write(tmp_path / "a.tar")
    whole = (tmp_path / "a.tar").read_bytes()
    assert [whole[offset : offset + size] for offset, size in spans] == [data for _, data in FILES]


def test_damage_is_an_error(tmp_path):
    write(tmp_path / "a.tar")
    (tmp_path / "a.tar").write_bytes(b"\x01" * 2048)
    with pytest.raises(ChefError, match=r"a\.tar"):
        list(members(Folder(tmp_path), "a.tar"))


def test_index_comes_back(tmp_path):
    index = ShardIndex(["a", "b"], [(512, 2), (2048, 3)], [[(1024, 9)], []])
    (tmp_path / "a.index.json").write_bytes(index.to_json())
    loaded = ShardIndex.load(Folder(tmp_path), "a.index.json")
    assert loaded.ids == index.ids
    assert [tuple(span) for span in loaded.texts] == index.texts
    (tmp_path / "a.index.json").write_bytes(index.to_json()[:-10])
    with pytest.raises(ChefError, match=r"a\.index"):
        ShardIndex.load(Folder(tmp_path), "a.index.json")
