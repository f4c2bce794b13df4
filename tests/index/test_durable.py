"""Power cuts, damaged files, old versions: what a collection on a disk must come through."""

import os
import random
import time
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.index import Entry, Index, durable
from chef.index.backup import restore
from chef.index.catalogue import Catalogue
from chef.index.durable import Ledger, read_manifest
from chef.index.lance_errors import translate_lance_errors
from chef.index.repair import repair, verify
from chef.index.store import Store
from chef.index.values import stored_id
from tests.index.small import export, recipe, recipes


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def restored(folder: Path, content: dict[str, bytes]) -> None:
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.unlink()
    for name, data in content.items():
        (folder / name).write_bytes(data)


@pytest.fixture
def written(model, tmp_path) -> Path:
    """A collection of a few versions: added, changed, removed."""
    index = Index(tmp_path / "c", model)
    index.add(recipes())
    for number in range(4):
        index.add([recipe(f"stew-{number}", f"Stew {number}", ["1 onion"])])
    index.add([recipe("soup", "Another Soup", ["1 onion"])])
    index.remove("toast")
    return tmp_path / "c"


def test_a_write_is_acknowledged_once_all_its_files_are_flushed(model, tmp_path, monkeypatch):
    flushed: dict[str, float] = {}

    def sync(path: Path) -> None:
        flushed[str(path.relative_to(tmp_path))] = path.stat().st_size

    monkeypatch.setattr(durable, "sync", sync)
    index = Index(tmp_path / "c", model)
    for change in (
        lambda: index.add(recipes()),
        lambda: index.add([recipe("soup", "Another Soup", ["1 onion"])]),
        lambda: index.remove("cake"),
    ):
        flushed.clear()
        change()
        table = tmp_path / "c/recipes.lance"
        latest = read_manifest(table, Ledger(tmp_path / "c").manifests()[0])
        new = [latest.manifest, *(name for name in latest.files if name.startswith("_deletions/"))]
        for name in new:
            assert flushed[f"c/recipes.lance/{name}"] == (table / name).stat().st_size
            assert f"c/recipes.lance/{Path(name).parent}" in flushed  # its name, too
    assert all(name in Ledger(tmp_path / "c").checksums() for name in (latest.manifest, *latest.files))


