import gc
from pathlib import Path

import pytest

from chef.files import (
    atomic_file,
    cache_folder,
    loading,
    staging_folder,
    try_lock,
    write_atomic,
)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.bin"
    write_atomic(path, b"old")

    def fail():
        with atomic_file(path) as file:
            file.write(b"half of the n")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def fill(folder: Path, existing: str, content: str, fails: bool = False) -> None:
    with staging_folder(folder, existing) as new:
        (new / "file").write_text(content)
        if fails:
            raise KeyboardInterrupt


@pytest.mark.parametrize(("existing", "left"), [("replace", "new"), ("keep", "old"), ("fail", "old")])
def test_a_staged_folder_meets_one_that_is_there(tmp_path, existing, left):
    folder = tmp_path / "made"
    fill(folder, existing, "old")
    assert folder.stat().st_mode & 0o777 == 0o755
    if existing == "fail":
        with pytest.raises(OSError, match="not empty"):
            fill(folder, existing, "new")
    else:
        fill(folder, existing, "new")
    assert (folder / "file").read_text() == left
    assert list(tmp_path.iterdir()) == [folder]


def test_an_interrupted_staging_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "made", "replace", "new", fails=True)
    assert list(tmp_path.iterdir()) == []


def test_a_lock_lasts_until_its_file_is_closed(tmp_path):
    path = tmp_path / "lock"
    with path.open("ab") as first, path.open("ab") as second:
        assert try_lock(first)
        assert not try_lock(second)
        first.close()
        assert try_lock(second)


def test_the_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CHEF_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == tmp_path / ".cache" / "chef"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x" / "chef"
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


def test_the_collector_rests_inside_and_afterwards_is_as_before_after_an_error_too():
    assert gc.isenabled()
    with loading():
        assert not gc.isenabled()
        with loading():
            pass
        assert not gc.isenabled()  # it was off before the inner block
    assert gc.isenabled()
    with pytest.raises(ValueError, match="no"), loading():
        raise ValueError("no")
    assert gc.isenabled()
