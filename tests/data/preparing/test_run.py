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
from chef.data.preparing import prepare
from chef.errors import ChefError
from chef.progress import Progress
from tests.data.sources import QUICK, content, encoded, picture, recipe, write_lines, write_source


class Heard(Progress):
    def __init__(self) -> None:
        self.said: list[str] = []
        self.stages: list[str] = []
        self.done = 0

    def stage(self, name, total=None, done=0):
        self.stages.append(name)

    def say(self, message):
        self.said.append(message)


def test_neither_workers_nor_the_place_of_the_source_matter(source, map_file, prepared, tmp_path):
    shutil.copytree(source, tmp_path / "elsewhere")
    prepare(tmp_path / "elsewhere", tmp_path / "out", QUICK, canonical=map_file, workers=1)
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
MOMENTS = ["work/parts/*.tar", "work/plan.json", "shards/*.tar"]


def test_killed_again_and_again_it_ends_with_the_same_manifest(source, map_file, prepared, tmp_path):
    out = tmp_path / "out"
    code = (
        "import sys; from pathlib import Path\n"
        "from chef.data.preparing import prepare; from tests.data.sources import QUICK\n"
        "if __name__ == '__main__':\n"
        "    prepare(sys.argv[1], sys.argv[2], QUICK, canonical=Path(sys.argv[3]), workers=2)\n"
    )
    command = [sys.executable, "-c", code, str(source), str(out), str(map_file)]
    killed = 0
    for moment in MOMENTS:
        run = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        while run.poll() is None and not any(out.glob(moment)):
            time.sleep(0.002)
        run.send_signal(signal.SIGKILL)
        run.wait()
        killed += not (out / "manifest.json").exists()
    assert killed >= 2  # the last moment may come after the end on a fast machine
    heard = Heard()
    prepare(source, out, QUICK, canonical=map_file, workers=2, progress=heard)
    assert not heard.said or "already prepared" in heard.said[0]
    assert content(out) == content(prepared.folder)


