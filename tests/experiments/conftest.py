"""The scripts of experiments/ can be imported as they import each other."""

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tiny import prepare_small, write_source, write_words

sys.path.insert(0, str(ROOT / "experiments"))

SMALL = {
    "model": "chef-base-one-reader", "tower": "small-cnn", "words": "minilm", "loss": "infonce",
    "freeze_epochs": 0, "word": 16, "hidden": 12, "space": 24, "batch": 12, "epochs": 1, "workers": 0,
    "querybank": 30,
}  # fmt: skip


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What base.py trains on, of 60 recipes, three of them `extra`."""
    grid = {"about": "", "without": ["unfree"], "settings": SMALL, "rows": {"base": {}, "slow": {"seed": 1}}}
    import base

    monkeypatch.setattr(base, "GRID", grid)
    monkeypatch.setattr(base, "GALLERY", 4)
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    source = write_source(tmp_path / "source")
    splits = {"train": range(3, 48), "val": range(48, 54), "test": range(54, 60), "extra": range(3)}
    named = {name: [f"r{number}" for number in numbers] for name, numbers in splits.items()}
    (source / "splits.json").write_text(json.dumps(named), "utf-8")
    prepare_small(source, tmp_path / base.PREPARED)
    write_words(tmp_path / base.WEIGHTS / "minilm")
    given = {}
    for line in (tmp_path / "source" / "recipes.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        number = int(one["id"].removeprefix("r"))
        source = "unfree" if number == 3 else f"cook {number % 9}"
        given[one["id"]] = (None, source, one["title"])
    whole = base.Prepared(tmp_path / base.PREPARED)
    for split in whole.splits:
        for name in whole.split(split).ids:
            given[name] = (split, *given[name][1:])
    (tmp_path / base.PAIRS).write_text(json.dumps(given), "utf-8")
    return tmp_path
