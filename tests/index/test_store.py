import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import chef
from benchmarks.power_cut import PowerCut
from chef.errors import ChefError
from chef.index import Index, lance_errors
from chef.index.lance_errors import is_conflict, retry_on_conflict, translate_lance_errors
from chef.index.search import Pantry
from chef.index.store import Store
from chef.index.tidy import first_merged, most_files, tidy
from chef.index.values import title_words, tokens_of
from tests.index.small import ROOT, recipe, recipes


def test_what_cannot_be_a_collection_stays_as_it_is(tmp_path, model):
    (tmp_path / "file").write_text("hello")
    with pytest.raises(ChefError, match="is not a folder"):
        Store(tmp_path / "file")
    with pytest.raises(ChefError, match="needs a place"):
        Store(" ")
    with pytest.raises(ChefError, match="holds other files"):
        Index(tmp_path, model).add(recipes())
    assert os.listdir(tmp_path) == ["file"]
    assert not Store(tmp_path / "new").exists
    assert not (tmp_path / "new").exists()
    with pytest.raises(ChefError, match="no collection at"):
        Store(tmp_path / "new").check()


def test_a_broken_collection_is_an_error_in_one_line(own, tmp_path):
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
from chef.index import Index, ingest
from tests.index.small import recipe
ingest.BATCH = 4
index = Index(sys.argv[1], sys.argv[2])
class Tell(ingest.Progress):
    done = 0
    def advance(self, steps=1):
        self.done += steps
        print(self.done, flush=True)
index.add((recipe(f"r{n:04d}", f"Dish {n}", ["1 egg"]) for n in range(4000)), progress=Tell())
"""


@pytest.mark.parametrize(
    "loses_unflushed",
    [False, pytest.param(True, marks=pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler"))],
)
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, model: Path, loses_unflushed: bool):
    command = [sys.executable, "-c", WRITES, str(tmp_path / "w" / "c"), str(model)]
    (tmp_path / "w").mkdir()
    cut = PowerCut(tmp_path / "w") if loses_unflushed else None
    environment = {**os.environ, **(cut.environment if cut else {})}
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment)
    assert writer.stdout is not None
    acknowledged = 0
    while acknowledged < 24:
        acknowledged = int(writer.stdout.readline())
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read().split()  # what it said before the signal came
    writer.wait()
    writer.stdout.close()
    if cut:
        cut.strike(tmp_path / "w", random.Random(0))
    acknowledged = int(rest[-1]) if rest else acknowledged
    index = Index(tmp_path / "w" / "c")
    ids = [entry.id for entry in index.entries()]
    assert acknowledged <= len(ids) <= acknowledged + 4
    assert ids == [f"r{n:04d}" for n in range(len(ids))]
    assert len(ids) % 4 == 0  # whole batches only
    again = index.add([recipe(f"r{n:04d}", f"Dish {n}", ["1 egg"]) for n in range(acknowledged + 8)])
    assert again.unchanged == len(ids)
    assert index.search(text=f"dish {acknowledged + 7}")[0].id == f"r{acknowledged + 7:04d}"


def test_two_writers_of_the_same_new_recipes_store_each_once(tmp_path: Path, model: Path):
    code = WRITES.replace("range(4000)", "range(40)")
    command = [sys.executable, "-c", code, str(tmp_path / "c"), str(model)]
    writers = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    index = Index(tmp_path / "c")
    assert [entry.id for entry in index.entries()] == [f"r{n:04d}" for n in range(40)]


def test_others_may_clear_old_versions_away_at_any_time(tmp_path, model):
    index = Index(tmp_path / "c", model)
    for one in recipes():
        index.add([one])
    writer, other = Store(tmp_path / "c"), Store(tmp_path / "c")
    rows = writer.table.to_arrow()
    tidy(other, now=True)
    assert writer.upsert(rows) == (0, 6)
    tidy(other, now=True)
    assert len(writer.rows(["soup"], ["title"])) == 1
    tidy(other, now=True)
    writer.delete(["soup"])
    assert other.rows(["soup"], []) == {}


UPSERTS = """
import sys
import pyarrow as pa
from chef.index.values import schema
from chef.index.store import Store
from chef.index.tidy import tidy

store, who = Store(sys.argv[1]), int(sys.argv[2])
made = schema(2, {"model": "m", "fingerprint": "f", "dimension": 2})
if not store.exists:
    store.create(made)

def row(id):
    empty = {field.name: [] if pa.types.is_list(field.type) else "" for field in made}
    empty |= {"thumbnail": None, "photo_vector": None, "is_english": True, "main_confidence": None}
    empty |= {"checksum": 0, "has_image": False, "understood": True}
    return {**empty, "id": id, "title": f"By {who}", "vector": [1, 0]}

for number in range(6):
    ids = [f"own-{who}-{number}", *(f"all-{n}" for n in range(5))]  # those of all are changed by all at once
    store.upsert(pa.Table.from_pylist([row(id) for id in ids], made))
    tidy(store)
