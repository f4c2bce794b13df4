from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.index.store import Store, _untidy
from tests.index.small import recipe, recipes


def test_looking_makes_nothing(tmp_path):
    assert not Store(tmp_path / "new").exists
    assert not (tmp_path / "new").exists()
    with pytest.raises(ChefError, match="no collection at"):
        Store(tmp_path / "new").check()


def test_places_that_cannot_be_a_collection(tmp_path, model):
    (tmp_path / "file").write_text("hello")
    with pytest.raises(ChefError, match="is not a folder"):
        Store(tmp_path / "file")
    with pytest.raises(ChefError, match="needs a place"):
        Store(" ")
    with pytest.raises(ChefError, match="holds other files"):
        Index(tmp_path, model).add(recipes())
    assert os.listdir(tmp_path) == ["file"]


def test_a_broken_collection_is_an_error_in_one_line(tmp_path, model):
    Index(tmp_path / "c", model).add(recipes())
    for manifest in (tmp_path / "c").rglob("*.manifest"):
        manifest.write_bytes(b"broken")
    with pytest.raises(ChefError, match="cannot be used") as caught:
        Index(tmp_path / "c", create=False)
    assert "\n" not in str(caught.value)


def test_ids_may_hold_anything(tmp_path, model):
    ids = ["it's", 'a "b"', "../../x", "a\\b", "über 🍕", "x' OR 'a'='a", "%", "<b>"]
    index = Index(tmp_path / "c", model)
    index.add([recipe(id, f"Title of {id}", ["1 egg"]) for id in ids])
    assert [entry.id for entry in index.entries()] == sorted(ids)
    for id in ids:
        assert index.get(id).recipe.title == f"Title of {id}"
    assert index.remove("it's", "x' OR 'a'='a") == 2
    assert index.info().recipes == len(ids) - 2


def test_a_collection_that_is_no_folder(model):
    index = Index("memory://collection", model)
    index.add(recipes())
    assert index.info().bytes is None
    assert index.search(text="toast")[0].id == "toast"
    index.remove("toast")
    assert index.info().recipes == 5


WRITES = """
import sys
from chef.index import Index, writing
from tests.index.small import recipe
writing.BATCH = 4
index = Index(sys.argv[1], sys.argv[2])
class Tell(writing.Progress):
    done = 0
    def advance(self, steps=1):
        self.done += steps
        print(self.done, flush=True)
index.add((recipe(f"r{n:04d}", f"Dish {n}", ["1 egg"]) for n in range(4000)), progress=Tell())
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, model: Path):
    root = Path(__file__).parent.parent.parent
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITES, str(tmp_path / "c"), str(model)], stdout=subprocess.PIPE, cwd=root
    )
    assert writer.stdout is not None
    told = 0
    while told < 24:
        told = int(writer.stdout.readline())
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read().split()  # what it said before the signal came
    writer.wait()
    writer.stdout.close()
    told = int(rest[-1]) if rest else told
    index = Index(tmp_path / "c")
    found = [entry.id for entry in index.entries()]
    assert told <= len(found) <= told + 4
    assert found == [f"r{n:04d}" for n in range(len(found))]
    assert len(found) % 4 == 0  # whole batches only
    again = index.add([recipe(f"r{n:04d}", f"Dish {n}", ["1 egg"]) for n in range(told + 8)])
    assert again.unchanged == len(found)
    assert index.search(text=f"dish {told + 7}")[0].id == f"r{told + 7:04d}"


def test_two_writers_of_the_same_new_recipes_store_each_once(tmp_path: Path, model: Path):
    code = WRITES.replace("range(4000)", "range(40)")
    command = [sys.executable, "-c", code, str(tmp_path / "c"), str(model)]
    root = Path(__file__).parent.parent.parent
    writers = [subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    index = Index(tmp_path / "c")
    assert [entry.id for entry in index.entries()] == [f"r{n:04d}" for n in range(40)]


def test_others_may_clear_old_versions_away_at_any_time(tmp_path, model):
    index = Index(tmp_path / "c", model)
    for one in recipes():
        index.add([one])
    writer, other = Store(tmp_path / "c"), Store(tmp_path / "c")
    rows = writer._table.to_arrow()
    other.tidy(now=True)
    assert writer.upsert(rows) == (0, 6)
    other.tidy(now=True)
    assert len(writer.rows(["soup"], ["title"])) == 1
    other.tidy(now=True)
    writer.delete(["soup"])
    assert other.rows(["soup"], []) == {}


UPSERTS = """
import sys
import pyarrow as pa
from chef.index.store import Store, schema

store, who = Store(sys.argv[1]), int(sys.argv[2])
made = schema(2, {"model": "m", "fingerprint": "f", "dimension": 2})
if not store.exists:
    store.create(made)

def row(id):
    empty = {field.name: [] if pa.types.is_list(field.type) else "" for field in made}
    empty |= {"thumbnail": None, "photo_vector": None}
    return {**empty, "id": id, "title": f"By {who}", "vector": [1, 0]}

for number in range(6):
    ids = [f"own-{who}-{number}", *(f"all-{n}" for n in range(5))]  # those of all are changed by all at once
    store.upsert(pa.Table.from_pylist([row(id) for id in ids], made))
    store.tidy()
"""


def test_writers_of_the_same_rows_at_once_all_succeed(tmp_path: Path):
    root = Path(__file__).parent.parent.parent
    commands = [[sys.executable, "-c", UPSERTS, str(tmp_path / "c"), str(who)] for who in range(3)]
    writers = [subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE) for command in commands]
    told = [writer.communicate()[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0], told
    found = Store(tmp_path / "c").snapshot().columns({"id": "id", "title": "title"})
    assert sorted(found["id"].to_pylist()) == sorted(
        [*(f"own-{who}-{n}" for who in range(3) for n in range(6)), *(f"all-{n}" for n in range(5))]
    )
    assert set(found["title"].to_pylist()) == {"By 0", "By 1", "By 2"}


@pytest.mark.parametrize(
    ("rows", "batch", "batches"),
    [(100, 10, 33), (10_000, 256, 33), (100_000, 1000, 33), (200_000, 1000, 51), (5_000_000, 256, 257)],
)
def test_the_larger_a_collection_the_rarer_it_is_written_anew(rows: int, batch: int, batches: int):
    """Else a collection of n recipes would be written n times over while it grows."""

    def stats(small: int):
        return {"num_rows": rows, "fragment_stats": {"num_small_fragments": small, "lengths": {"p50": batch}}}

    assert _untidy(stats(batches))
    assert not _untidy(stats(batches - 1))
