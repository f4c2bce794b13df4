"""An object store that is slow, busy, forgetful or gone."""

import pytest

from chef.errors import ChefError
from chef.storage import Unreachable, open_store
from chef.storage import s3 as s3_module


@pytest.fixture
def store(s3):
    store = open_store(f"{s3.bucket()}/a")
    store.write("known", b"1" * 1000)
    return store


@pytest.fixture
def impatient(monkeypatch):
    """Give up soon, so that the test ends."""
    monkeypatch.setattr(s3_module, "_RETRIES", 2)
    monkeypatch.setattr(s3_module, "_TIMEOUT_SECONDS", 0.3)


def everything(store) -> None:
    """Each thing a store can do, and whether it was right."""
    for number in range(8):
        name = f"file-{number}"
        store.write(name, name.encode())
        assert store.read(name) == name.encode()
        assert store.size(name) == len(name)
        assert store.span(name, 1, 3) == b"ile"
        assert store.take(f"claim-{number}", "me") == "me"
        assert store.take(f"claim-{number}", "you") == "me"
        with store.writing(f"large-{number}") as file:
            file.write(b"x" * 9_000_000 if number == 0 else b"y")
        store.remove(name)
        assert store.size(name) is None
    assert store.size("large-0") == 9_000_000
    assert len(list(store.listing())) == 17


@pytest.mark.parametrize("kind", ["busy", "lost", "drop"])
def test_a_few_faults_are_got_over(s3, store, kind):
    s3.faults(kind=kind, share=0.25)
    everything(store)
    assert s3.counts()["faults"] > 5


@pytest.mark.parametrize("kind", ["busy", "lost", "drop"])
def test_a_store_that_fails_for_good_is_told_in_one_line(s3, store, impatient, kind):
    fresh = open_store(store.place())  # with the patience of this test
    s3.faults(kind=kind)
    for act in (
        lambda: fresh.read("known"),
        lambda: fresh.size("known"),
        lambda: fresh.write("new", b"2"),
        lambda: fresh.take("claim", "me"),
        lambda: list(fresh.listing()),
        lambda: fresh.remove("known"),
        lambda: fresh.clear(""),
    ):
        with pytest.raises(ChefError) as told:
            act()
        assert "\n" not in str(told.value)
        assert "s3://" in str(told.value)
        assert len(str(told.value)) < 500
    s3.faults()
    if kind != "lost":  # there the removal was done
        assert store.read("known") == b"1" * 1000


def test_answers_that_come_too_late_are_told(s3, store, impatient):
    fresh = open_store(store.place())
    s3.faults(kind="stall", seconds=1)
    with pytest.raises(Unreachable, match="known"):
        fresh.read("known")


def test_a_slow_store_is_only_slow(s3, store):
    s3.faults(kind="stall", seconds=0.2, share=0.3)
    assert store.read("known") == b"1" * 1000
    assert store.take("claim", "me") == "me"


def test_wrong_rights_and_a_server_that_is_gone(s3, impatient, monkeypatch):
    s3.faults(kind="refuse")
    with pytest.raises(Unreachable):
        open_store("s3://bucket/a").read("x")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(Unreachable, match="network"):
        open_store("s3://bucket/a").read("x")
