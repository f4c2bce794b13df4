"""From trained models to what ships, by the stages of base.py."""

import json
import shutil
from argparse import Namespace
from pathlib import Path
from typing import Any

import base
import base_finish
import numpy as np
import pytest
from PIL import Image

import chef
from chef.data.prepared import Prepared

RECIPE = {"main": [0], "ok": [1], "contains": [], "may": [], "actions": {"step0": ["Chop", "fry"]}}


@pytest.fixture
def repository(out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The places that `finish` writes to."""
    folder = out / "repository"
    monkeypatch.setattr(base_finish, "RESULTS", folder / "results")
    monkeypatch.setattr(base_finish, "TABLES", folder / "results" / "base.json")
    monkeypatch.setattr(base_finish, "BUNDLED", folder / "models")
    monkeypatch.setattr(base_finish, "DOCS", folder / "docs")
    for name in ("results", "models", "docs"):
        (folder / name).mkdir(parents=True)
    (folder / "docs" / "models.md").write_text("<!-- ladder --><!-- end of ladder -->\n")
    return folder


def write_inputs(out: Path) -> None:
    """What `prepare` makes, and the tiny data have not."""
    shutil.copytree(out / base.PREPARED, out / base.EVALUATED)
    whole = Prepared(out / base.PREPARED)
    ids = [name for split in ("val", "test") for name in whole.split(split).ids]
    (out / base.LABELS).write_text("".join(json.dumps({"id": name, **RECIPE}) + "\n" for name in ids))
    random = np.random.default_rng(0)
    for name in ("roads", "stars"):
        (out / base.WITHOUT_FOOD / name).mkdir(parents=True)
        for number in range(4):
            noise = random.integers(0, 256, (80, 80, 3)).astype(np.uint8)
            Image.fromarray(noise).save(out / base.WITHOUT_FOOD / name / f"{number}.png")


@pytest.mark.slow  # eight programs, one after the other
def test_what_ships_is_chosen_evaluated_calibrated_and_bundled(out: Path, repository: Path) -> None:
    base.GRID["ships"] = {"chef-base": "base", "chef-ttl": "ttl"}
    base.GRID |= {"data": "source", "texts": "source", "edition": 7, "built on": ["a tower"]}
    base.GRID["rows"]["ttl"] = {"model": "t+t+l"}
    for row in ("base", "ttl"):
        for seed in (0, 1):
            base.run_one(row, seed, "final", out)
    write_inputs(out)
    assert base.run_stage("finish", Namespace(paths=[out], data=out, together=2)) == 0

    assert json.loads((out / "stages" / "finish.json").read_text("utf-8"))["seconds"] > 0
    for name in ("chef-base", "chef-ttl"):
        chosen = read_result(repository, f"validation-{name}")
        sums = chosen["sums"][str(chosen["nearest"])]
        best = int(max(sums, key=sums.__getitem__))
        model = chef.load(repository / "models" / name)
        assert model.about["edition"] == 7
        assert model.about["settings"]["seed"] == best
        assert model.model.config.nearest == chosen["nearest"]
        assert "pruning" in read_result(repository, f"{name}-{best}")
        assert "pruning" not in read_result(repository, f"{name}-{1 - best}")
        assert "gold main" in read_result(repository, f"gold-{name}-{best}")
        assert "image" in read_result(repository, f"calibration-{name}")
        card = (repository / "models" / name / "MODEL_CARD.md").read_text("utf-8")
        assert f"seed {best} {sums[str(best)]:.1f}" in card
        assert "--stage finish" in card
    page = (repository / "docs" / "models.md").read_text("utf-8")
    assert "H-T and MiniLM beside: chef-base" in page
    assert (repository / "docs" / "reliability.svg").exists()
    assert str(out) not in "".join(file.read_text("utf-8") for file in (repository / "results").iterdir())


def read_result(repository: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((repository / "results" / f"{name}.json").read_text("utf-8"))
    return content
