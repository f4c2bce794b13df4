from __future__ import annotations

import pytest

from chef.data.prepared import Manifest
from chef.index.turn import turn_of
from chef.index.values import Added


@pytest.fixture
def url(request, tmp_path) -> str:
    return str(tmp_path / "c")


def test_a_turn_counts_until_all_is_done_and_then_the_next_begins(prepared, url):
    manifest, works = Manifest.load(prepared), ["shards/a.tar", "shards/b.tar"]
    one, same = turn_of(url, manifest, "f"), turn_of(url, manifest, "f")
    one.mark(works[0], Added(2, 1, 0))
    assert same.is_done(works[0])
    assert not same.is_done(works[1])
    assert same.marked() == {"a.tar"}
    assert same.result(works[0]) == Added(2, 1, 0)
    same.mark(works[1], Added(unchanged=4))
    assert not one.is_over()
    one.finish(works)
    assert same.is_over()
    assert same.total() == Added(2, 1, 4)
    assert list(same.store.listing()) == []
    for _ in range(3):
        later = turn_of(url, manifest, "f")
        assert not later.is_over()
        assert later.marked() == set()
        later.finish([])
    assert later.total() == Added()


def test_other_data_and_other_models_have_their_own(prepared, url):
    manifest = Manifest.load(prepared)
    turn_of(url, manifest, "f").mark("a", Added(1))
    assert turn_of(url, manifest, "f").marked() == {"a"}
    assert turn_of(url, manifest, "g").marked() == set()


def test_what_was_cleared_up_has_no_figures(prepared, url):
    turn = turn_of(url, Manifest.load(prepared), "f")
    assert turn.result("a") == turn.total() == Added()


@pytest.mark.parametrize("elsewhere", ["memory://c", "gs://bucket/c"])
def test_where_runs_cannot_see_each_other_there_is_none(prepared, elsewhere):
    assert turn_of(elsewhere, Manifest.load(prepared), "f") is None
