import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chef import bundled
from chef.commands.models import models
from chef.errors import ChefError
from tests.conftest import cases
from tests.tiny import write_prepared


def artefact(folder: Path) -> Path:
    folder.mkdir()
    config = {
        "format": "chef-model",
        "version": 1,
        "model": {"variant": "h-t", "tower": {"kind": "small-cnn"}},
        "text": {},
        "weights": [],
        "files": {},
        "about": {"epoch": 7, "validation": {"medR": 2.0, "R@1": 31.26, "R@5": 60.0, "R@10": 81.0}},
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_bundled_models_come_first(tmp_path, monkeypatch, capsys):
    artefact(tmp_path / "chef-base")
    monkeypatch.setattr(bundled, "MODELS", tmp_path)
    models()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "bundled"
    assert lines[1].split()[:2] == ["chef-base", "h-t"]
    models(json=True)
    (told,) = json.loads(capsys.readouterr().out)["shipped"]
    assert (told["folder"], told["validation"]["R@5"]) == ("chef-base", 60.0)


def test_what_was_trained_and_its_scores(tmp_path, capsys):
    run = artefact(tmp_path / "run[1]")
    models([run])
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert last.split()[-7:] == ["h-t", "small-cnn", "7", "2.0", "31.3", "60.0", "81.0"]
    assert "run[1]" in last
    models([run], json=True)
    listing = json.loads(capsys.readouterr().out)
    assert len(listing["variants"]) == 10
    assert [entry["name"] for entry in listing["peers"]] == ["pic2rec", "acme", "h-t", "afternoon"]
    assert listing["ours"][0]["name"] == "chef-base"
    assert listing["artefacts"][0]["validation"]["R@1"] == 31.26
    with pytest.raises(ChefError, match="no model in"):
        models([tmp_path])


SMALL = [f"--set={part}" for part in ("word=16", "hidden=12", "space=24", "batch=12")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("train")
    write_prepared(folder, recipes=40)
    return folder


def chef(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CHEF_WEIGHTS": str(folder / "weights")}
    command = [sys.executable, "-m", "chef", "train", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_model_is_trained_and_fine_tuned(folder):
    first = chef(folder, "prepared", "--out", "first", "--model", "s+l+l", "--epochs", "1", *SMALL)
    assert first.returncode == 0, first.stderr
    second = chef(folder, "prepared", "--out", "second", "--init", "first", "--epochs", "1")
    assert second.returncode == 0, second.stderr
    assert second.stdout.strip() == "best model: second/best"
    assert "only " in second.stderr  # training pairs
    settings = json.loads((folder / "second" / "settings.json").read_text())
    assert (settings["model"], settings["hidden"], settings["batch"]) == ("s+l+l", 12, 64)
    assert str(folder) not in (folder / "second" / "best" / "config.json").read_text()


@pytest.mark.parametrize(("arguments", "told"), cases("commands", "mistakes of train"))
def test_mistakes_end_in_one_line_and_code_2(folder, arguments, told):
    result = chef(folder, "prepared", "--out", "run", *arguments)
    assert result.returncode == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (folder / "run").exists()
