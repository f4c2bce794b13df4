from __future__ import annotations

import pytest

from chef.bundled import cookbook
from chef.files import cache_folder
from chef.index import open_cookbook


def test_the_cookbook_is_made_once_and_kept(model, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("chef.index.cookbook.cookbook", lambda: list(cookbook())[:5])
    first = open_cookbook(model)
    assert first.info().recipes == 5
    assert cache_folder() == tmp_path / "chef"
    version = first.version
    again = open_cookbook(str(model))
    assert (again.url, again.version) == (first.url, version)
    assert [str(path) for path in cache_folder().glob("*cookbook*")] == [first.url]  # nothing half-made


def test_a_failure_leaves_nothing(model, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def broken():
        yield next(cookbook())
        raise KeyboardInterrupt

    monkeypatch.setattr("chef.index.cookbook.cookbook", broken)
    with pytest.raises(KeyboardInterrupt):
        open_cookbook(model)
    assert list(cache_folder().glob("*cookbook*")) == []
