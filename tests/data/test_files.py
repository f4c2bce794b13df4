from __future__ import annotations

import os
import pickle

import pytest

from chef.data import files
from chef.data.files import ShardFiles
from chef.errors import ChefError
from chef.storage import Folder


@pytest.fixture
def shards(tmp_path):
    names = [f"{number}.tar" for number in range(5)]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(bytes([number]) * 10)
    return Folder(tmp_path), names


def test_spans_of_many_files_with_few_open(shards, monkeypatch):
    monkeypatch.setattr(files, "_MOST_OPEN", 2)
    opened = ShardFiles(*shards)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        assert [opened.read(number, 4, 3) for number in range(5)] == [bytes([n]) * 3 for n in range(5)]
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def test_it_travels_to_other_processes(shards):
    opened = ShardFiles(*shards)
    opened.read(0, 0, 1)
    assert pickle.loads(pickle.dumps(opened)).read(3, 0, 2) == b"\x03\x03"


def test_a_short_or_missing_file_is_an_error(shards):
    with pytest.raises(ChefError, match="damaged"):
        ShardFiles(*shards).read(0, 8, 3)
    shards[0].remove("1.tar")
    with pytest.raises(ChefError, match="missing"):
        ShardFiles(*shards).read(1, 0, 1)