def test_an_unfinished_folder_says_so(prepared, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(prepared.folder, out)
    (out / "manifest.json").unlink()
    (out / "work").mkdir()
    with pytest.raises(ChefError, match="same chef prepare command"):
        Prepared(out)


def interrupted(source, map_file, out) -> None:
    """A run that stops after its first parts."""

    class Stop(Progress):
        def advance(self, steps=1, detail=""):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare(source, out, QUICK, canonical=map_file, workers=2, progress=Stop())
    assert list(out.glob("work/parts/*.tar"))


def test_other_settings_discard_what_an_interrupted_run_left(source, map_file, tmp_path):
    out, other = tmp_path / "out", replace(QUICK, image_size=24)
    interrupted(source, map_file, out)
    heard = Heard()
    prepare(source, out, other, canonical=map_file, workers=2, progress=heard)
    assert "settings have changed" in heard.said[0]
    prepare(source, tmp_path / "fresh", other, canonical=map_file, workers=2)
    assert content(out) == content(tmp_path / "fresh")


def test_a_changed_source_discards_stale_parts(source, map_file, tmp_path):
    mine, out = tmp_path / "mine", tmp_path / "out"
    shutil.copytree(source, mine)
    interrupted(mine, map_file, out)
    write_lines(mine, [{**recipe(n), "title": f"Renamed {n}"} for n in range(30)])
    heard = Heard()
    prepare(mine, out, QUICK, canonical=map_file, workers=2, progress=heard)
    assert "source has changed" in heard.said[0]
    prepare(mine, tmp_path / "fresh", QUICK, canonical=map_file, workers=2)
    assert content(out) == content(tmp_path / "fresh")


def test_finished_data_are_recognised(source, map_file, prepared):
    before, heard = content(prepared.folder), Heard()
    again = prepare(source, prepared.folder, QUICK, canonical=map_file, progress=heard)
    assert again == prepared.manifest
    assert "already prepared" in heard.said[0]
    assert heard.stages == []
    assert content(prepared.folder) == before
    with pytest.raises(ChefError, match=r"other settings \(image size\)"):
        prepare(source, prepared.folder, replace(QUICK, image_size=48), canonical=map_file)


def test_finished_data_of_a_changed_source_are_not_passed_off(source, map_file, prepared, tmp_path):
    shutil.copytree(source, tmp_path / "mine")
    write_lines(tmp_path / "mine", [recipe(n) for n in range(29)])
    with pytest.raises(ChefError, match="source has changed"):
        prepare(tmp_path / "mine", prepared.folder, QUICK, canonical=map_file)


def test_foreign_folders_are_left_alone(source, map_file, tmp_path):
    (tmp_path / "letters.txt").write_text("dear aunt")
    (tmp_path / "work").mkdir()
    with pytest.raises(ChefError, match="not empty"):
        prepare(source, tmp_path, QUICK, canonical=map_file)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letters.txt", "work"]
    with pytest.raises(ChefError, match="inside the source"):
        prepare(source, source / "out", QUICK, canonical=map_file)


def test_nothing_to_prepare_is_an_error_and_leaves_nothing(map_file, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "recipes.jsonl").write_text("not json\n")
    for source in (tmp_path / "empty", tmp_path / "missing"):
        with pytest.raises(ChefError):
            prepare(source, tmp_path / "out", QUICK, canonical=map_file, workers=1)
        assert not (tmp_path / "out").exists()


def test_two_runs_in_one_folder_are_one_too_many(source, map_file, tmp_path):
    class Second(Progress):
        def stage(self, name, total=None, done=0):
            with pytest.raises(ChefError, match="another run"):
                prepare(source, tmp_path / "out", QUICK, canonical=map_file)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare(source, tmp_path / "out", QUICK, canonical=map_file, progress=Second())


@pytest.fixture(scope="module")
def troubled(map_file, tmp_path_factory) -> Prepared:
    """Prepared data of a source with every kind of bad image and bad line."""
    folder = tmp_path_factory.mktemp("troubled")
    source = write_source(folder / "source", 12)
    good = encoded(picture())
    pictures = {
        0: b"",
        1: good[: len(good) - 60],
        2: b"GIF? no",
        3: encoded(picture(8, 8)),
        4: encoded(Image.new("1", (40_000, 20)), "PNG"),
    }
    for number, data in pictures.items():
        (source / "images" / f"{number:03d}.jpg").write_bytes(data)
    (source / "images" / "005.jpg").unlink()
    lines = [recipe(number) for number in range(12)]
    del lines[6]["image"]
    write_lines(source, [*lines, lines[11], {"id": "x", "title": "", "ingredients": [], "instructions": []}])
    with (source / "recipes.jsonl").open("a") as file:
        file.write("{broken\n")
    prepare(source, folder / "out", QUICK, canonical=map_file, workers=2)
    return Prepared(folder / "out")


def test_bad_images_cost_the_image_and_not_the_recipe(troubled):
    manifest = troubled.manifest
    assert manifest.recipes == 12
    assert manifest.with_image == 5
    assert manifest.image_problems == {
        "damaged image": 1,
        "empty image file": 1,
        "missing image": 1,
        "not an image": 1,
        "too large image": 1,
        "too small image": 1,
    }
    assert any("no image" in note for note in manifest.notes)


def test_every_line_is_prepared_or_skipped(troubled):
    assert troubled.manifest.recipes + sum(troubled.manifest.skipped.values()) == 15


def test_recipes_without_image_are_there_on_request(troubled):
    names = troubled.manifest.splits
    assert sum(len(troubled.split(name)) for name in names) == 5
    assert sum(len(troubled.split(name, with_image=False)) for name in names) == 12


def test_given_splits_are_kept(source, map_file, tmp_path):
    shutil.copytree(source, tmp_path / "mine")
    ids = [recipe(number)["id"] for number in range(30)]
    given = {"train": ids[:20], "test": ids[20:25], "extra": ids[25:]}
    (tmp_path / "mine" / "splits.json").write_text(json.dumps(given))
    manifest = prepare(tmp_path / "mine", tmp_path / "out", QUICK, canonical=map_file, workers=2)
    assert manifest.splits == {"train": 20, "test": 5, "extra": 5}
    data = Prepared(tmp_path / "out")
    assert {name: data.split(name).ids for name in given} == given


def test_a_full_disk_comes_home_as_such(source, map_file, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("chef.data.preparing.run.make_plan", full)
    with pytest.raises(OSError, match="No space"):
        prepare(source, tmp_path / "out", QUICK, canonical=map_file, workers=2)
    assert not (tmp_path / "out" / "manifest.json").exists()
