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
import transformers
from PIL import Image

import chef
from chef.data.prepared import Prepared
from chef.index.snapshot import Frozen
from tests.model.test_towers import saved, shaken

RECIPE = {"main": [0], "ok": [1], "contains": [], "may": [], "actions": {"step0": ["Chop", "fry"]}}


@pytest.fixture
def repository(out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The places that `finish` writes to."""
    folder = out / "repository"
    monkeypatch.setattr(base_finish, "RESULTS", folder / "results")
    monkeypatch.setattr(base_finish, "TABLES", folder / "results" / "base.json")
    monkeypatch.setattr(base_finish, "BUNDLED", folder / "models")
    monkeypatch.setattr(base_finish, "COOKBOOK", folder / "cookbook.arrow")
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
    (out / "stages").mkdir()
    (out / "stages" / "train.json").write_text(json.dumps({"seconds": 7, "cores": 2, "gpu": None}))
    random = np.random.default_rng(0)
    for name in ("roads", "stars"):
        (out / base.WITHOUT_FOOD / name).mkdir(parents=True)
        for number in range(4):
            noise = random.integers(0, 256, (80, 80, 3)).astype(np.uint8)
            Image.fromarray(noise).save(out / base.WITHOUT_FOOD / name / f"{number}.png")


@pytest.fixture
def tower(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tower that takes photos of any size, for all rows, and the sizes that are tried."""
    network = shaken(transformers.MobileNetV1Model(transformers.MobileNetV1Config(depth_multiplier=0.25)))
    saved(network, out / base.WEIGHTS / "tower")
    settings = {"tower": "tower", "image_size": 40, "image_crop": 32, "image_views": 2}
    monkeypatch.setitem(base.GRID, "settings", {**base.GRID["settings"], **settings})
    monkeypatch.setattr(base_finish, "PIXELS", ((40, 32), (64, 48)))


def test_how_large_photos_are_is_chosen_on_unseen_ones_over_all_seeds(out: Path, tower: None) -> None:
    for seed in (0, 1):
        base.run_one("base", seed, "final", out)
    (out / "results").mkdir()
    base_finish.choose("tiny", "base", out)
    undecided = base_finish.read_choice("tiny", "base", out)
    assert undecided.pixels is None
    base_finish.choose_pixels(undecided)
    chosen = base_finish.read_choice("tiny", "base", out)
    content = json.loads(base_finish.validation_file(out, "tiny").read_text("utf-8"))
    sums = content["sums by pixels"]
    assert max(sums, key=sums.__getitem__) == "{}, {}".format(*chosen.pixels or ())

    data = base.Part(out, "final")
    unseen = {name for split in ("val", "extra") for name in data.split(split).ids}
    data._ids["unseen"] = unseen
    for pixels in base_finish.PIXELS:
        found = []
        for seed in (0, 1):
            model = out / f"{seed}-{pixels[0]}"
            base.in_eight_bits(base_finish._small(out, "base", seed), model, chosen.nearest, pixels)
            transform = chef.load(model).model.tower.transform
            assert (transform.size, transform.crop, transform.whole) == (*pixels, True)
            ways = base.score(model, data, 0, "unseen")["retrieval"].values()
            found.append(sum(way["full"][name] for way in ways for name in base_finish.METRICS[1:]))
        assert sums["{}, {}".format(*pixels)] == pytest.approx(np.mean(found), abs=1e-6)


@pytest.mark.slow  # eight programs, one after the other
def test_what_ships_is_chosen_evaluated_calibrated_and_bundled(
    out: Path, repository: Path, tower: None
) -> None:
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
        assert model.model.tower.transform.size == chosen["pixels"][0]
        assert "pruning" in read_result(repository, f"{name}-{best}")
        assert "pruning" not in read_result(repository, f"{name}-{1 - best}")
        assert "gold main" in read_result(repository, f"gold-{name}-{best}")
        assert "image" in read_result(repository, f"calibration-{name}")
        card = (repository / "models" / name / "MODEL_CARD.md").read_text("utf-8")
        assert f"seed {best} {sums[str(best)]:.1f}" in card
        assert "--stage finish" in card
        assert "hours of 2 cores" in card
    assert Frozen(repository / "cookbook.arrow").metadata["dimension"] == 24
    page = (repository / "docs" / "models.md").read_text("utf-8")
    assert "H-T and MiniLM beside: chef-base" in page
    assert (repository / "docs" / "reliability.svg").exists()
    assert str(out) not in "".join(file.read_text("utf-8") for file in (repository / "results").iterdir())


def read_result(repository: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((repository / "results" / f"{name}.json").read_text("utf-8"))
    return content
