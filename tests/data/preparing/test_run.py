"""The whole way from a source to prepared data."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.progress import Progress
from tests.data.preparing.conftest import Heard
from tests.data.sources import QUICK, content, encoded, picture, recipe, write_lines, write_source


def test_neither_workers_nor_the_place_of_the_source_matter(source, prepare_quick, prepared, tmp_path):
    shutil.copytree(source, tmp_path / "elsewhere")
    prepare_quick(tmp_path / "elsewhere", tmp_path / "out", workers=1)
    assert content(tmp_path / "out") == content(prepared.folder)


def test_what_is_written(prepared):
    names = {name for name in content(prepared.folder) if not name.startswith("shards/")}
    assert names == {
        "manifest.json", "canonical.tsv", "vocabulary.tsv", "vectors.safetensors",
        "raw-vocabulary.tsv", "raw-vectors.safetensors",
    }  # fmt: skip
    manifest = prepared.manifest
    assert set(manifest.files) == set(content(prepared.folder)) - {"manifest.json"}
    assert manifest.recipes == manifest.with_image == sum(manifest.splits.values()) == 30
    assert manifest.skipped == manifest.image_problems == {}
    assert manifest.canonical_ingredients == 5
    assert str(prepared.folder) not in (prepared.folder / "manifest.json").read_text()


# What must be there before the run is killed, one moment after the other, on the same folder.


def test_killed_again_and_again_it_ends_with_the_same_files(
    source, map_file, prepare_quick, prepared, tmp_path
):
    out = tmp_path / "out"
    code = (
        "import sys; from pathlib import Path\n"
        "from chef.data.preparing import prepare; from tests.data.sources import QUICK\n"
        "if __name__ == '__main__':\n"
        "    prepare(sys.argv[1], sys.argv[2], QUICK, canonical=Path(sys.argv[3]), workers=2)\n"
    )
    command, killed = [sys.executable, "-c", code, str(source), str(out), str(map_file)], 0
    for moment in ("work/parts/*.tar", "work/plan.json", "shards/*.tar"):  # what must be there by then
        run = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        while run.poll() is None and not any(out.glob(moment)):
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
        run.wait()
        killed += not (out / "manifest.json").exists()
    assert killed >= 2  # the last moment may come after the end on a fast machine
    heard = Heard()
    prepare_quick(source, out, progress=heard)
    assert not heard.said or "already prepared" in heard.said[0]
    assert content(out) == content(prepared.folder)


def test_an_unfinished_folder_says_so(source, interrupted, tmp_path):
    interrupted(source, tmp_path / "out")
    with pytest.raises(ChefError, match="same chef prepare command"):
        Prepared(tmp_path / "out")


@pytest.mark.parametrize("changed", ["settings", "source"])
def test_what_an_interrupted_run_left_of_something_else_is_discarded(
    source, prepare_quick, interrupted, tmp_path, changed
):
    mine, out = tmp_path / "mine", tmp_path / "out"
    shutil.copytree(source, mine)
    interrupted(mine, out)
    assert list(out.glob("work/parts/*.tar"))
    if changed == "source":
        write_lines(mine, [{**recipe(n), "title": f"Renamed {n}"} for n in range(30)])
    heard, settings = Heard(), replace(QUICK, image_size=24) if changed == "settings" else QUICK
    prepare_quick(mine, out, settings=settings, progress=heard)
    assert f"{changed} ha" in heard.said[0]
    prepare_quick(mine, tmp_path / "fresh", settings=settings)
    assert content(out) == content(tmp_path / "fresh")


def test_finished_data_are_recognised_unless_something_has_changed(source, prepare_quick, prepared, tmp_path):
    before, heard = content(prepared.folder), Heard()
    assert prepare_quick(source, prepared.folder, progress=heard) == prepared.manifest
    assert "already prepared" in heard.said[0]
    assert heard.stages == []
    with pytest.raises(ChefError, match=r"other settings \(image size\)"):
        prepare_quick(source, prepared.folder, settings=replace(QUICK, image_size=48))
    shutil.copytree(source, tmp_path / "mine")
    write_lines(tmp_path / "mine", [recipe(n) for n in range(29)])
    with pytest.raises(ChefError, match="source has changed"):
        prepare_quick(tmp_path / "mine", prepared.folder)
    assert content(prepared.folder) == before


def test_foreign_folders_are_left_alone(source, prepare_quick, tmp_path):
    (tmp_path / "letters.txt").write_text("dear aunt")
    (tmp_path / "work").mkdir()
    with pytest.raises(ChefError, match="not empty"):
        prepare_quick(source, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letters.txt", "work"]
    with pytest.raises(ChefError, match="inside the source"):
        prepare_quick(source, source / "out")


def test_nothing_to_prepare_is_an_error_and_leaves_nothing(source, prepare_quick, tmp_path):
    (tmp_path / "empty.jsonl").write_text("not json\n")
    for nothing in (tmp_path / "empty.jsonl", tmp_path / "missing.jsonl"):
        heard = Heard()
        with pytest.raises(ChefError, match=nothing.name):
            prepare_quick(nothing, tmp_path / "out")
        with pytest.raises(ChefError, match=nothing.name):  # before the work begins
            prepare_quick(source, tmp_path / "out", texts=[nothing], progress=heard)
        assert heard.stages == []
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("join", [False, True])
def test_a_second_run_in_the_folder_of_a_run_alone_is_refused(source, prepare_quick, tmp_path, join):
    class Second(Progress):
        def stage(self, name, total=None, done=0):
            with pytest.raises(ChefError, match="another run"):
                prepare_quick(source, tmp_path / "out", join=join)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare_quick(source, tmp_path / "out", progress=Second())


def test_bad_images_cost_the_image_and_not_the_recipe(prepare_quick, tmp_path):
    source, good = write_source(tmp_path / "source", 12), encoded(picture())
    large = encoded(Image.new("1", (40_000, 20)), "PNG")
    for number, data in enumerate((b"", good[:-60], b"GIF? no", encoded(picture(8, 8)), large)):
        (source / "images" / f"{number:03d}.jpg").write_bytes(data)
    (source / "images" / "005.jpg").unlink()
    lines = [recipe(number) for number in range(12)]
    del lines[6]["image"]
    write_lines(source, [*lines, lines[11], {"id": "x", "title": "", "ingredients": [], "instructions": []}])
    with (source / "recipes.jsonl").open("a") as file:
        file.write("{broken\n")
    manifest = prepare_quick(source, tmp_path / "out")
    assert (manifest.recipes, manifest.with_image, sum(manifest.skipped.values())) == (12, 5, 3)
    reasons = ("damaged image", "empty image file", "missing image", "not an image", "too large image")
    assert manifest.image_problems == dict.fromkeys((*reasons, "too small image"), 1)
    assert any("no image" in note for note in manifest.notes)
    data = Prepared(tmp_path / "out")
    assert sum(len(data.split(name)) for name in data.splits) == 5
    assert sum(len(data.split(name, with_image=False)) for name in data.splits) == 12


def test_given_splits_are_kept(source, prepare_quick, tmp_path):
    shutil.copytree(source, tmp_path / "mine")
    ids = [recipe(number)["id"] for number in range(30)]
    given = {"train": ids[:20], "test": ids[20:25], "extra": ids[25:]}
    (tmp_path / "mine" / "splits.json").write_text(json.dumps(given))
    manifest = prepare_quick(tmp_path / "mine", tmp_path / "out")
    assert manifest.splits == {"train": 20, "test": 5, "extra": 5}
    data = Prepared(tmp_path / "out")
    assert {name: data.split(name).ids for name in given} == given