"""


def test_writers_of_the_same_rows_at_once_all_succeed(tmp_path: Path):
    commands = [[sys.executable, "-c", UPSERTS, str(tmp_path / "c"), str(who)] for who in range(3)]
    writers = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) for command in commands]
    errors = [writer.communicate()[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0], errors
    table = Store(tmp_path / "c").snapshot().columns({"id": "id", "title": "title"})
    assert sorted(table["id"].to_pylist()) == sorted(
        [*(f"own-{who}-{n}" for who in range(3) for n in range(6)), *(f"all-{n}" for n in range(5))]
    )
    assert set(table["title"].to_pylist()) == {"By 0", "By 1", "By 2"}


@pytest.mark.parametrize(("start", "batch", "batches"), [(0, 256, 4000), (8000, 1, 4000), (0, 1, 1000)])
def test_a_recipe_is_written_a_few_times_over_while_a_collection_grows(start: int, batch: int, batches: int):
    rows, written = [start] * bool(start), 0
    for _ in range(batches):
        rows.append(batch)
        if len(rows) > most_files(sum(rows)):
            first = first_merged(rows)
            rows[first:] = [sum(rows[first:])]
            written += rows[first]
        assert len(rows) <= min(4 + sum(rows) / 256, 256)
    assert written < 8 * batch * batches


CONFLICT = "lance error: Retryable commit conflict for version 9: This Update transaction was preempted"


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr(lance_errors.time, "sleep", seconds.append)
    return seconds


def failing(times: int, error: Exception):
    """An attempt that fails so many times before it succeeds."""
    left = [error] * times

    def attempt() -> str:
        if left:
            raise left.pop()
        return "done"

    return attempt


@pytest.mark.parametrize("kind", [RuntimeError, OSError, ValueError])
def test_conflicts_are_retried_with_longer_pauses(pauses, kind):
    assert retry_on_conflict(failing(5, kind(CONFLICT))) == "done"
    assert len(pauses) == 5
    assert all(later > sooner for sooner, later in zip(pauses, pauses[2:], strict=False))


def test_in_the_end_the_conflict_is_raised(pauses):
    with pytest.raises(ChefError, match="preempted"), translate_lance_errors("c"):
        retry_on_conflict(failing(1000, RuntimeError(CONFLICT)))
    assert 42 < sum(pauses) < 86
    assert max(pauses) <= 20


def test_a_removed_file_is_looked_for_again_but_not_for_long(pauses):
    gone = RuntimeError("LanceError(IO): Wrapped error: Not found: /c/recipes.lance/data/1011.lance, core")
    assert retry_on_conflict(failing(3, gone)) == "done"
    with pytest.raises(RuntimeError):
        retry_on_conflict(failing(1000, gone))
    assert len(pauses) == 3 + 3


def test_other_errors_are_raised_at_once(pauses):
    for error in (RuntimeError("no space left"), OSError(28, "no space left"), KeyError("conflict")):
        with pytest.raises(type(error)):
            retry_on_conflict(failing(1, error))
    assert pauses == []
    assert not is_conflict(RuntimeError("no such table"))


def test_tokens_are_unique_and_in_order(model):
    made = chef.load(model).read(
        recipe("x", "X", ["1 onion", "2 eggs", "1 onion, diced", "1 frumious bandersnatch"])
    )
    assert tokens_of(made.recipe) == ["onion", "eggs", "frumious_bandersnatch"]


def test_title_words():
    assert title_words("Chillies & Yoghurts, chillies!") == ["chili", "yogurt"]
    assert title_words("🍕") == []


def test_what_is_missing_is_counted_and_named(index, catalogue):
    pantry = Pantry(["chicken", "rice", "onions"], catalogue, index.resolver(catalogue))
    missing = {catalogue.ids[row].as_py(): pantry.missing(row) for row in range(len(catalogue))}
    assert missing["rice"] == []  # salt is a staple
    assert missing["soup"] == ["chicken_broth"]
    assert missing["salad"] == ["tomatoes"]
    assert pantry.counts().tolist() == [len(missing[id.as_py()]) for id in catalogue.ids]


def test_fewest_missing_come_first_whatever_the_likeness(index):
    hits = index.search(pantry=["chicken", "rice", "onion"], k=6)
    assert [len(hit.missing) for hit in hits] == sorted(len(hit.missing) for hit in hits)
    assert hits[0].id == "rice"
    assert "nothing is missing" in hits[0].why
    likened = index.search(text="walnut cake", pantry=["chicken", "rice", "onion"], k=6)
    assert [len(hit.missing) for hit in likened] == sorted(len(hit.missing) for hit in likened)
    assert likened[0].id == "rice"
    assert [hit.score for hit in likened] == sorted((hit.score for hit in likened), reverse=True)
    assert any(why.startswith("missing: ") for why in likened[-1].why)
