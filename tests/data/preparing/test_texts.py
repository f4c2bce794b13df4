"""Further recipes without photos, and sources that are left out."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from chef.data.texts import HASH
from chef.errors import ChefError
from chef.progress import Progress
from tests.data.preparing.test_run import Heard
from tests.data.sources import QUICK, content, recipe, write_lines


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
def test_texts_join_the_train_split_alone(source, more, map_file, prepared, tmp_path, splits):
    settings = replace(QUICK, splits=splits)
    manifest = prepare(source, tmp_path / "out", settings, texts=[more], canonical=map_file, workers=2)
    data, before = Prepared(tmp_path / "out"), prepared.manifest
    assert data.splits == {**before.splits, "train": before.splits["train"] + 12}
    assert manifest.with_image == before.with_image  # their photos, had they any, are not wanted
    assert {name: data.split(name).ids for name in data.splits} == {
        name: prepared.split(name).ids for name in data.splits
    }
    everything = data.split("train", with_image=False)
    assert everything.ids[-12:] == [f"more-{n}" for n in range(12)]
    assert "zucchini" in data.vocabulary.words
    assert "zucchini" not in prepared.vocabulary.words
    assert manifest.settings["texts"] == 1
    assert any("12 of 42 recipes joined the train split" in note for note in manifest.notes)
    assert str(more.parent) not in (tmp_path / "out" / "manifest.json").read_text()


def test_a_source_is_left_out_everywhere(source, more, map_file, tmp_path):
    shutil.copytree(source, tmp_path / "mine")
    write_lines(tmp_path / "mine", [{**recipe(n), "source": f"s{n % 3}"} for n in range(30)])
    heard = Heard()
    manifest = prepare(
        tmp_path / "mine",
        tmp_path / "out",
        QUICK,
        texts=[more],
        without=["uncle", "s1", "s9"],
        canonical=map_file,
        workers=2,
        progress=heard,
    )
    assert manifest.recipes == 30 + 12 - 10 - 2
    assert manifest.skipped == {"source s1 left out": 10, "source uncle left out": 2}
    assert manifest.settings["without"] == ["s1", "s9", "uncle"]
    assert heard.said == ["no recipe names 's9' as its source: nothing left out"]
    data = Prepared(tmp_path / "out")
    splits = (data.split(name, with_image=False) for name in data.splits)
    sources = {split.recipe(i).source for split in splits for i in range(len(split))}
    assert sources == {"s0", "s2", "aunt"}


def test_stopped_and_run_again_it_ends_with_the_same_files(source, more, map_file, tmp_path):
    class Stop(Progress):
        done = 0

        def advance(self, steps=1, detail=""):
            self.done += steps
            if self.done > 30:  # among the texts
                raise KeyboardInterrupt

    chosen = {"texts": [more], "without": ["uncle"], "canonical": map_file, "workers": 2}
    with pytest.raises(KeyboardInterrupt):
        prepare(source, tmp_path / "cut", QUICK, progress=Stop(), **chosen)
    assert list(tmp_path.glob("cut/work/parts/*.tar"))
    heard = Heard()
    prepare(source, tmp_path / "cut", QUICK, progress=heard, **chosen)
    assert not heard.said
    prepare(source, tmp_path / "whole", QUICK, **chosen)
    assert content(tmp_path / "cut") == content(tmp_path / "whole")
    with pytest.raises(ChefError, match=r"other settings \(texts, without\)"):
        prepare(source, tmp_path / "cut", QUICK, canonical=map_file)


def test_texts_that_cannot_be_read_are_an_error_before_the_work_begins(source, map_file, tmp_path):
    (tmp_path / "empty.jsonl").write_text("no recipe\n")
    for texts in ("nowhere.jsonl", "empty.jsonl"):
        heard = Heard()
        with pytest.raises(ChefError, match=texts):
            prepare(
                source, tmp_path / "out", QUICK, texts=[tmp_path / texts], canonical=map_file, progress=heard
            )
        assert heard.stages == []
        assert not (tmp_path / "out").exists()