@pytest.mark.parametrize("content", [None, b"", "half"])
@pytest.mark.parametrize("kind", ["manifest", "data"])
def test_a_torn_version_that_was_never_acknowledged_goes_by_itself(
    model, written, monkeypatch, kind, content
):
    before = export(written)
    monkeypatch.setattr(Ledger, "record", lambda self: None)  # the power goes first
    known = files(written)
    Index(written).add([recipe("new", "New Dish", ["1 egg"])])
    new = [
        name for name in files(written) if name not in known and f".{kind}".replace("data", "lance") in name
    ]
    torn = written / next(
        name for name in new if name.endswith("manifest" if kind == "manifest" else "lance")
    )
    if content is None:
        torn.unlink()
    else:
        torn.write_bytes(torn.read_bytes()[: torn.stat().st_size // 2] if content == "half" else b"")
    monkeypatch.undo()
    assert export(written) == before
    assert Index(written).add([recipe("new", "New Dish", ["1 egg"])]).added == 1
    assert verify(Store(written)).files == []


@pytest.mark.slow
def test_every_damaged_file_is_named_and_repaired(written):
    """Every file of a collection in turn, torn or with one bit flipped."""
    content, before = files(written), {one["id"]: one["title"] for one in Index(written).export()}
    assert verify(Store(written)).files == []
    names = [name for name in content if name.endswith((".manifest", ".lance", ".arrow", ".txn"))]
    for number, name in enumerate(sorted(names)):
        restored(written, content)
        data, draw = bytearray(content[name]), random.Random(number)
        if number % 2:
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        else:
            del data[draw.randrange(len(data)) :]
        (written / name).write_bytes(bytes(data))
        assert verify(Store(written)).files == [name.removeprefix("recipes.lance/")]
        done = repair(Store(written))
        health = verify(Store(written))
        assert (health.files, health.recipes, health.read) == ([], [], done.recipes)
        index = Index(written)
        after = {one["id"]: one["title"] for one in index.export()}
        if name.endswith(".manifest") and done.back_to:  # the latest: what was written last is lost
            assert after.keys() == before.keys() | {"toast"}
        else:
            changed = {id for id in before if before[id] != after.get(id)}
            rows = {one for one in done.lost if one.startswith("row ")}  # whose ids cannot be read
            named = {*done.lost, *done.older} - rows
            assert len(changed - named) <= len(rows)
            assert not set(done.lost) & after.keys()
            assert len(changed) <= len(named | rows) <= (6 if name.endswith(".lance") else 1)
        assert index.add([recipe("new", "New Dish", ["1 egg"])]).added == 1


def test_a_flipped_bit_costs_one_recipe_where_no_version_is_whole(model, tmp_path):
    index = Index(tmp_path / "c", model)
    index.add([recipe(f"r{n}", f"Dish number {n}", ["1 egg"], [f"Boil it {n} times."]) for n in range(40)])
    (data,) = (tmp_path / "c/recipes.lance/data").iterdir()
    content = data.read_bytes()
    assert content.count(b"Boil it 17 times.") == 1
    data.write_bytes(content.replace(b"Boil it 17 times.", b"Boil it 71 times."))
    health = verify(Store(tmp_path / "c"))
    assert (health.recipes, health.read, len(health.files)) == (["r17"], 39, 1)
    with pytest.raises(ChefError, match="chef index repair"):
        index.backup(tmp_path / "b.zip")
    assert not (tmp_path / "b.zip").exists()
    assert repair(Store(tmp_path / "c")).lost == ["r17"]
    assert verify(Store(tmp_path / "c")).read == 39


def test_a_collection_is_not_repaired_to_nothing(own, tmp_path):
    own.backup(tmp_path / "b.zip")
    for data in (tmp_path / "c/recipes.lance/data").iterdir():
        data.write_bytes(bytes(data.stat().st_size))
    before = files(tmp_path / "c")
    with pytest.raises(ChefError, match="restore a backup"):
        repair(Store(tmp_path / "c"))
    assert files(tmp_path / "c") == before


def test_updates_leave_few_files(own, tmp_path):
    fresh, ids = len(files(tmp_path / "c")), [one.id for one in recipes()]
    for number in range(60):
        own.add([recipe(ids[number % 6], f"Dish {number}", ["1 onion"])])
        assert len(files(tmp_path / "c")) <= 3 * fresh
    assert [own.get(id).recipe.title for id in ids] == [f"Dish {number}" for number in range(54, 60)]


def test_a_search_reads_to_its_end_however_fast_others_write(own, tmp_path):
    other, numbers = Index(own.url), count()

    def read(catalogue: Catalogue) -> list[Entry]:
        for number in islice(numbers, 2 * Store.keep):
            other.add([replace(one, title=f"Dish {number}") for one in recipes()])
        return list(catalogue.entries(0, 6))

    assert len(own.with_catalogue(read)) == 6
    assert next(numbers) == 4 * Store.keep  # the first version was gone


def test_a_version_stays_while_a_backup_reads_it(own, tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "keep", 2)
    with own._store.held():
        snapshot = own._store.snapshot()
        for number in range(8):
            own.add([recipe("soup", f"Soup {number}", ["1 onion"])])
        own.remove("rice", now=True)
        titles = {row["title"] for batch in snapshot.batches() for row in batch.to_pylist()}
        assert titles == {one.title for one in recipes()}
    own.tidy()
    assert len(Ledger(tmp_path / "c").manifests()) <= 4


@pytest.mark.parametrize("now", [True, False])
def test_a_removed_recipe_is_gone_from_the_files(model, tmp_path, now):
    index = Index(tmp_path / "c", model)
    index.add([*recipes(), recipe("secret", "Secretstew", ["1 onion"], ["Tell nobody."])])

    def told() -> list[str]:
        return [
            name for name, data in files(tmp_path / "c").items() if b"ecretstew" in data or b"secret" in data
        ]

    assert told()
    index.search(text="stew")
    index.freeze()
    assert "search.arrow" in told()
    index.remove("secret", now=now)
    assert "search.arrow" not in told()
    if not now:
        assert told()  # for other readers, and for repair
        yesterday = time.time() - 86_500
        for path in (tmp_path / "c").rglob("*"):
            os.utime(path, (yesterday, yesterday))
        index.tidy()
    assert told() == []
    assert {entry.id for entry in index.entries()} == {one.id for one in recipes()}
    assert len(Ledger(tmp_path / "c").manifests()) == 2  # one may be lost


def test_repair_never_brings_back_what_was_removed_now(model, tmp_path):
    index = Index(tmp_path / "c", model)
    index.add([*recipes(), recipe("secret", "Secretstew", ["1 onion"])])
    index.remove("secret", now=True)
    index.add([recipe("soup", "Another Soup", ["1 onion"])])
    content = files(tmp_path / "c")
    for name, data in content.items():
        restored(tmp_path / "c", content)
        (tmp_path / "c" / name).write_bytes(data[: len(data) // 2])
        repair(Store(tmp_path / "c"))
        assert "secret" not in Store(tmp_path / "c").digests()


@pytest.mark.parametrize("damage", ["data", "latest manifest", "lost manifest", "all manifests"])
def test_nothing_damaged_stays_when_a_backup_is_restored(written, tmp_path, damage):
    Index(written).backup(tmp_path / "b.zip")
    before, reader = export(written), Index(written)
    assert reader.info().recipes == 9
    manifests = sorted((written / "recipes.lance/_versions").glob("*.manifest"))  # the latest first
    data = list((written / "recipes.lance/data").iterdir())
    torn = {"data": data, "all manifests": manifests}.get(damage, manifests[:1])
    for path in torn:
        path.write_bytes(path.read_bytes()[:-20])
        if damage == "lost manifest":
            path.unlink()
    assert restore(tmp_path / "b.zip", Store(written)) == 9
    health = verify(Store(written))
    assert (health.files, health.recipes, health.read) == ([], [], 9)
    assert export(written) == before
    assert not any(path.exists() for path in data)
    assert reader.search(text="soup")
    assert Index(written).add([recipe("new", "New Dish", ["1 egg"])]).added == 1
    assert reader.info().recipes == 10


def test_a_reader_goes_on_while_its_version_is_removed(written):
    reading = Index(written).entries()
    first = next(reading)
    Index(written).remove("rice", now=True)
    ids = [first.id, *(entry.id for entry in reading)]
    assert ids == sorted(set(ids))
    assert len(ids) >= 8


def test_ids_are_composed_and_short(model, tmp_path):
    index = Index(tmp_path / "c", model)
    long = "x" * 600
    ids = ["café", "cafe\u0301", "pies/photo", long]
    assert index.add([recipe(id, "Dish", ["1 egg"]) for id in ids]).added == 3
    assert all(len(entry.id) <= 500 and not entry.id.endswith("/photo") for entry in index.entries())
    for id in ids:
        assert index.get(id).id == stored_id(id)
    assert index.add([recipe("cafe\u0301", "Dish", ["1 egg"])]).unchanged == 1
    assert index.remove("cafe\u0301", long) == 2


def test_a_full_disk_is_told_as_such():
    message = (
        "lance error: LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)"
    )
    with pytest.raises(OSError, match="No space left") as caught, translate_lance_errors("c"):
        raise RuntimeError(message)
    assert caught.value.errno == 28
