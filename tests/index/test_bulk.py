"""Many runs add the same prepared data, and some are killed: nothing is lost, nothing is double."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chef.data.prepared import Manifest, Prepared
from chef.data.preparing import prepare
from chef.data.texts import PrepareSettings
from chef.index import Added, Index
from chef.index.bulk import Turn
from tests.data.sources import QUICK
from tests.index.runs import ROOT, Runs
from tests.index.small import export, recipe


@pytest.fixture
def collection(tmp_path) -> str:
    return str(tmp_path / "c")


@pytest.fixture
def start_runs(prepared, model, tmp_path):
    """Makes `Runs` whose processes end with the test."""
    with ExitStack() as stack:

        def make(collection: str, source: str | Path = prepared, lease: float = 60) -> Runs:
            runs = Runs(collection, str(source), model, tmp_path / "log", lease)
            stack.callback(runs.end)
            return runs

        yield make


@pytest.fixture
def runs(start_runs, collection) -> Runs:
    return start_runs(collection)


def shards(prepared) -> set[str]:
    return {name for name in Prepared(prepared).manifest.files if name.endswith(".tar")}


def test_prepared_data_give_what_their_source_gives(kitchen, prepared, model, tmp_path):
    direct, index = Index(tmp_path / "direct", model), Index(tmp_path / "c", model)
    assert direct.add(kitchen) == index.add(prepared) == Added(added=28)
    assert index.info().with_image == 28
    for one, other in zip(direct.entries(), index.entries(), strict=True):
        # Prepared data have a split for every recipe, and keep no places of photos.
        assert replace(one.recipe, images=(), split=None) == replace(other.recipe, split=None)
        assert all(
            getattr(one, name) == getattr(other, name) for name in ("main_ingredient", "actions", "tokens")
        )
    split = Prepared(prepared).split("train")
    photos, rows = index._catalogue().photo_vectors
    stored = photos.vectors[[rows.tolist().index(row) for row in index._catalogue().rows(split.ids)]]
    wanted = index.chef.encoder.embed_photos([split.image_bytes(i) for i in range(len(split))])
    np.testing.assert_allclose(stored, wanted, atol=1e-5)


def test_the_same_command_again_finds_all_unchanged(prepared, model, collection):
    index = Index(collection, model)
    assert index.add(prepared) == Added(added=28)
    version, gone = index.version, next(index.entries()).id
    assert index.add(prepared) == Added(unchanged=28)
    assert index.version == version
    index.remove(gone)
    assert index.add(prepared) == Added(added=1, unchanged=27)


def test_prepared_data_beside_other_sources_and_in_memory(prepared, model):
    index = Index("memory://bulk", model)
    twin = recipe(Prepared(prepared).split("train").ids[0], "Later counts", ["1 egg"])
    assert index.add([recipe("own", "Own", ["1 egg"])], prepared, [twin]) == Added(29, 1, 0)
    assert index.get(twin.id).recipe.title == "Later counts"


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_runs_at_once_share_the_shards_and_do_none_twice(runs, prepared, collection, exported, count):
    for _ in range(count):
        runs.start()
    runs.wait()
    assert runs.shards() == dict.fromkeys(shards(prepared), 1)
    assert runs.stored() == (28, 0)
    assert export(collection) == exported


def test_a_killed_run_loses_and_doubles_nothing(runs, prepared, collection, exported):
    first = runs.start()
    runs.at_work(first, 4)
    assert runs.kill(first)
    second, third = runs.start(), runs.start()
    runs.at_work(second, 2)
    runs.kill(second)
    assert third.wait(120) == 0
    assert export(collection) == exported
    assert runs.stored()[0] <= 28  # what was stored is not embedded again
    assert set(runs.shards()) == shards(prepared)
    assert set(runs.shards().values()) <= {1, 2}  # two: killed between the mark and the line in the log
    assert Index(collection).add(prepared) == Added(unchanged=28)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["folder", "s3"])
def test_many_kills_lose_and_double_nothing(place, request, start_runs, prepared, collection, exported):
    if place == "s3":
        collection = f"{request.getfixturevalue('s3').bucket()}/c"
    runs, chance, killed = start_runs(collection), random.Random(0), 0
    for _ in range(5):
        pair = [runs.start(), runs.start()]
        runs.at_work(pair[0], 1)
        time.sleep(chance.uniform(0, 0.6))
        killed += runs.kill(pair[0]) + runs.kill(pair[1])
    runs.start()
    runs.wait()
    assert killed
    assert export(collection) == exported
    assert Index(collection).add(prepared) == Added(unchanged=28)


@pytest.mark.slow
def test_the_shard_of_a_sleeper_is_done_by_others_and_it_wakes_without_harm(start_runs, collection, exported):
    runs = start_runs(collection, lease=2)
    sleeper = runs.start()
    runs.at_work(sleeper, 2)
    os.kill(sleeper.pid, signal.SIGSTOP)
    assert runs.start().wait(120) == 0
    assert export(collection) == exported
    os.kill(sleeper.pid, signal.SIGCONT)
    assert sleeper.wait(120) == 0
    assert export(collection) == exported


def test_through_an_object_store_all_is_the_same(start_runs, kitchen, exported, s3):
    bucket = s3.bucket()
    prepare(kitchen, f"{bucket}/prepared", QUICK, workers=1)
    runs = start_runs(f"{bucket}/collection", f"{bucket}/prepared")
    first = runs.start()
    runs.at_work(first, 3)
    assert runs.kill(first)
    runs.start()
    runs.start()
    runs.wait()
    assert export(f"{bucket}/collection") == exported


def chef(*arguments: str, launcher: tuple[str, ...] = ()) -> str:
    """Run a command; gives what it prints."""
    command = [sys.executable, "-m", *launcher, *(() if launcher else ("chef",)), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_torchrun_shares_the_shards(prepared, model, collection, exported):
    launcher = ("torch.distributed.run", "--nproc-per-node", "2", "-m", "chef")
    arguments = ("index", "add", collection, str(prepared), "--model", str(model))
    assert chef(*arguments, launcher=launcher).count("\n") == 1  # one process talks
    assert chef("index", "export", collection) == exported
    assert "0 added, 0 updated, 28 unchanged" in chef(*arguments, launcher=launcher)


@pytest.mark.slow
def test_open_recipes_through_an_object_store(chef_data: Path, s3, tmp_path):
    """Part of the real recipes: prepared, embedded and indexed in a folder, and on a server by two runs."""
    source = tmp_path / "source"
    source.mkdir()
    found = chef_data / "open-recipes"
    with (found / "recipes.jsonl").open() as lines, (source / "recipes.jsonl").open("w") as out:
        out.writelines(line for line, _ in zip(lines, range(200), strict=False))
    for name in ("images", "splits.json"):
        (source / name).symlink_to(found / name)
    settings = PrepareSettings(dimension=16, epochs=1, shard_recipes=40)
    places = (str(tmp_path / "here"), f"{s3.bucket()}/there")
    for place in places:
        prepare(source, f"{place}/prepared", settings, workers=1)
        add = [sys.executable, "-m", "chef", "index", "add", f"{place}/collection", f"{place}/prepared"]
        pair = [subprocess.Popen(add, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
        assert [run.wait() for run in pair] == [0, 0]
    folder, server = (chef("index", "export", f"{place}/collection") for place in places)
    assert folder == server
    assert folder.count("\n") == 200


def test_a_turn_counts_until_all_is_done_and_then_the_next_begins(prepared, collection):
    manifest, works = Manifest.load(prepared), ["shards/a.tar", "shards/b.tar"]
    one, same = Turn.current(collection, manifest, "f"), Turn.current(collection, manifest, "f")
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
        later = Turn.current(collection, manifest, "f")
        assert not later.is_over()
        assert later.marked() == set()
        later.finish([])
    assert later.total() == Added()


def test_other_data_and_other_models_have_their_own(prepared, collection):
    manifest = Manifest.load(prepared)
    Turn.current(collection, manifest, "f").mark("a", Added(1))
    assert Turn.current(collection, manifest, "f").marked() == {"a"}
    other = Turn.current(collection, manifest, "g")
    assert other.marked() == set()
    assert other.result("a") == other.total() == Added()


@pytest.mark.parametrize("elsewhere", ["memory://c", "gs://bucket/c"])
def test_where_runs_cannot_see_each_other_there_is_none(prepared, elsewhere):
    assert Turn.current(elsewhere, Manifest.load(prepared), "f") is None
