"""Folder and object store do the same."""

import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from chef.errors import ChefError
from chef.files import PARTIAL
from chef.storage import is_s3, last_of, open_store


def test_what_is_written_is_there(store):
    store.write("a.txt", b"one")
    store.write("deep/er/b.txt", b"")
    with store.writing("deep/c.bin") as file:
        file.write(b"x" * 9_000_000)  # more than one request
        assert store.size("deep/c.bin") is None
    assert store.read("a.txt") == b"one"
    assert store.read("deep/er/b.txt") == b""
    assert (store.size("a.txt"), store.size("deep/c.bin"), store.size("deep")) == (3, 9_000_000, None)
    assert sorted(store.listing()) == ["a.txt", "deep/c.bin", "deep/er/b.txt"]
    assert sorted(store.listing("deep")) == ["deep/c.bin", "deep/er/b.txt"]
    assert list(store.listing("dee")) == []
    assert store.sizes(["a.txt", "no", "deep/er/b.txt"]) == {"a.txt": 3, "deep/er/b.txt": 0}
    store.write("a.txt", b"two")
    assert store.read("a.txt") == b"two"


def test_a_write_that_fails_leaves_nothing(store):
    def fail():
        with store.writing("a.bin") as file:
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
    with store.open("a.bin", ahead=100_000) as file:
        assert file.read(10) == data[:10]
        file.seek(1_000_000)
        assert file.read(500_000) == data[1_000_000:1_500_000]
        assert file.read() == data[1_500_000:]
        assert file.read(1) == b""
    with store.local("a.bin") as path:
        assert path.read_bytes() == data


def test_what_is_missing_is_not_found(store):
    for look in (store.read, store.open, lambda name: store.span(name, 0, 1)):
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


def test_of_many_at_once_one_takes_it(store):
    def race(number):
        name = f"claims/{number // 8}"
        return name, store.take(name, f"run-{number}")

    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(race, range(80)))
    for place in range(10):
        owners = {owner for name, owner in told if name == f"claims/{place}"}
        assert len(owners) == 1
        assert store.read(f"claims/{place}").decode() in owners
    assert not [name for name in store.listing() if PARTIAL in name]
    assert len(list(store.listing())) == 10
    assert store.take("claims/0", "late") != "late"


def test_it_travels(store):
    store.write("a", b"1")
    again = pickle.loads(pickle.dumps(store))
    assert again == store
    assert hash(again) == hash(store)
    assert again.read("a") == b"1"
    again.keep("b", lambda path: path.write_bytes(b"saved"))
    assert store.read("b") == b"saved"


def test_addresses():
    assert is_s3("s3://bucket/x")
    assert not is_s3("folder/s3")
    assert open_store("s3://bucket/a/b/").place("c") == "s3://bucket/a/b/c"
    assert open_store("s3://bucket").place() == "s3://bucket"
    assert last_of("a/b.tar") == "b.tar"
    with pytest.raises(ChefError, match="bucket"):
        open_store("s3:///x")
