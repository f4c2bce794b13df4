"""Further recipes without photos, and sources that are left out."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from chef.data.prepared import Prepared
from chef.data.texts import HASH
from chef.errors import ChefError
from tests.data.preparing.conftest import Heard, Stop
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
    write_lines(mine, [{**recipe(n), "source": f"s{n % 3}"} for n in range(30)])
    manifest = prepare_quick(mine, out, texts=[more], without=["uncle", "s1", "s9"], progress=heard)
    assert manifest.recipes == 30 + 12 - 10 - 2
    assert manifest.skipped == {"source s1 left out": 10, "source uncle left out": 2}
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
