from __future__ import annotations

import pytest

from chef.atomic import replacing, sweep, write_whole


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.bin"
    write_whole(path, b"old")

    def fail():
        with replacing(path) as file:
            file.write(b"half of the n")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_sweep_removes_what_killed_writers_left(tmp_path):
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "train-00000.tar.partial-4711").write_bytes(b"half")
    write_whole(tmp_path / "shards" / "train-00001.tar", b"whole")
    sweep(tmp_path)
    assert [path.name for path in (tmp_path / "shards").iterdir()] == ["train-00001.tar"]
