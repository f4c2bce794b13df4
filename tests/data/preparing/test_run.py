"""The whole way from a source to prepared data."""

import gzip
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
from chef.data.texts import HASH
from chef.errors import ChefError
from chef.progress import Progress
from tests.data.preparing.conftest import Heard, Stop
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
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert files == set(content(out))  # and none that was half-written


def test_an_unfinished_folder_says_so(source, interrupted, tmp_path):
    interrupted(source, tmp_path / "out")
    with pytest.raises(ChefError, match="same chef prepare command"):
        Prepared(tmp_path / "out")


@pytest.mark.parametrize("changed", ["settings", "titles", "photo"])
def test_what_an_interrupted_run_left_of_something_else_is_discarded(
    source, prepare_quick, interrupted, tmp_path, changed
):
    mine, out = tmp_path / "mine", tmp_path / "out"
    shutil.copytree(source, mine)
    interrupted(mine, out)
    assert list(out.glob("work/parts/*.tar"))
    if changed == "titles":
        write_lines(mine, [{**recipe(n), "title": f"Renamed {n}"} for n in range(30)])
    if changed == "photo":
        for photo in (mine / "images").iterdir():  # all: any part may be the one that was finished
            photo.write_bytes(encoded(picture(60, 50, seed=99)))
    heard, settings = Heard(), replace(QUICK, image_size=24) if changed == "settings" else QUICK
    prepare_quick(mine, out, settings=settings, progress=heard)
    assert ("settings ha" if changed == "settings" else "source ha") in heard.said[0]
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


def test_a_second_run_in_the_same_folder_is_refused(source, prepare_quick, tmp_path):
    class Second(Progress):
        def stage(self, name, total=None, done=0):
            with pytest.raises(ChefError, match="another run"):
                prepare_quick(source, tmp_path / "out")
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


def test_no_training_recipes_is_an_error(prepare_quick, tmp_path):
    source = write_source(tmp_path / "source", 3)
    write_lines(source, [{**recipe(number), "split": "dev"} for number in range(3)])
    with pytest.raises(ChefError, match="train split"):
        prepare_quick(source, tmp_path / "out")


# Further recipes without photos, and sources that are left out.


@pytest.fixture(scope="module")
def more(tmp_path_factory) -> Path:
    """Twelve recipes more, in a compressed file as large collections are; two are from an uncle."""
    file = tmp_path_factory.mktemp("more") / "more.jsonl.gz"
    lines = [{**recipe(n), "id": f"more-{n}", "source": "uncle" if n < 2 else "aunt"} for n in range(12)]
    for line in lines:
        line["instructions"].append("Garnish with zucchini.")
    file.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    return file


@pytest.mark.parametrize("splits", ["given", HASH])
def test_texts_join_the_train_split_alone(source, more, prepare_quick, prepared, tmp_path, splits):
    manifest = prepare_quick(source, tmp_path / "out", settings=replace(QUICK, splits=splits), texts=[more])
    data, before = Prepared(tmp_path / "out"), prepared.manifest
    assert data.splits == {**before.splits, "train": before.splits["train"] + 12}
    assert manifest.with_image == before.with_image  # their photos, had they any, are not wanted
    assert all(data.split(name).ids == prepared.split(name).ids for name in data.splits)
    assert data.split("train", with_image=False).ids[-12:] == [f"more-{n}" for n in range(12)]
    assert "zucchini" in data.vocabulary.words
    assert "zucchini" not in prepared.vocabulary.words
    assert manifest.settings["texts"] == 1
    assert any("12 of 42 recipes joined the train split" in note for note in manifest.notes)
    assert str(more.parent) not in (tmp_path / "out" / "manifest.json").read_text()


def test_a_source_is_left_out_everywhere(source, more, prepare_quick, tmp_path):
    mine, out, heard = tmp_path / "mine", tmp_path / "out", Heard()
    shutil.copytree(source, mine)
    lines = [{**recipe(n), "source": f"s{n % 3}"} for n in range(30)]
    lines[0]["id"] = "more-5"  # as one of the texts
    write_lines(mine, lines)
    manifest = prepare_quick(mine, out, texts=[more], without=["uncle", "s1", "s9"], progress=heard)
    assert manifest.recipes == 30 + 12 - 10 - 2 - 1
    assert manifest.skipped == {
        "source s1 left out": 10, "source uncle left out": 2, "same id as an earlier recipe": 1,
    }  # fmt: skip
    assert manifest.settings["without"] == ["s1", "s9", "uncle"]
    assert heard.said == ["no recipe names 's9' as its source: nothing left out"]
    data = Prepared(out)
    splits = (data.split(name, with_image=False) for name in data.splits)
    assert {split.recipe(i).source for split in splits for i in range(len(split))} == {"s0", "s2", "aunt"}


def test_stopped_and_run_again_it_ends_with_the_same_files(
    source, more, prepare_quick, interrupted, tmp_path
):
    chosen, heard = {"texts": [more], "without": ["uncle"]}, Heard()
    interrupted(source, tmp_path / "cut", Stop(after=31), **chosen)  # among the texts
    assert list(tmp_path.glob("cut/work/parts/*.tar"))
    prepare_quick(source, tmp_path / "cut", progress=heard, **chosen)
    assert not heard.said
    prepare_quick(source, tmp_path / "whole", **chosen)
    assert content(tmp_path / "cut") == content(tmp_path / "whole")
    with pytest.raises(ChefError, match=r"other settings \(texts, without\)"):
        prepare_quick(source, tmp_path / "cut")
