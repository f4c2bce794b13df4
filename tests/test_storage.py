"""Folder and object store do the same; an object store may be slow, busy, forgetful or gone."""

import os
import pickle

import pytest

from chef import storage
from chef.errors import ChefError
from chef.storage import Store, Unreachable, is_s3, open_store


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path) -> Store:
    if request.param == "folder":
        return open_store(tmp_path / "store")
    return open_store(f"{request.getfixturevalue('s3').bucket()}/some/where")


def test_what_is_written_is_there(store):
    store.write("a.txt", b"one")
    store.write("deep/er/b.txt", b"")
    with store.writer("deep/c.bin") as file:
        for _ in range(9):
            file.write(b"x" * 1_000_000)
        assert store.size("deep/c.bin") is None
    assert store.read("a.txt") == b"one"
    assert store.read("deep/er/b.txt") == b""
    assert (store.size("a.txt"), store.size("deep/c.bin"), store.size("deep")) == (3, 9_000_000, None)
    assert sorted(store.listing()) == ["a.txt", "deep/c.bin", "deep/er/b.txt"]
    assert sorted(store.listing("deep")) == ["deep/c.bin", "deep/er/b.txt"]
    assert list(store.listing("dee")) == []
    assert dict(store.sizes()) == {"a.txt": 3, "deep/c.bin": 9_000_000, "deep/er/b.txt": 0}
    store.write("a.txt", b"two")
    assert store.read("a.txt") == b"two"


def test_a_write_that_fails_leaves_nothing(store):
    def fail():
        with store.writer("a.bin") as file:
            file.write(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert list(store.listing()) == []


def test_spans_and_files(store, tmp_path):
    data = os.urandom(3_000_000)
    store.write("a.bin", data)
    assert store.span("a.bin", 1000, 20) == data[1000:1020]
    assert store.span("a.bin", len(data) - 5, 20) == data[-5:]
    assert store.span("a.bin", 7, 0) == b""
    with store.local("a.bin") as path:
        assert path.read_bytes() == data


def test_what_is_missing_is_not_found(store):
    for look in (store.read, lambda name: store.span(name, 0, 1)):
        with pytest.raises(FileNotFoundError):
            look("no/such")
    assert store.size("no/such") is None
    assert list(store.listing("no")) == []
    store.remove("no/such")
    store.clear("no")


def test_removing(store):
    for name in ("a/1", "a/b/2", "ab/3"):
        store.write(name, b"x")
    store.remove("a/1")
    assert sorted(store.listing()) == ["a/b/2", "ab/3"]
    store.clear("a")
    assert list(store.listing()) == ["ab/3"]


def test_it_travels(store):
    store.write("a", b"1")
    again = pickle.loads(pickle.dumps(store))
    assert again == store
    assert hash(again) == hash(store)
    assert again.read("a") == b"1"


def test_addresses():
    assert is_s3("s3://bucket/x")
    assert not is_s3("folder/s3")
    assert open_store("s3://bucket/a/b/").place("c") == "s3://bucket/a/b/c"
    assert open_store("s3://bucket").place() == "s3://bucket"
    with pytest.raises(ChefError, match="bucket"):
        open_store("s3:///x")


# Faults


@pytest.fixture
def known(s3) -> Store:
    store = open_store(f"{s3.bucket()}/a")
    store.write("known", b"1" * 1000)
    return store


@pytest.fixture
def impatient(monkeypatch):
    """Give up soon, so that the test ends."""
    monkeypatch.setattr(storage, "_RETRIES", 2)
    monkeypatch.setattr(storage, "_TIMEOUT_SECONDS", 0.3)


def everything(store) -> None:
    """Each thing a store can do, and whether it was right."""
    for number in range(8):
        name = f"file-{number}"
        store.write(name, name.encode())
        assert store.read(name) == name.encode()
        assert store.size(name) == len(name)
        assert store.span(name, 1, 3) == b"ile"
        with store.writer(f"large-{number}") as file:
            file.write(b"x" * 9_000_000 if number == 0 else b"y")
        store.remove(name)
        assert store.size(name) is None
    assert store.size("large-0") == 9_000_000
    assert len(list(store.listing())) == 9


@pytest.mark.parametrize("kind", ["busy", "lost", "drop"])
def test_a_few_faults_are_got_over(s3, known, kind):
    s3.faults(kind=kind, share=0.25)
    everything(known)
    assert s3.counts()["faults"] > 5


@pytest.mark.parametrize("kind", ["busy", "lost", "drop"])
def test_a_store_that_fails_for_good_is_told_in_one_line(s3, known, impatient, kind):
    fresh = open_store(known.place())  # with the patience of this test
    s3.faults(kind=kind)
    for act in (
        lambda: fresh.read("known"),
        lambda: fresh.size("known"),
        lambda: fresh.write("new", b"2"),
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
        assert known.read("known") == b"1" * 1000


def test_answers_that_come_too_late_are_told(s3, known, impatient):
    fresh = open_store(known.place())
    s3.faults(kind="stall", seconds=1)
    with pytest.raises(Unreachable, match="known"):
        fresh.read("known")


def test_a_slow_store_is_only_slow(s3, known):
    s3.faults(kind="stall", seconds=0.2, share=0.3)
    assert known.read("known") == b"1" * 1000


def test_wrong_rights_and_a_server_that_is_gone(s3, impatient, monkeypatch):
    s3.faults(kind="refuse")
    with pytest.raises(Unreachable):
        open_store("s3://bucket/a").read("x")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(Unreachable, match="network"):
        open_store("s3://bucket/a").read("x")
